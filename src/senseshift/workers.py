"""A function in processes of its own, which end when this one does, however it ends."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from senseshift.errors import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

# Each process is one thread of the caller's budget.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
Pipe = subprocess.Popen[bytes]


def in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], processes: int
) -> Iterator[Result]:
    """Call a module's function with every item; results come in their order, as they are done.

    Items are taken as they are needed. What a call raises is raised here. With one process the
    function is called in this one.
    """
    if processes <= 1:
        yield from map(function, items)
        return
    workers = [_started() for _ in range(processes)]
    idle: SimpleQueue[Pipe] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def call(item: Item) -> Result:
        worker = idle.get()
        try:
            result: Result = _answer(worker, (function, item))
            return result
        finally:
            idle.put(worker)

    pool = ThreadPoolExecutor(processes)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(call, item))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for worker in workers:
            worker.kill()
        pool.shutdown(cancel_futures=True)
        for worker in workers:
            worker.communicate()


def _started() -> Pipe:
    paths = os.pathsep.join(path or "." for path in sys.path)
    return subprocess.Popen(
        [sys.executable, "-c", "from senseshift.workers import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": paths},
        start_new_session=True,  # a Ctrl-C is this process's to deal with
    )


def _answer(worker: Pipe, request: object) -> Any:
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        pickle.dump(request, worker.stdin)
        worker.stdin.flush()
        result, error = pickle.load(worker.stdout)
    except (EOFError, OSError) as broken:
        raise InputError(
            "A process that worked for this one was ended from outside, as for want of memory: "
            "try again with fewer threads."
        ) from broken
    if error is not None:
        raise error
    return result


def serve() -> None:
    """Answer requests on standard input until the process that makes them ends."""
    requests: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        try:
            while True:
                requests.put(pickle.load(sys.stdin.buffer))
        except EOFError:
            os._exit(0)  # also in the middle of a request: nobody waits for it any more

    Thread(target=listen, daemon=True).start()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    while True:
        function, item = requests.get()
        answer: tuple[Any, Exception | None]
        try:
            answer = function(item), None
        except Exception as error:
            answer = None, error
        pickle.dump(answer, answers)
        answers.flush()
