"""Reference words: what the years between two corpora do to any word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from senseshift.comparing.rows import word_rows
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Pair, Task, tasks_of
from senseshift.comparing.word import WordResult
from senseshift.errors import InputError
from senseshift.usages import Usages

SCHEMA = {
    "word": pl.String, "old": pl.String, "new": pl.String, "old_usages": pl.Int64,
    "new_usages": pl.Int64, "change": pl.Float64, "beyond": pl.Float64, "p": pl.Float64,
}  # fmt: skip

Measured = Iterator[tuple[Task, WordResult]]


def for_controls(settings: Settings) -> Settings:
    """The same settings without what is only said of words that were asked for."""
    if not settings.permutations:
        raise InputError("Reference words are compared by what permutation leaves: permit some.")
    shares = "uniform" if settings.weights == "frequency" else settings.weights
    return replace(settings, measures=("f_SUS",), asked=True, senses="none", weights=shares)


def check_controls(controls: Usages, targets: Usages) -> None:
    """Reference words must be other words in the same periods."""
    if both := sorted(set(controls.words) & set(targets.words)):
        raise InputError(f"{both[0]!r} is a word to compare and a reference word: choose one.")
    if missing := [period for period in targets.periods if period not in controls.periods]:
        raise InputError(f"The reference words have no usages in {', '.join(missing)}.")


def control_rows(
    controls: Usages, pairs: list[Pair], measure: Callable[[list[Task]], Measured]
) -> pl.DataFrame:
    """How much each reference word changed; those that lack a period say nothing."""
    tasks = [task for task in tasks_of(controls, pairs) if task.pairs]
    rows: list[dict[str, Any]] = []
    for task, result in measure(tasks):
        rows += [row for row in word_rows(task, result) if row.get("change") is not None]
    known = [{name: row[name] for name in SCHEMA} for row in rows]
    return pl.DataFrame(known, schema=SCHEMA).sort("word", "old", "new")
