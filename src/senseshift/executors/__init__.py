"""Where units of work run: on threads here, on processes here, or on a cluster.

A unit writes its result to files, so that what is done is known by them whatever becomes of the
processes, or returns it to who waits for it. There is no scheduler of ours: clusters are Dask's.
"""

from __future__ import annotations

from senseshift.errors import InputError
from senseshift.executors.protocol import Executor, Outcome, Task, unit_threads
from senseshift.executors.threads import Threads

__all__ = ["Executor", "Outcome", "Task", "executor", "unit_threads"]


def executor(
    workers: int | None = None, scheduler: str | None = None, *, threads: int | None = None
) -> Executor:
    """Where to run, to be used as a context manager.

    Parameters
    ----------
    workers
        So many processes on this machine, by Dask (``senseshift[dask]``).
    scheduler
        The address of a Dask cluster's scheduler, as ``tcp://host:8786``.
    threads
        Without either, so many threads of this process; as many as there are processors by default.
    """
    if workers is not None and scheduler is not None:
        raise InputError(
            f"Both {workers} workers and the scheduler {scheduler} are given: leave out one of "
            "them; a cluster has workers of its own."
        )
    for name, number in (("workers", workers), ("threads", threads)):
        if number is not None and number < 1:
            raise InputError(f"{name} is {number}: it must be at least 1.")
    if workers is None and scheduler is None:
        return Threads(threads)
    from senseshift.executors.cluster import Cluster

    return Cluster.of(scheduler) if scheduler is not None else Cluster.here(workers or 1)
