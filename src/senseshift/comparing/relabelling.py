"""People decide: a person's names, merges and moves of senses, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from senseshift.comparing.assembly import Parts, of_rows
from senseshift.comparing.finishing import finished
from senseshift.comparing.senses import WordSenses, labelled, senses_of
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Task, tasks_of
from senseshift.comparing.workbench import Decided, read_workbench
from senseshift.errors import InputError, shortened
from senseshift.findings.finding import label_column
from senseshift.measures.frequencies import entropy_difference, jsd
from senseshift.study import Study
from senseshift.usages import Usages
from senseshift.usages.schema import COLUMNS

HEADS = ("word", "sense", "id", "into", "name")
RATIOS = {"usage": pl.Int64, "old": pl.String, "new": pl.String, "tau_senses": pl.Float64}


def relabel_from(study: Study, path: Path) -> Study:
    """The study with the senses of a file: one of the report's workbench, or a table."""
    if path.suffix.lower() == ".json":
        return relabel_usages(study, read_workbench(path))
    return relabel(study, read_decisions(path))


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
    return _with_senses(study, table, set(decisions["word"]))


def relabel_usages(study: Study, decided: Mapping[str, Decided]) -> Study:
    """The study with exactly the senses that a person gave to the usages of some words.

    A usage that is not named stays in its sense, by the sense's new name.
    """
    column, table = label_column(study), study.usages
    label = pl.col(column).cast(pl.String) if column in table.columns else pl.lit(None, pl.String)
    table = table.with_columns(label.alias("#sense"))
    senses = table["#sense"].to_list()
    known: dict[str, dict[str, int]] = {}
    for row, (word, id) in enumerate(table.select("word", "id").iter_rows()):
        known.setdefault(word, {})[id] = row
    for word, mine in decided.items():
        rows = _of_word(known, word)
        for row in rows.values():
            senses[row] = mine.names.get(senses[row] or "", senses[row])
        for id, name in mine.usages.items():
            if id not in rows:
                raise InputError(f"The word {shortened(word)!r} has no usage {shortened(id)!r}.")
            senses[rows[id]] = name
    table = table.with_columns(pl.Series("#sense", senses, dtype=pl.String))
    return _with_senses(study, table, set(decided))


def _of_word(known: Mapping[str, dict[str, int]], word: str) -> dict[str, int]:
    if word not in known:
        raise InputError(f"There is no word {shortened(word)!r} in this study.")
    return known[word]


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


def _with_senses(study: Study, table: pl.DataFrame, decided: Set[str]) -> Study:
    """Shares, changes and statements by the senses in the column ``#sense``.

    Words that were not decided on keep the names that were made for their senses.
    """
    known = [name for name in COLUMNS if name in table.columns and name != "sense"]
    given = table.select(*known, pl.col("#sense").alias("sense"))
    usages = Usages(given, tuple(study.periods))
    settings = replace(Settings.recorded(study.about["settings"]), senses="given")
    parts, values, ratios = Parts(), [], []
    vectors = study.vectors[table["usage"].to_numpy()]
    for task in tasks_of(usages, study.pairs):
        of_word = vectors[task.rows].astype(np.float64)
        found = labelled(task, of_word, settings, None)
        if found is not None and _untouched(task, table):
            # usages lie between them as before
            found = replace(found, calibration=study.calibration)
        if found is None:
            values += [_no_values(task, pair) for pair in task.pairs]
        if found is None or not task.pairs:
            continue
        senses = senses_of(task, of_word, found, task.pairs, settings)
        numbered = replace(task, rows=table["usage"].to_numpy()[task.rows])
        parts.senses.extend(senses.share_rows(task.word))
        parts.sense_changes.extend(senses.change_rows(task.word))
        parts.typical.extend(senses.typical_rows(numbered))
        ratios += [_ratios(numbered, pair, senses) for pair in task.pairs]
        values += [_values(task, pair, found.labels) | senses.values(pair) for pair in task.pairs]
    labels = table.select("usage", pl.col("#sense").alias("sense"))
    instances = study.instances.drop("sense", strict=False).join(
        labels, on="usage", how="left", maintain_order="left"
    )
    instances = instances.drop("tau_senses", strict=False).join(
        pl.concat(ratios) if ratios else pl.DataFrame(schema=RATIOS),
        on=["usage", "old", "new"], how="left", maintain_order="left",
    )  # fmt: skip
    names = _kept_names(study, decided)
    return finished(
        replace(
            study,
            words=_updated(study.words, values),
            instances=instances.select(_in_order(study.instances.columns)),
            senses=_by_name(parts.senses, names),
            sense_changes=_by_name(parts.sense_changes, names),
            typical=of_rows(parts.typical),
            about=study.about | {"settings": settings.to_dict()},
        )
    )


def _kept_names(study: Study, decided: Set[str]) -> dict[tuple[str, str], str]:
    if not study.senses.height:
        return {}
    rows = study.senses.select("word", "sense", "name").iter_rows()
    return {(word, sense): name for word, sense, name in rows if word not in decided}


def _by_name(rows: list[dict[str, Any]], names: Mapping[tuple[str, str], str]) -> pl.DataFrame:
    return of_rows(
        [row | {"name": names.get((row["word"], row["sense"]), row["name"])} for row in rows]
    )


def _updated(words: pl.DataFrame, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """The words with new figures; one that has no senses any more has none."""
    if not rows:
        return words
    names = [name for name in rows[0] if name in words.columns]
    values = pl.DataFrame(rows, schema_overrides={n: words.schema[n] for n in names}).select(names)
    return words.update(values, on=["word", "old", "new"], include_nulls=True)


def _untouched(task: Task, table: pl.DataFrame) -> bool:
    """Whether a word's senses are still those that were induced."""
    if "induced_sense" not in table.columns or task.given is None:
        return False
    induced = table["induced_sense"].cast(pl.String).to_numpy()[task.rows]
    return bool(induced.tolist() == task.given.tolist())


def _ratios(task: Task, pair: tuple[str, str], senses: WordSenses) -> pl.DataFrame:
    columns = {"usage": task.rows, "old": pair[0], "new": pair[1]}
    return pl.DataFrame(columns | {"tau_senses": senses.ratios[pair]}, schema=RATIOS)


def _in_order(columns: list[str]) -> list[str]:
    return columns if "sense" in columns else [*columns, "sense"]


def _no_values(task: Task, pair: tuple[str, str]) -> dict[str, Any]:
    figures = (
        "scope", "scope_low", "scope_high", "f_senses", "f_senses_low", "f_senses_high", "g_senses",
    )  # fmt: skip
    return {"word": task.word, "old": pair[0], "new": pair[1]} | dict.fromkeys(figures)


def _values(task: Task, pair: tuple[str, str], labels: np.ndarray) -> dict[str, Any]:
    """The word's measures that follow from its senses."""
    old, new = (
        np.bincount(side[side >= 0], minlength=int(labels.max()) + 1)
        for side in (labels[task.side(period)] for period in pair)
    )
    known = bool(old.sum() and new.sum())
    return {
        "word": task.word, "old": pair[0], "new": pair[1],
        "f_senses": jsd(old, new) if known else None,
        "g_senses": entropy_difference(old, new) if known else None,
    }  # fmt: skip
