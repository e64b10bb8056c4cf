"""What a unit of work is, and what runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from senseshift.errors import SenseshiftError, shortened

ATTEMPTS = 3  # at a unit, before it is told that it fails

_threads: ContextVar[int] = ContextVar("threads", default=1)


class Task(Protocol):
    """A unit of work, about a second or more of it; it can be sent to another process.

    Its result are files, or what it returns. It may be run again, also beside itself where a worker
    was lost, and must then write and return the same.
    """

    @property
    def key(self) -> str:
        """A name of its own among those that run together."""

    @property
    def resources(self) -> Mapping[str, float]:
        """What a worker must offer, as ``{"GPU": 1}``, where any worker does offer it."""

    def run(self) -> Any:
        """Do it."""


@dataclass(frozen=True)
class Outcome:
    """What became of a unit: its error in one sentence if it failed each time it was tried.

    ``seconds`` are those of the clock, ``computed`` those that its thread had a processor for;
    ``result`` is what it returned.
    """

    task: Task
    error: str | None
    seconds: float
    computed: float = 0.0
    result: Any = None


class Executor(Protocol):
    """Runs units, as many at once as it has workers for."""

    @property
    def dashboard(self) -> str | None:
        """Where a browser shows what the workers do, if anywhere."""

    @property
    def workers(self) -> int:
        """How many units run at once, now."""

    def share(self, tasks: int) -> int:
        """How many threads each of so many units may use, where they know how to."""

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Run units, taken as they are needed; their outcomes come in the order they end in."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def unit_threads() -> int:
    """How many threads the unit that calls this may use."""
    return _threads.get()


@contextmanager
def limited(threads: int) -> Iterator[None]:
    """A unit's share of the threads, inside."""
    before = _threads.set(threads)
    try:
        yield
    finally:
        _threads.reset(before)


def sentence(error: BaseException) -> str:
    """An error as it is told: ours are sentences, others have a name."""
    said = shortened(str(error).strip(), 300)
    if isinstance(error, SenseshiftError):
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
