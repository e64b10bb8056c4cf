"""Many words, each a unit of work for whatever runs units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from senseshift.calibration import Calibration
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Task
from senseshift.comparing.word import WordResult, measure_word
from senseshift.executors import Executor

Vectors = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class OneWord:
    """A word with the vectors of its usages; what it returns is all that can be said of it."""

    key: str
    task: Task
    vectors: Vectors
    settings: Settings
    calibration: Calibration | None
    threads: int
    resources: Mapping[str, float] = field(default_factory=dict)

    def run(self) -> WordResult:
        """Measure it."""
        vectors = self.vectors.astype(np.float64)
        return measure_word(self.task, vectors, self.settings, self.calibration, self.threads)


def measured(
    pool: Executor,
    tasks: Sequence[Task],
    vectors: Vectors,
    settings: Settings,
    calibration: Calibration | None,
) -> Iterator[tuple[Task, WordResult]]:
    """Each word with its result, as they are done."""
    share = pool.share(len(tasks))
    units = (
        OneWord(f"word-{k}", task, vectors[task.rows], settings, calibration, share)
        for k, task in enumerate(tasks)
    )
    for outcome in pool.run(units):
        unit = outcome.task
        assert isinstance(unit, OneWord)
        if outcome.error is None:
            yield unit.task, outcome.result
        else:
            yield unit.task, WordResult.without(unit.task, outcome.error, failed=True)
