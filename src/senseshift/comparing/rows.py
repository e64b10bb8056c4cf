"""The rows of a study's tables, and what is added to them once all words are measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.comparing.settings import Settings
from senseshift.comparing.word import PairResult, Side
from senseshift.measures import INSTANCE
from senseshift.measures.scores import threshold
from senseshift.study import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
KEY = ("word", "old", "new")


@dataclass(frozen=True, eq=False)
class Task:
    """One word in two periods, and the rows of its usages."""

    word: str
    old: str
    new: str
    old_rows: Ints
    new_rows: Ints

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others."""
        return self.word, self.old, self.new

    @property
    def counts(self) -> dict[str, Any]:
        """The beginning of its row among the words."""
        return {
            "word": self.word,
            "old": self.old,
            "new": self.new,
            "old_usages": self.old_rows.size,
            "new_usages": self.new_rows.size,
        }

    def unmeasured_row(self, reason: str) -> dict[str, Any]:
        """Its row among the words, if it could not be measured."""
        return self.counts | {"skipped": reason}


def word_row(task: Task, result: PairResult) -> dict[str, Any]:
    """A row for the words."""
    solved = result.transport
    return (
        task.counts
        | result.values
        | {"certified": solved.converged, "sus_error": solved.sus_error, "skipped": None}
    )


def instance_rows(usages: pl.DataFrame, task: Task, result: PairResult) -> pl.DataFrame:
    """Rows for the usages: what is known of them and what was found."""
    ids = usages["id"]
    sides = []
    for side, here, there in (
        (result.old, task.old_rows, task.new_rows),
        (result.new, task.new_rows, task.old_rows),
    ):
        others = ids[there]
        columns: dict[str, Any] = {
            "usage": here,
            **side.scores,
            **_clusters(side),
            "position": np.arange(here.size),
            "partner": _named(others, side.partner),
            "partner_share": side.partner_share,
            "nearest": _named(others, side.nearest),
            "distance": side.distance,
        }
        sides.append(usages[here].with_columns(pl.Series(k, v) for k, v in columns.items()))
    return pl.concat(sides).with_columns(old=pl.lit(task.old), new=pl.lit(task.new))


def _clusters(side: Side) -> dict[str, Any]:
    return {} if side.cluster is None else {"cluster": side.cluster}


def _named(ids: pl.Series, rows: Ints) -> list[str | None]:
    names = ids.to_list()
    return [names[row] if row >= 0 else None for row in rows]


def arc_rows(usages: pl.DataFrame, task: Task, result: PairResult) -> pl.DataFrame:
    """Rows for the arcs: which old usage sends how much mass to which new one."""
    arcs, ids = result.transport.arcs, usages["id"]
    return pl.DataFrame(
        {
            "word": [task.word] * arcs.mass.size,
            "old": [task.old] * arcs.mass.size,
            "new": [task.new] * arcs.mass.size,
            "old_id": ids[task.old_rows][arcs.rows],
            "new_id": ids[task.new_rows][arcs.columns],
            "mass": arcs.mass,
        },
        # a transport that moves nothing has no arcs, and yet these columns
        schema_overrides={"old_id": pl.String, "new_id": pl.String, "mass": pl.Float64},
    )


def assemble(
    words: list[dict[str, Any]],
    instances: list[pl.DataFrame],
    arcs: list[pl.DataFrame],
    vectors: NDArray[np.float32],
    about: dict[str, Any],
    settings: Settings,
    order: Sequence[str],
    earlier: Study | None,
) -> Study:
    """Put the parts together with those of an earlier study; add what depends on all words."""
    table = pl.DataFrame(words, schema=_schema(settings))
    if earlier is not None:
        kept = earlier.words.filter(pl.col("certified").is_not_null()).select(table.columns)
        table = pl.concat([kept, table])
        instances = [earlier.instances, *instances]
        arcs = [earlier.arcs, *arcs]
    place = {word: k for k, word in enumerate(order)}
    table = _sorted(table, place)
    if not instances:
        return Study(
            table, pl.DataFrame(schema={"word": pl.String}), pl.DataFrame(), vectors, about
        )
    usages = _over_all_usages(_sorted(pl.concat(instances, how="diagonal"), place))
    table = _over_all_words(table, usages, settings)
    return Study(table, usages, _sorted(pl.concat(arcs), place), vectors, about)


def _schema(settings: Settings) -> dict[str, Any]:
    """The columns of the words."""
    return {
        **dict.fromkeys(KEY, pl.String),
        "old_usages": pl.Int64,
        "new_usages": pl.Int64,
        **dict.fromkeys(settings.measures, pl.Float64),
        "certified": pl.Boolean,
        "sus_error": pl.Float64,
        "skipped": pl.String,
    }


def _sorted(table: pl.DataFrame, place: dict[str, int]) -> pl.DataFrame:
    """In the order of the words among the usages; rows of one word stay in theirs."""
    key = pl.col("word").replace_strict(place, default=len(place), return_dtype=pl.Int64)
    return table.sort(key, maintain_order=True)


def _over_all_usages(instances: pl.DataFrame) -> pl.DataFrame:
    """Instance measures that wait for all words, such as τ_WiDiD with its infinities imputed."""
    for measure in INSTANCE:
        if measure.over_all and measure.raw_name in instances.columns:
            raw = instances[measure.raw_name]
            known = raw.is_not_null()
            finished = measure.over_all([raw.drop_nulls().to_numpy()])[0]
            whole = np.full(instances.height, np.nan)
            whole[known.to_numpy()] = finished
            column = pl.Series(measure.name, whole).fill_nan(None)
            instances = instances.with_columns(column)
    return instances


def _over_all_words(
    words: pl.DataFrame, instances: pl.DataFrame, settings: Settings
) -> pl.DataFrame:
    """Measures whose threshold θ is a share of the largest |SUS| of all words.

    In the published code it is a share of the word's own.
    """
    wanted = {m.name: m.beyond for m in settings.word_measures if m.beyond}
    if not wanted:
        return words
    scores: dict[tuple[Any, ...], tuple[Floats, Floats]] = {}
    for key, part in instances.group_by(*KEY, maintain_order=True):
        is_old = pl.col("period") == pl.col("old")
        old, new = (part.filter(side)["sus"].to_numpy() for side in (is_old, ~is_old))
        scores[key] = (old, new)
    theta = threshold(settings.r, scores.values())
    thetas = {
        key: threshold(settings.r, [pair]) if settings.compat else theta
        for key, pair in scores.items()
    }
    for name, beyond in wanted.items():
        values = [
            beyond(*scores[key], thetas[key]) if key in scores else None
            for key in words.select(KEY).iter_rows()
        ]
        words = words.with_columns(pl.Series(name, values, dtype=pl.Float64))
    return words
