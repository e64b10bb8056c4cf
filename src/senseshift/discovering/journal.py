"""How far a discovery is: for a person who watches, and as lines of JSON for a program."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from senseshift.discovering.units import Unit, missing
from senseshift.errors import InputError
from senseshift.executors import Executor
from senseshift.storage import Folder

Telling = Callable[[str, int, int], None]  # what is being done, what is done of it, and in all

# What each stage is called where it is told.
STAGES = {
    "count": "Counting", "sample": "Sampling", "first": "First look",
    "second": "Second look", "full": "Full look",
}  # fmt: skip


class Journal:
    """Runs units and tells what becomes of them."""

    def __init__(
        self, log: str | Path | None, telling: Telling | None, folder: Folder, pool: Executor
    ) -> None:
        self._path, self._telling = log, telling
        self._folder, self._pool = folder, pool
        self._file: TextIO | None = None
        self.seconds: dict[str, float] = {}
        self.failed: dict[str, str] = {}  # what went wrong with units, by their keys
        self.stopped: KeyboardInterrupt | InputError | None = None  # why no more are run

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                self._file = Path(self._path).open("a", encoding="utf-8")
            except OSError as error:
                raise InputError(
                    f"{self._path} cannot be written: {error.strerror or error}."
                ) from None
        self.tell("begin", folder=str(self._folder), where=str(self._pool),
                  dashboard=self._pool.dashboard)  # fmt: skip
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with ExitStack() as stack:
            if self._file is not None:
                stack.callback(self._file.close)
            self.tell("end", error=None if error is None else str(error) or type(error).__name__)

    def tell(self, event: str, **what: Any) -> None:
        """A line of the log."""
        if self._file is not None:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._file.write(json.dumps({"time": now, "event": event, **what}) + "\n")
            self._file.flush()

    def run(self, units: Sequence[Unit]) -> list[str]:
        """Run the units that are not done yet; the keys of all that then are.

        What stops them (Ctrl-C, a cluster that went away) is kept in :attr:`stopped`, so that
        something can be made of those that are done; no more are run from then on.
        """
        if not units:
            return []
        stage = units[0].stage
        waiting = missing(units, self._folder)
        left = {unit.key for unit in waiting}
        if self.stopped is not None:
            return [unit.key for unit in units if unit.key not in left]
        done, total, begun = len(units) - len(waiting), len(units), time.monotonic()
        self.tell("stage", stage=stage, units=total, kept=done)
        try:
            self._show(stage, done, total)
            for fresh, outcome in enumerate(self._pool.run(waiting), start=1):
                if outcome.error is None:
                    left.discard(outcome.task.key)
                else:
                    self.failed[outcome.task.key] = outcome.error
                rate = fresh / max(time.monotonic() - begun, 1e-9)
                self.tell(
                    "unit", stage=stage, key=outcome.task.key, seconds=round(outcome.seconds, 3),
                    computed=round(outcome.computed, 3), error=outcome.error, done=done + fresh,
                    units=total, per_second=round(rate, 4),
                    seconds_left=round((len(waiting) - fresh) / rate, 1),
                )  # fmt: skip
                self._show(stage, done + fresh, total)
        except (KeyboardInterrupt, InputError) as stopped:
            self.stopped = stopped
            left = {unit.key for unit in missing(waiting, self._folder)}  # some ended meanwhile
        self.seconds[stage] = round(time.monotonic() - begun, 3)
        self.tell("stage done" if self.stopped is None else "stage stopped", stage=stage,
                  seconds=self.seconds[stage])  # fmt: skip
        return [unit.key for unit in units if unit.key not in left]

    def go_on(self) -> None:
        """Where nothing can be made of a part: raise what stopped it."""
        if self.stopped is not None:
            raise self.stopped

    def all_of(self, units: Sequence[Unit]) -> list[str]:
        """The same where nothing can go on without each of them."""
        keys = self.run(units)
        self.go_on()
        if bad := [unit for unit in units if unit.key in self.failed]:
            more = f" (and {len(bad) - 1:,} more)" if len(bad) > 1 else ""
            raise InputError(
                f"{STAGES[bad[0].stage]} failed in unit {bad[0].name}{more}: "
                f"{self.failed[bad[0].key].rstrip('.')}; mend it and give the same command again, "
                "what is done is kept."
            )
        return keys

    def _show(self, stage: str, done: int, total: int) -> None:
        if self._telling is not None:
            self._telling(STAGES[stage], done, total)
