"""Units on threads of this process: nothing to install, nothing to start."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from types import TracebackType
from typing import Self

from senseshift.executors.protocol import ATTEMPTS, Outcome, Task, limited, sentence


class Threads:
    """So many units at once, of one thread each."""

    dashboard = None

    def __init__(self, threads: int | None = None) -> None:
        self.workers = threads or os.cpu_count() or 1

    def __str__(self) -> str:
        return f"{self.workers} thread{'s' * (self.workers != 1)} here"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing is left: threads end with the units they were started for."""

    def share(self, tasks: int) -> int:
        """Where there are fewer units than threads, more than one each."""
        return max(1, self.workers // max(1, tasks))

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Run units, taken as they are needed; their outcomes come in the order they end in."""
        waiting = iter(tasks)
        pool = ThreadPoolExecutor(self.workers)
        running: set[Future[Outcome]] = set()
        try:
            while True:
                free = 2 * self.workers - len(running)
                running.update(pool.submit(_tried, task) for task in islice(waiting, free))
                if not running:
                    return
                # woken now and then, as an interrupt is only seen between waits on some systems
                ended, running = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _tried(task: Task) -> Outcome:
    """A unit, run until it succeeds or has failed so often that it will again."""
    started, computed = time.monotonic(), time.thread_time()
    error, result = None, None
    for _ in range(ATTEMPTS):
        try:
            with limited(1):
                result = task.run()
        except Exception as failed:
            error = sentence(failed)
        else:
            error = None
            break
    seconds = time.monotonic() - started, time.thread_time() - computed
    return Outcome(task, error, *seconds, result)
