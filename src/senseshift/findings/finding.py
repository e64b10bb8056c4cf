"""What was found of one word in two periods, read from the tables of its study.

Terminal, notebook and pages all take it from here, and none of them judges by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.findings.capitals import as_names, has_capital
from senseshift.findings.statement import CLEAR, VERDICTS, Change, is_marked, said
from senseshift.findings.telling import Term
from senseshift.senses.verdict import without

if TYPE_CHECKING:
    from senseshift.study import Study
    from senseshift.study.word_view import WordView

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Direction = Literal["rose", "fell", ""]


@dataclass(frozen=True, eq=False)
class SenseFinding:
    """One sense of a word in two periods.

    Attributes
    ----------
    change
        Its shares, how they differ, and whether that is clear.
    members
        Its usages, as rows of the word's view.
    terms
        What tells it from the word's other senses.
    typical
        The usages in its middle, as rows of the word's view.
    """

    change: Change
    members: Ints
    terms: list[Term]
    typical: Ints


@dataclass(frozen=True, eq=False)
class WordFinding:
    """One word in two periods: what may be said of it.

    Attributes
    ----------
    verdict
        One of the verdicts of :mod:`senseshift.findings.statement`; None where nothing is said.
    sentences
        The statement, the most important first.
    senses
        Its senses, what rose most first.
    beyond
        Which usages are matched worse than chance has it.
    """

    verdict: str | None
    sentences: list[str]
    senses: list[SenseFinding]
    beyond: Bools

    @property
    def headline(self) -> str:
        """The verdict in a few words."""
        return "Not tested" if self.verdict is None else VERDICTS[self.verdict]

    def told(self, direction: Direction, count: int = 4) -> list[str]:
        """The words that tell the senses which rose, or fell."""
        words = [
            [term.text for term in sense.terms]
            for sense in self.senses
            if sense.change.direction == direction
        ]
        first = words[0][:3] if words else []
        rest = (word for others in words[1:] for word in others[:1])
        return list(dict.fromkeys([*first, *rest]))[:count]


def label_column(study: Study) -> str:
    """The column of the instances that the study's senses are told by."""
    given = study.about["settings"].get("senses") == "given"
    return "sense" if given else "induced_sense"


def word_finding(study: Study, view: WordView) -> WordFinding:
    """What was found of a word, as the tables of its study have it."""
    row = study.words.filter(word=view.word, old=view.old, new=view.new).row(0, named=True)
    changes = changes_of(study, view.word, (view.old, view.new))
    labels = view.usages[label_column(study)].to_list() if changes else []
    members = {
        change.sense: np.array(
            [k for k, label in enumerate(labels) if label == change.sense], np.int64
        )
        for change in changes
    }
    capitals = [has_capital(*usage) for usage in view.usages.select("text", "start", "end").rows()]
    changes = [
        replace(change, capitals=as_names(capitals, members[change.sense].tolist()))
        for change in changes
    ]
    place = {usage: k for k, usage in enumerate(view.usages["usage"])}
    every = study.rows_of(view.word)["usage"].unique().sort() if changes else ()
    shown = [place.get(usage) for usage in every]
    senses = []
    for change in changes:
        of_sense = {"word": view.word, "sense": change.sense}
        rows = study.typical.filter(**of_sense).sort("place")["usage"]
        senses.append(
            SenseFinding(
                change,
                members[change.sense],
                _terms(study.telling.filter(**of_sense), shown),
                np.array([place[usage] for usage in rows if usage in place], np.int64),
            )
        )
    q = view.usages["q"] if "q" in view.usages.columns else None
    beyond = np.zeros(view.usages.height, bool) if q is None else (q <= CLEAR).fill_null(False)
    return WordFinding(row["verdict"], said(row, changes), senses, np.asarray(beyond))


def statement_of(study: Study, word: str, periods: Sequence[str] | None = None) -> list[str]:
    """What may be said of a word, also of one that has usages in one period only."""
    alone = study.words.filter(pl.col("word") == word, pl.col("verdict").is_in(["new", "gone"]))
    if periods is not None:
        alone = alone.filter(pl.concat_list("old", "new") == [*periods])
    elif (study.instances["word"] == word).any():
        alone = alone.clear()
    if alone.height:
        return [sentence for row in alone.iter_rows(named=True) for sentence in said(row, [])]
    return word_finding(study, study.view(word, periods)).sentences


def _terms(rows: pl.DataFrame, shown: Sequence[int | None]) -> list[Term]:
    """What tells a sense; ``shown`` are the places of all the word's usages in the view."""
    if "usages" not in rows.columns:  # the study is of an earlier version
        rows = rows.with_columns(usages=pl.lit(""))
    columns = ("term", "inside", "outside", "documents", "flag", "usages")
    return [
        Term(
            text, inside, outside, documents, flag,
            tuple(at for k in map(int, usages.split()) if (at := shown[k]) is not None),
        )
        for text, inside, outside, documents, flag, usages in rows.select(columns).iter_rows()
    ]  # fmt: skip


def changes_of(study: Study, word: str, pair: Sequence[str]) -> list[Change]:
    """How the shares of a word's senses differ between two periods, what rose most first."""
    if not study.sense_changes.height:
        return []
    rows = study.sense_changes.filter(word=word, old=pair[0], new=pair[1])
    columns = ("count", "share", "high")
    of_word = study.senses.filter(word=word).select("sense", "period", *columns).iter_rows()
    known = {(sense, period): values for sense, period, *values in of_word}
    found = []
    for row in rows.iter_rows(named=True):
        counts, shares, highs = zip(*(known[row["sense"], side] for side in pair), strict=True)
        less = int(row["difference"] < 0)  # the period that has less of it
        marked = is_marked(row, shares)
        found.append(
            Change(
                row["sense"], row["name"], counts, shares,
                row["difference"], row["low"], row["high"], row["p"], row["q"],
                marked, came=marked and bool(without(shares[less], highs[less], shares[1 - less])),
            )
        )  # fmt: skip
    return sorted(found, key=lambda change: -change.difference)
