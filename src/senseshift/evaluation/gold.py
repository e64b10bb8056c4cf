"""What annotators found: gold senses, and how much each sense and each word changed by them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.evaluation.groupings import Grouping, find_groupings, read_groupings
from senseshift.measures.frequencies import (
    SenseFrequencies,
    entropy_difference,
    impute,
    jsd,
    sense_frequencies,
    tau,
)
from senseshift.usages import Usages

Floats = NDArray[np.float64]

NOTHING = ""  # stands for the sense of a usage without one; no sense is empty
CLOSE = 5e-4  # f* of the statistics are rounded in some releases


@dataclass(frozen=True, eq=False)
class Gold:
    """Gold change of words and usages.

    Attributes
    ----------
    words
        A row for each word in the order of the data set's statistics: ``word``, the number of
        ``senses``, ``f`` and ``g`` (f* and g*), ``changed`` (the data set's binary judgement), and
        the ``reason`` why f* and g* are not known.
    usages
        A row for each usage, in their order: ``word, period, id, sense`` and ``tau`` (τ*, with
        infinities replaced by the extremes of all words); null where the sense is not known.
    notes
        What should be known about them, one sentence each.
    """

    words: pl.DataFrame
    usages: pl.DataFrame
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        usages: Usages,
        folder: str | Path | None = None,
        *,
        compat: bool = False,
        clusters: str = "opt",
    ) -> Gold:
        """Gold change by the senses of usages in two periods.

        Parameters
        ----------
        usages
            Usages with senses, as :func:`senseshift.read` joins them.
        folder
            Their folder of word usage graphs, whose statistics say which words changed. What can
            be computed from the senses is, and is compared with them; without senses, f* and g*
            are of the numbers in the statistics.
        compat
            As in the published scripts: f* and the shares of senses from the statistics, where
            shares are rounded.
        clusters
            Which clustering the senses are of.
        """
        table = usages.table
        if "sense" not in table.columns:
            table = table.with_columns(sense=pl.lit(None, pl.String))
        old, new = usages.periods
        path = None if folder is None else find_groupings(Path(folder), clusters)
        stated = {} if path is None else read_groupings(path, old, new)
        order = [word for word in stated if word in usages.words]
        order += [word for word in usages.words if word not in stated]
        taus, rows = np.full(table.height, np.nan), []
        odd: dict[str, list[str]] = {}
        parts = table.with_row_index("#row").partition_by("word", as_dict=True)
        for word in order:
            found = _Word.of(parts[(word,)], old, new, stated.get(word), compat)
            rows.append({"word": word, **found.row})
            taus[found.at] = found.tau
            if found.odd:
                odd.setdefault(found.odd, []).append(word)
        tau = pl.Series("tau", impute([taus], compat=compat)[0]).fill_nan(None)
        return cls(
            pl.DataFrame(rows, schema=WORDS),
            table.select("word", "period", "id", "sense").with_columns(tau),
            tuple(f"{what}: {_some(words)}" for what, words in odd.items()),
        )


WORDS = {
    "word": pl.String,
    "senses": pl.Int64,
    "f": pl.Float64,
    "g": pl.Float64,
    "changed": pl.Boolean,
    "reason": pl.String,
}


@dataclass(frozen=True, eq=False)
class _Word:
    """Its row, the rows of its usages with their τ*, and what is odd about it."""

    row: dict[str, object]
    at: NDArray[np.int64]
    tau: Floats
    odd: str = ""

    @classmethod
    def of(
        cls, part: pl.DataFrame, old: str, new: str, stated: Grouping | None, compat: bool
    ) -> _Word:
        at = part["#row"].to_numpy().astype(np.int64)
        senses = part["sense"].fill_null(NOTHING).to_numpy().astype(str)
        is_old, is_new = ((part["period"] == period).to_numpy() for period in (old, new))
        found = sense_frequencies(senses[is_old], senses[is_new], unknown=NOTHING)
        row: dict[str, object] = {"senses": found.senses.size}
        row["changed"] = None if stated is None else stated.changed
        unknown = np.full(at.size, np.nan)
        if not found.senses.size and stated is not None and stated.counted:
            return cls(row | _by_counts(stated), at, unknown)
        empty = [p for p, n in ((old, found.old.sum()), (new, found.new.sum())) if not n]
        if empty:
            row["reason"] = f"no usage with a gold sense in {' and '.join(empty)}"
            return cls(row, at, unknown)
        f, g = jsd(found.old, found.new), entropy_difference(found.old, found.new)
        odd = "" if stated is None else _odd(found, f, stated)
        scores = tau(found)
        if compat and stated is not None:
            f = f if stated.graded is None else stated.graded
            g, scores = _published(found, stated) or (g, scores)
        of_sense = dict(zip(found.senses.tolist(), scores.tolist(), strict=True))
        of_usages = np.array([of_sense.get(sense, np.nan) for sense in senses.tolist()])
        return cls(row | {"f": f, "g": g}, at, of_usages, odd)


def _by_counts(stated: Grouping) -> dict[str, object]:
    """f* and g* of a word whose senses are known by their numbers only."""
    old, new = np.array(stated.old_counts), np.array(stated.new_counts)
    return {"senses": old.size, "f": jsd(old, new), "g": entropy_difference(old, new)}


def _odd(found: SenseFrequencies, f: float, stated: Grouping) -> str:
    """In what the statistics say something else than the senses."""
    if stated.old_counts is not None and stated.new_counts is not None:
        counts = list(zip(stated.old_counts, stated.new_counts, strict=False))
        if sorted(counts) != sorted(zip(found.old.tolist(), found.new.tolist(), strict=True)):
            return "the statistics count other numbers of usages than have these senses"
        by_label = _by_place(found, stated.old_counts, stated.new_counts)
        if by_label is None or (np.array(by_label) != np.array([found.old, found.new])).any():
            return (
                "the statistics list senses in another order than that of their labels, "
                "by which the published scripts take τ* of some usages from other senses"
            )
    if stated.graded is not None and abs(stated.graded - f) > CLOSE:
        return "change_graded of the statistics is not f* of these senses"
    return ""


def _published(found: SenseFrequencies, stated: Grouping) -> tuple[float, Floats] | None:
    """g* and τ* of every sense by the shares of the statistics, if they can be of these senses."""
    shares = _by_place(found, stated.old_shares, stated.new_shares)
    if shares is None or stated.old_shares is None or stated.new_shares is None:
        return None
    old, new = shares
    if ((old == 0.0) & (new == 0.0)).any():  # rounded away
        return None
    with np.errstate(divide="ignore"):
        scores: Floats = np.log(new / old)
    return entropy_difference(stated.old_shares, stated.new_shares), scores


def _by_place(
    found: SenseFrequencies, old: list[float] | None, new: list[float] | None
) -> tuple[Floats, Floats] | None:
    """What lists of the statistics have at the place that is the label of each sense."""
    labels = found.senses.tolist()
    if old is None or new is None or not all(label.isdecimal() for label in labels):
        return None
    places = [int(label) for label in labels]
    if max(places) >= min(len(old), len(new)):
        return None
    return np.array(old)[places], np.array(new)[places]


def _some(words: list[str], shown: int = 3) -> str:
    rest = f" and {len(words) - shown} more words" if len(words) > shown else ""
    return ", ".join(words[:shown]) + rest
