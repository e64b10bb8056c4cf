"""The verdict on every word: what its senses' shares, with their certainty, allow to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.findings.statement import is_marked
from senseshift.resampling.power import few
from senseshift.senses.verdict import judge

if TYPE_CHECKING:
    from senseshift.study import Study

DRIFT = 0.1  # q among the reference words, up to which a word without known senses shifted


@dataclass(frozen=True, eq=False)
class _Shares:
    counts: NDArray[np.int64]
    high: NDArray[np.float64]


def verdicts(study: Study) -> pl.DataFrame:
    """The study's words with the column ``verdict``."""
    found = [_verdict(study, row) for row in study.words.iter_rows(named=True)]
    return study.words.with_columns(pl.Series("verdict", found, dtype=pl.String))


def _verdict(study: Study, row: dict[str, Any]) -> str | None:
    if row["certified"] is None:
        return _unmeasured(row)
    if row["p"] is None:
        return None  # without permutations nothing is said
    units = [row[f"{side}_{_unit(row)}"] for side in ("old", "new")]
    if few(*units):
        return "few"
    return _by_senses(study, row) or _by_drift(row)


def _unit(row: dict[str, Any]) -> str:
    """What was permuted, which is what counts."""
    return "documents" if row["permuted"] == "documents" else "usages"


def _by_senses(study: Study, row: dict[str, Any]) -> str | None:
    """What the shares of the senses say; None where there are no senses."""
    if not study.senses.height:
        return None
    pair = (row["old"], row["new"])
    changes = study.sense_changes.filter(word=row["word"], old=pair[0], new=pair[1])
    if not changes.height:
        return None
    shares = study.senses.filter(
        pl.col("word") == row["word"], pl.col("period").is_in(list(pair))
    ).sort(pl.col("period") == pair[1], maintain_order=True)
    counts, high = (
        shares.pivot(on="period", index="sense", values=name, maintain_order=True)
        .select("sense", *pair)
        .join(changes.select("sense"), on="sense", maintain_order="right")
        .drop("sense")
        .to_numpy()
        for name in ("count", "high")
    )
    with np.errstate(invalid="ignore"):  # a period in which no usage has a sense
        each = (counts / counts.sum(axis=0)).tolist()
    rows = zip(changes.iter_rows(named=True), each, strict=True)
    q = np.array(
        [row["q"] if is_marked(row, (old, new)) else np.nan for row, (old, new) in rows],
        dtype=np.float64,
    )
    return judge(_Shares(counts.astype(np.int64), high.astype(np.float64)), q).kind


def _by_drift(row: dict[str, Any]) -> str:
    """Where senses are not known, only reference words can tell."""
    drift = row.get("drift_q")
    return "shifted" if drift is not None and drift <= DRIFT else "unclear"


def _unmeasured(row: dict[str, Any]) -> str | None:
    """A word that has usages in one of the two periods only came, or went."""
    if row["new_usages"] and not row["old_usages"]:
        return "new"
    if row["old_usages"] and not row["new_usages"]:
        return "gone"
    return None
