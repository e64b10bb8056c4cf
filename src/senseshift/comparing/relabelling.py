"""People decide: a person's names, merges and moves of senses, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from senseshift.comparing.assembly import Parts
from senseshift.comparing.finishing import finished
from senseshift.comparing.senses import labelled, senses_of
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Task, tasks_of
from senseshift.errors import InputError
from senseshift.findings.finding import label_column
from senseshift.measures.frequencies import entropy_difference, jsd
from senseshift.study import Study
from senseshift.usages import Usages
from senseshift.usages.schema import COLUMNS

HEADS = ("word", "sense", "id", "into", "name")


def read_decisions(path: Path) -> pl.DataFrame:
    """A table of decisions from a .csv, .tsv or .parquet file."""
    try:
        if path.suffix.lower() == ".parquet":
            table = pl.read_parquet(path, glob=False)
        else:
            separator = "\t" if path.suffix.lower() == ".tsv" else ","
            table = pl.read_csv(path, separator=separator, infer_schema=False, glob=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path} cannot be read as a table of senses: {error}.") from None
    return table.cast(pl.String)


def relabel(study: Study, decisions: pl.DataFrame) -> Study:
    """The study with a person's senses in place of those it had.

    Parameters
    ----------
    study
        The study.
    decisions
        A table with ``word`` and any of these, a row for each decision: ``sense`` and ``name``
        give a sense a name; ``sense`` and ``into`` make it part of another; ``id`` and ``into``
        move one usage to a sense, or with an empty ``into`` to none.
    """
    unknown = [name for name in decisions.columns if name not in HEADS]
    if "word" not in decisions.columns or unknown:
        raise InputError(
            f"A table of senses has the columns {', '.join(HEADS)}, of which word is needed; "
            f"this one has {', '.join(decisions.columns)}."
        )
    column = label_column(study)
    if column not in study.usages.columns:
        raise InputError("The study has no senses that could be relabelled.")
    table = study.usages.with_columns(pl.col(column).cast(pl.String).alias("#sense"))
    for row in decisions.iter_rows(named=True):
        table = table.with_columns(_decided(table, {k: row.get(k) or None for k in HEADS}))
    table = table.with_columns(_named(table, decisions))
    return _with_senses(study, table)


def _decided(table: pl.DataFrame, row: Mapping[str, str | None]) -> pl.Expr:
    """The senses after one merge or move."""
    of_word, label = pl.col("word") == row["word"], pl.col("#sense")
    here = table.filter(of_word)
    if not here.height:
        raise InputError(f"There is no word {row['word']!r} in this study.")
    if row["id"] is not None:
        if row["id"] not in here["id"]:
            raise InputError(f"The word {row['word']!r} has no usage {row['id']!r}.")
        chosen = of_word & (pl.col("id") == row["id"])
        return pl.when(chosen).then(pl.lit(row["into"], pl.String)).otherwise(label).alias("#sense")
    if row["sense"] not in here["#sense"]:
        raise InputError(f"The word {row['word']!r} has no sense {row['sense']!r}.")
    if row["into"] is None:
        return label
    chosen = of_word & (label == row["sense"])
    return pl.when(chosen).then(pl.lit(row["into"])).otherwise(label).alias("#sense")


def _named(table: pl.DataFrame, decisions: pl.DataFrame) -> pl.Expr:
    """Senses by the names that were given to them."""
    label = pl.col("#sense")
    if "name" in decisions.columns and "sense" in decisions.columns:
        given = decisions.filter(pl.col("name").is_not_null(), pl.col("sense").is_not_null())
        for word, sense, name in given.select("word", "sense", "name").iter_rows():
            chosen = (pl.col("word") == word) & (pl.col("#sense") == sense)
            label = pl.when(chosen).then(pl.lit(name)).otherwise(label)
    return label.alias("#sense")


def _with_senses(study: Study, table: pl.DataFrame) -> Study:
    """Shares, changes and statements by the senses in the column ``#sense``."""
    known = [name for name in COLUMNS if name in table.columns and name != "sense"]
    given = table.select(*known, pl.col("#sense").alias("sense"))
    usages = Usages(given, tuple(study.periods))
    settings = replace(Settings.recorded(study.about["settings"]), senses="given")
    parts, values = Parts(), []
    vectors = study.vectors[table["usage"].to_numpy()]
    for task in tasks_of(usages, study.pairs):
        of_word = vectors[task.rows].astype(np.float64)
        found = labelled(task, of_word, settings, None)
        if found is None or not task.pairs:
            continue
        senses = senses_of(task, of_word, found, task.pairs, settings)
        numbered = replace(task, rows=table["usage"].to_numpy()[task.rows])
        parts.senses.extend(senses.share_rows(task.word))
        parts.sense_changes.extend(senses.change_rows(task.word))
        parts.typical.extend(senses.typical_rows(numbered))
        values += [_values(task, pair, found.labels, senses.scopes[pair]) for pair in task.pairs]
    labels = table.select("usage", pl.col("#sense").alias("sense"))
    instances = study.instances.drop("sense", strict=False).join(
        labels, on="usage", how="left", maintain_order="left"
    )
    return finished(
        replace(
            study,
            words=_updated(study.words, pl.DataFrame(values)),
            instances=instances.select(_in_order(study.instances.columns)),
            senses=pl.DataFrame(parts.senses),
            sense_changes=pl.DataFrame(parts.sense_changes),
            typical=pl.DataFrame(parts.typical),
            about=study.about | {"settings": settings.to_dict()},
        )
    )


def _updated(words: pl.DataFrame, values: pl.DataFrame) -> pl.DataFrame:
    known = [name for name in values.columns if name in words.columns]
    return words.update(values.select(known), on=["word", "old", "new"])


def _in_order(columns: list[str]) -> list[str]:
    return columns if "sense" in columns else [*columns, "sense"]


def _values(
    task: Task, pair: tuple[str, str], labels: np.ndarray, scope: tuple[float, float, float]
) -> dict[str, Any]:
    """The word's figures that follow from its senses."""
    old, new = (
        np.bincount(side[side >= 0], minlength=int(labels.max()) + 1)
        for side in (labels[task.side(period)] for period in pair)
    )
    known = bool(old.sum() and new.sum())
    return {
        "word": task.word, "old": pair[0], "new": pair[1],
        "scope": scope[0], "scope_low": scope[1], "scope_high": scope[2],
        "f_senses": jsd(old, new) if known else None,
        "g_senses": entropy_difference(old, new) if known else None,
    }  # fmt: skip
