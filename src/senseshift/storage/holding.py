"""One driver at a time in a folder, wherever it is.

The driver keeps a file there that says who it is, and writes it anew every few seconds. Where the
system has locks for files (here, and on many shared disks) they tell at once whether that driver
lives. Where there are none, as in an object store, the file is watched: one that nobody writes any
more is left from a driver that was killed. No clocks are compared: those of two machines differ.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from secrets import token_hex
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from senseshift.errors import InputError, SenseshiftError
from senseshift.locks import held
from senseshift.writing import SCRATCH

if TYPE_CHECKING:
    from senseshift.storage.folder import Folder

NAME = f"{SCRATCH}driver"
BEAT = 5.0  # seconds between two signs of life
SILENCE = 30.0  # seconds without one after which a driver is dead
SETTLED = 1.0  # seconds after which two that came at once see the same file


@dataclass
class Hold:
    """A folder that is ours; ``check`` tells when it no longer is."""

    folder: Folder
    owner: str = field(default_factory=lambda: token_hex(8))
    beats: int = 0
    lost: bool = False

    def check(self) -> None:
        """An error where another driver took over, as after this one was suspended for long."""
        if self.lost:
            raise InputError(
                f"{self.folder} was taken over by another driver while this one was silent: "
                "leave it to the other, or start again when it has ended."
            )

    def sign(self) -> bytes:
        """Who holds it, as it stands in the file; different each time."""
        self.beats += 1
        about = {"owner": self.owner, "host": socket.gethostname(), "pid": os.getpid()}
        return json.dumps(about | {"beats": self.beats}).encode()


@contextmanager
def hold(folder: Folder) -> Iterator[Hold]:
    """Hold a folder against other drivers; an error where one of them lives."""
    holding = Hold(folder)
    with ExitStack() as stack:
        _take(holding, locked=_lock(folder, stack))
        ended = Event()
        beating = Thread(target=_beat, args=(holding, ended), daemon=True)
        beating.start()
        try:
            yield holding
        finally:
            ended.set()
            beating.join(timeout=BEAT)
            with suppress(SenseshiftError, OSError):
                if _found(folder).get("owner") == holding.owner:
                    folder.remove(NAME)


def _lock(folder: Folder, stack: ExitStack) -> bool:
    """Whether the system holds the folder for us; an error where it does for another process."""
    if folder.path is None:
        return False
    folder.create(f"{NAME}-lock", b"")  # a file of its own, which is never replaced
    answer = stack.enter_context(held(folder.path / f"{NAME}-lock", wait=False))
    if answer is False:
        raise _taken(folder, _found(folder))
    return answer is True


def _take(holding: Hold, locked: bool) -> None:
    folder = holding.folder
    if not folder.create(NAME, holding.sign()):
        before = _found(folder)
        here = before.get("host") == socket.gethostname()
        # The system's lock is ours, so nobody on this machine has it. Other machines may not see
        # that lock.
        if not (here and (locked or not _runs(before.get("pid")))):
            _watch(folder, before)
        folder.remove(NAME)
        if not folder.create(NAME, holding.sign()):
            raise _taken(folder, _found(folder))
        if not locked:  # of two that saw the same dead driver, one has removed the other's file
            time.sleep(SETTLED)
    found = _found(folder)
    if found.get("owner") != holding.owner:
        raise _taken(folder, found)


def _watch(folder: Folder, before: dict[str, Any]) -> None:
    """An error as soon as the driver that is there gives a sign of life."""
    until = time.monotonic() + SILENCE
    while time.monotonic() < until:
        time.sleep(min(1.0, SILENCE / 10))
        now = _found(folder)
        if not now:
            return
        if now != before:
            raise _taken(folder, now)


def _beat(holding: Hold, ended: Event) -> None:
    while not ended.wait(BEAT):
        with suppress(SenseshiftError, OSError):  # the next may arrive
            found = _found(holding.folder)
            if found and found.get("owner") != holding.owner:
                holding.lost = True
                return
            holding.folder.write(NAME, holding.sign())


def _found(folder: Folder) -> dict[str, Any]:
    """What the file says; nothing where there is none."""
    try:
        found = json.loads(folder.read(NAME))
    except SenseshiftError:
        if folder.exists(NAME):
            raise
        return {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _runs(pid: object) -> bool:
    """Whether a process of this number is there; True where that cannot be told."""
    if not isinstance(pid, int) or os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _taken(folder: Folder, by: dict[str, Any]) -> InputError:
    who = f" (process {by['pid']} on {by['host']})" if {"pid", "host"} <= by.keys() else ""
    return InputError(
        f"{folder} is being written by another run{who}: wait until it has ended, or give "
        "another folder."
    )
