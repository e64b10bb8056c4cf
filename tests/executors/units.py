"""Units of work for the executors, in a module that worker processes can import."""

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import token_hex

from senseshift.executors import unit_threads
from senseshift.storage import Folder


@dataclass(frozen=True)
class Write:
    """Writes its number and a note of every time it was run."""

    folder: Folder
    number: int
    does: str = "write"
    seconds: float = 0.0
    resources: Mapping[str, float] = field(default_factory=dict)

    @property
    def key(self):
        return f"write-{self.number}"

    def run(self):
        note = f"{os.getpid()} {os.environ.get('WORKER', '')} {unit_threads()}"
        self.folder.child("notes").write(f"{self.number}-{token_hex(4)}", note.encode())
        time.sleep(self.seconds)
        if self.does == "raise":
            raise ValueError("this unit is\npoisoned")
        if self.does == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.does == "raise once" and self.times() == 1:
            raise OSError("a disk that was away")
        self.folder.write(f"{self.number}.txt", str(self.number**2).encode())

    def notes(self):
        notes = self.folder.child("notes")
        names = [name for name in notes.names() if name.partition("-")[0] == str(self.number)]
        return [notes.read(name).decode().split(" ") for name in names]

    def times(self):
        return len(self.notes())
