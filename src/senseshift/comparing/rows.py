"""The rows of a study's tables, from the results of its words."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Pair, Task
from senseshift.comparing.word import PairResult, Side, WordResult
from senseshift.measures import INSTANCE

Ints = NDArray[np.int64]
KEY = ("word", "old", "new")

# What is known of a word in two periods besides its measures.
CERTAINTY = {
    "change": pl.Float64,
    "change_low": pl.Float64,
    "change_high": pl.Float64,
    "p": pl.Float64,
    "q": pl.Float64,
    "drift_p": pl.Float64,
    "drift_q": pl.Float64,
    "verdict": pl.String,
}
# Measures with an interval, by parts of the usages or by the shares that are credible; the others
# would have to be clustered, fitted or solved anew for each part. That of g_senses is the scope's.
BOUNDED = ("f_SUS", "g_SUS", "f_APD", "f_senses")
DETAILS = {
    "old_per_million": pl.Float64,
    "new_per_million": pl.Float64,
    "change_by_chance": pl.Float64,
    "beyond": pl.Float64,
    "detectable": pl.Float64,
    "permuted": pl.String,
    "scope": pl.Float64,
    "scope_low": pl.Float64,
    "scope_high": pl.Float64,
    "spread": pl.Float64,
    "spread_low": pl.Float64,
    "spread_high": pl.Float64,
    "old_documents": pl.Int64,
    "new_documents": pl.Int64,
    "old_largest_document": pl.Float64,
    "new_largest_document": pl.Float64,
    "caution": pl.String,
    "certified": pl.Boolean,
    "sus_error": pl.Float64,
    "skipped": pl.String,
}


def words_schema(settings: Settings) -> dict[str, Any]:
    """The columns of the words."""
    return {
        **dict.fromkeys(KEY, pl.String),
        "old_usages": pl.Int64,
        "new_usages": pl.Int64,
        **CERTAINTY,
        **dict.fromkeys(settings.measures, pl.Float64),
        **{
            f"{name}_{end}": pl.Float64
            for name in BOUNDED
            if name in settings.measures
            for end in ("low", "high")
        },
        **DETAILS,
    }


def word_rows(task: Task, result: WordResult) -> list[dict[str, Any]]:
    """The word's rows of the words, one for each pair of periods."""
    return [_word_row(task, pair, found) for pair, found in result.pairs.items()]


def _word_row(task: Task, pair: Pair, found: PairResult | str) -> dict[str, Any]:
    old, new = pair
    row: dict[str, Any] = {
        "word": task.word,
        "old": old,
        "new": new,
        "old_usages": task.side(old).size,
        "new_usages": task.side(new).size,
        "old_per_million": task.per_million.get(old),
        "new_per_million": task.per_million.get(new),
    }
    if isinstance(found, str):
        return row | {"skipped": found}
    solved = found.transport
    return row | found.values | {"certified": solved.converged, "sus_error": solved.sus_error}


def instance_rows(usages: pl.DataFrame, task: Task, result: WordResult) -> list[pl.DataFrame]:
    """Rows for the usages: what is known of them and what was found."""
    return [
        _side_rows(usages, side, there, _senses(task, result, pair)).with_columns(
            old=pl.lit(pair[0]), new=pl.lit(pair[1])
        )
        for pair, found in result.pairs.items()
        if isinstance(found, PairResult)
        for side, there in ((found.old, found.new), (found.new, found.old))
    ]


def _side_rows(
    usages: pl.DataFrame, side: Side, there: Side, sense: pl.DataFrame | None
) -> pl.DataFrame:
    others = usages["id"][there.rows]
    columns: dict[str, Any] = {
        "usage": side.rows,
        **side.scores,
        **({} if side.cluster is None else {"cluster": side.cluster}),
        "position": np.arange(side.rows.size),
        "partner": _named(others, side.partner),
        "partner_share": side.partner_share,
        "nearest": _named(others, side.nearest),
        "distance": side.distance,
    }
    table = usages[side.rows].with_columns(pl.Series(k, v) for k, v in columns.items())
    known = [name for name in ("excess", "p") if name in columns]
    table = table.with_columns(pl.col(known).fill_nan(None))
    if sense is not None:
        table = table.join(sense, on="usage", maintain_order="left")
    return table


def _senses(task: Task, result: WordResult, pair: Pair) -> pl.DataFrame | None:
    """What the senses say of single usages; where they were given, the usages have them already."""
    if result.senses is None:
        return None
    found = result.senses.labelled
    columns: dict[str, Any] = {"usage": task.rows, "tau_senses": result.senses.ratios[pair]}
    if found.confidence is not None:
        columns["induced_sense"] = pl.Series(found.induced, dtype=pl.String)
        columns["confidence"] = pl.Series(found.confidence).fill_nan(None)
    return pl.DataFrame(columns)


def in_order(instances: pl.DataFrame) -> pl.DataFrame:
    """The instances with their columns in one order, whichever words were measured first."""
    found = [
        *("old", "new", "usage", "induced_sense", "confidence", "tau_senses", "position"),
        *(name for m in INSTANCE for name in dict.fromkeys((m.name, m.raw_name))),
        *("excess", "p", "q", "q_study", "cluster"),
        *("partner", "partner_share", "nearest", "distance"),
    ]
    given = [name for name in instances.columns if name not in found]
    return instances.select(*given, *(name for name in found if name in instances.columns))


def _named(ids: pl.Series, rows: Ints) -> list[str | None]:
    names = ids.to_list()
    return [names[row] if row >= 0 else None for row in rows]


def chance_rows(task: Task, result: WordResult) -> list[pl.DataFrame]:
    """Rows for what chance makes of a word: how SUS and change are distributed by permutation."""
    return [
        pl.DataFrame(found.by_chance).select(
            pl.lit(task.word).alias("word"), pl.lit(old).alias("old"), pl.lit(new).alias("new"),
            pl.all(),
        )
        for (old, new), found in result.pairs.items()
        if isinstance(found, PairResult) and found.by_chance
    ]  # fmt: skip


def arc_rows(usages: pl.DataFrame, task: Task, result: WordResult) -> list[pl.DataFrame]:
    """Rows for the arcs: which old usage sends how much mass to which new one."""
    ids, found = usages["id"], []
    for (old, new), pair in result.pairs.items():
        if isinstance(pair, str):
            continue
        arcs = pair.transport.arcs
        found.append(
            pl.DataFrame(
                {
                    "word": [task.word] * arcs.mass.size,
                    "old": [old] * arcs.mass.size,
                    "new": [new] * arcs.mass.size,
                    "old_id": ids[pair.old.rows][arcs.rows],
                    "new_id": ids[pair.new.rows][arcs.columns],
                    "mass": arcs.mass,
                },
                # a transport that moves nothing has no arcs, and yet these columns
                schema={**dict.fromkeys((*KEY, "old_id", "new_id"), pl.String), "mass": pl.Float64},
            )
        )
    return found
