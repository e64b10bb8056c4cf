"""The verdict on every word: what its senses' shares, with their certainty, allow to say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from senseshift.study import Study


def verdicts(study: Study) -> pl.DataFrame:
    """The study's words with the column ``verdict``."""
    found = [_verdict(study, row) for row in study.words.iter_rows(named=True)]
    return study.words.with_columns(pl.Series("verdict", found, dtype=pl.String))


def _verdict(study: Study, row: dict[str, Any]) -> str | None:
    if row["certified"] is None:
        return _unmeasured(row)
    return "unclear"


def _unmeasured(row: dict[str, Any]) -> str | None:
    """A word that has usages in one of the two periods only came, or went."""
    if row["new_usages"] and not row["old_usages"]:
        return "new"
    if row["old_usages"] and not row["new_usages"]:
        return "gone"
    return None
