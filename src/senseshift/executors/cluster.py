"""Units on a Dask cluster: processes of this machine, or whatever a scheduler has.

Workers may die and join meanwhile. Dask runs a unit again whose worker was lost, and gives it up
when some workers died of it (``distributed.scheduler.allowed-failures``); one that raises is tried
again. Only a bounded number of units is known to the scheduler at a time.
"""

from __future__ import annotations

import signal
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from queue import Empty, SimpleQueue
from secrets import token_hex
from types import TracebackType
from typing import Any, Self

from senseshift.errors import ClusterWarning, InputError, MissingExtraError
from senseshift.executors.protocol import ATTEMPTS, Outcome, Task, limited, sentence
from senseshift.workers import ONE_THREAD

ANSWERS = 10.0  # seconds in which a scheduler answers
LOOK = 5.0  # seconds between two looks at who works
DIED = "every worker that ran it died of it, as for want of memory"
PATIENCE = 60.0  # seconds without any worker after which that is told


class Cluster:
    """A Dask client, and what it runs units on."""

    def __init__(self, client: Any, own: Any = None) -> None:
        self._client = client
        self._own = own  # a cluster that was started here and ends with us
        self._address = str(client.scheduler.address)

    @classmethod
    def here(cls, workers: int) -> Self:
        """So many processes of this machine, of one thread each."""
        distributed = _distributed("--workers")
        from logging import CRITICAL

        own = distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, silence_logs=CRITICAL,
            dashboard_address="127.0.0.1:0", preload=[__name__],
            env={**ONE_THREAD, "POLARS_MAX_THREADS": "1", "NUMBA_NUM_THREADS": "1"},
        )  # fmt: skip
        return cls(distributed.Client(own, set_as_default=False), own)

    @classmethod
    def of(cls, address: str) -> Self:
        """The cluster of a scheduler."""
        distributed = _distributed("--scheduler")
        try:
            return cls(distributed.Client(address, timeout=ANSWERS, set_as_default=False))
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                f"No Dask scheduler answers at {address}: start one with 'dask scheduler', and "
                "give the address that it prints, as tcp://host:8786."
            ) from error

    def __str__(self) -> str:
        count = f"{self.workers} worker{'s' * (self.workers != 1)}"
        return f"{count} here" if self._own is not None else f"{self._address}, {count}"

    @property
    def workers(self) -> int:
        """How many units run at once, now."""
        return sum(self._client.nthreads().values())

    @property
    def dashboard(self) -> str | None:
        """Where a browser shows what the workers do, if anywhere."""
        if self._own is not None and not _draws():
            return None
        services = self._client.scheduler_info(n_workers=0).get("services", {})
        return str(self._client.dashboard_link) if "dashboard" in services else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()
        if self._own is not None:
            self._own.close()

    def share(self, tasks: int) -> int:
        """One: the others may be of another unit."""
        return 1

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Run units, taken as they are needed; their outcomes come in the order they end in."""
        suspects = []
        for outcome in self._flight(tasks):
            if outcome.error == DIED:
                suspects.append(outcome.task)
            else:
                yield outcome
        # Dask blames all units that a lost worker had, not only the one that it ran; alone each
        # of them shows what it does.
        for task in suspects:
            yield from self._flight([task])

    def _flight(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """A bounded number of units at a time."""
        from distributed.comm.core import CommClosedError

        ended: SimpleQueue[Any] = SimpleQueue()
        with _interrupts(ended):
            try:
                yield from self._flown(tasks, ended)
            except CommClosedError as error:  # it went in the middle of an answer
                raise self._gone() from error

    def _flown(self, tasks: Iterable[Task], ended: SimpleQueue[Any]) -> Iterator[Outcome]:
        waiting, mark = iter(tasks), token_hex(4)  # others use the same scheduler, and their keys
        running: dict[str, tuple[Any, Task]] = {}
        crew = Crew(self._client, told_of_tags=self._own is not None)
        try:
            while True:
                for task in islice(waiting, max(0, crew.room() - len(running))):
                    future = self._client.submit(
                        _run, task, key=f"{task.key}-{mark}", pure=False, retries=ATTEMPTS - 1,
                        resources=crew.offered(task),
                    )  # fmt: skip
                    running[future.key] = future, task
                    future.add_done_callback(ended.put)
                if not running:
                    return
                try:
                    future = ended.get(timeout=1.0)
                except Empty:
                    self._check_there()
                    continue
                if future is None:
                    raise KeyboardInterrupt
                if future.status in ("pending", "lost"):  # its worker was, with what it returned
                    future.add_done_callback(ended.put)
                    continue
                _, task = running.pop(future.key)
                yield self._outcome(future, task)
        finally:
            if self._client.status == "running":
                self._client.cancel([future for future, _ in running.values()], force=True)

    def _outcome(self, future: Any, task: Task) -> Outcome:
        if future.status == "cancelled" or self._client.status != "running":
            raise self._gone()
        if future.status == "finished":
            return Outcome(task, None, *future.result())
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return Outcome(task, DIED, 0.0)
        return Outcome(task, sentence(error), 0.0)

    def _check_there(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _gone(self) -> InputError:
        return InputError(
            f"The Dask scheduler {self._address} went away: start it and this again; what is "
            "done is kept."
        )


@contextmanager
def _interrupts(ended: SimpleQueue[Any]) -> Iterator[None]:
    """Ctrl-C comes as None among what ended: raised anywhere, a destructor may swallow it."""
    earlier = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(earlier):
        yield
        return

    def told(*_: object) -> None:
        signal.signal(signal.SIGINT, earlier)  # a second one need not wait
        ended.put(None)

    signal.signal(signal.SIGINT, told)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier)


class Crew:
    """The workers as they come and go: how many units they may have, and what they offer."""

    def __init__(self, client: Any, told_of_tags: bool) -> None:
        self._client = client
        self._told_of_tags, self._told_of_none = told_of_tags, False
        self._looked = self._seen = float("-inf")
        self._threads = 0
        self._tags: set[str] = set()

    def room(self) -> int:
        """How many units may be in flight: enough that none of the workers waits for us."""
        self._look()
        return max(4, 2 * self._threads + 2)

    def offered(self, task: Task) -> dict[str, float] | None:
        """What a unit needs, where there is a worker that has it; else it runs anywhere."""
        needed = dict(task.resources)
        missing = sorted(needed.keys() - self._tags)
        if missing and not self._told_of_tags:
            self._told_of_tags = True
            warnings.warn(
                f"No worker offers {missing[0]}: what needs it runs on any of them; for others, "
                f"start workers with --resources {missing[0]}={needed[missing[0]]:g} first.",
                ClusterWarning,
                stacklevel=2,
            )
        return None if missing else needed or None

    def _look(self) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK or self._client.status != "running":
            return
        known = self._client.scheduler_info()["workers"].values()
        self._looked = now
        self._threads = sum(worker["nthreads"] for worker in known)
        self._tags = {tag for worker in known for tag in worker.get("resources", ())}
        if self._threads or self._seen == float("-inf"):
            self._seen = now
        if now - self._seen > PATIENCE and not self._told_of_none:
            self._told_of_none = True
            warnings.warn(
                f"The scheduler has had no worker for {PATIENCE:.0f} s: units wait for one.",
                ClusterWarning,
                stacklevel=2,
            )


def dask_setup(_: Any) -> None:
    """Called by Dask in worker processes of ours: a Ctrl-C is for the driver to deal with."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(task: Task) -> tuple[float, float, Any]:
    """A unit, on a worker; how long it took, how long it computed, and what it returned."""
    started, computed = time.monotonic(), time.thread_time()
    with limited(1):
        result = task.run()
    return time.monotonic() - started, time.thread_time() - computed, result


def _distributed(asked: str) -> Any:
    try:
        import distributed
    except ImportError as missing:
        raise MissingExtraError(
            f"{asked} needs {missing.name}, which is not installed: pip install 'senseshift[dask]'."
        ) from missing
    return distributed


def _draws() -> bool:
    """Whether there is a dashboard: it needs Bokeh, which Dask takes as it finds it."""
    from importlib.util import find_spec

    return find_spec("bokeh") is not None
