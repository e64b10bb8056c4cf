"""What waits for all words of a study: q-values, names of senses, verdicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.comparing.rows import in_order
from senseshift.findings.naming import named
from senseshift.findings.verdicts import verdicts
from senseshift.resampling.conformal import conformal_p, q_values
from senseshift.resampling.discrete import discrete_q_values
from senseshift.study import Study


def finished(study: Study) -> Study:
    """The study with all that follows from its tables; doing it twice changes nothing."""
    if not study.instances.height:
        return replace(study, words=verdicts(study))
    study = replace(
        study,
        words=_with_drift(_with_q(study.words), study.controls),
        instances=in_order(_with_q_of_usages(study.instances)),
        sense_changes=_with_q_of_senses(study),
    )
    study = named(study)
    study = replace(study, words=verdicts(study))
    return replace(study, words=_ranked(study))


def _ranked(study: Study) -> pl.DataFrame:
    """The words as they are ranked, then those that were not measured."""
    return pl.concat([study.ranked, study.words.filter(pl.col("certified").is_null())])


def _with_q(table: pl.DataFrame) -> pl.DataFrame:
    """With q over the whole study."""
    if "p" not in table.columns:
        return table
    q = q_values(table["p"].cast(pl.Float64).fill_null(np.nan).to_numpy())
    return table.with_columns(pl.Series("q", q).fill_nan(None))


def _with_q_of_senses(study: Study) -> pl.DataFrame:
    """With q over the whole study, with regard to what p the usages of each sense can have."""
    changes = study.sense_changes
    if "p" not in changes.columns:
        return changes
    p = changes["p"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    # A row tells of documents where these were dealt; where not, its p is the exact test's.
    q = discrete_q_values(p, _margins(study), changes["documents"].is_null().to_numpy())
    return changes.with_columns(pl.Series("q", q).fill_nan(None))


def _margins(study: Study) -> NDArray[np.int64]:
    """Of each row of the changes how many usages have the sense, and how many any, on each side."""
    counts = study.senses.select(
        "word", "sense", "period", "count", pl.col("count").sum().over("word", "period").alias("of")
    )
    rows = study.sense_changes.select("word", "sense", "old", "new")
    for side in ("old", "new"):
        here = counts.rename({"period": side, "count": f"{side}_count", "of": f"{side}_of"})
        rows = rows.join(here, on=["word", "sense", side], how="left", maintain_order="left")
    having = pl.col("old_count") + pl.col("new_count")
    return rows.select(having, "old_of", "new_of").to_numpy()


def _with_drift(words: pl.DataFrame, controls: pl.DataFrame) -> pl.DataFrame:
    """With the share of the reference words that changed as much, and q over the study."""
    if not controls.height:
        return words
    p = np.full(words.height, np.nan)
    beyond = words["beyond"].fill_null(np.nan).to_numpy()
    for (old, new), part in controls.group_by("old", "new"):
        here = ((words["old"] == old) & (words["new"] == new)).to_numpy()
        p[here] = conformal_p(beyond[here], part["beyond"].to_numpy())
    return words.with_columns(
        pl.Series("drift_p", p).fill_nan(None), pl.Series("drift_q", q_values(p)).fill_nan(None)
    )


def _with_q_of_usages(instances: pl.DataFrame) -> pl.DataFrame:
    """With q within each word and pair of periods, and over the whole study."""
    if "p" not in instances.columns:
        return instances
    p = instances["p"].fill_null(np.nan).to_numpy()
    within = np.full(p.size, np.nan)
    rows = instances.with_row_index("#row").group_by("word", "old", "new").agg("#row")
    for at in rows["#row"]:
        places = at.to_numpy()
        within[places] = q_values(p[places])
    return instances.with_columns(
        pl.Series("q", within).fill_nan(None), pl.Series("q_study", q_values(p)).fill_nan(None)
    )
