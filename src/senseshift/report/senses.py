"""The senses of a word as its page shows them: shares in every period, and evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from senseshift.findings import SenseFinding, WordFinding
from senseshift.findings.finding import label_column

if TYPE_CHECKING:
    from senseshift.study.study import Study
    from senseshift.study.word_view import WordView


def sense_rows(
    study: Study, view: WordView, found: WordFinding, periods: Sequence[str]
) -> list[dict[str, Any]]:
    """A row for each sense, what rose most first; its shares in all the word's periods."""
    if not found.senses:
        return []
    word = view.word
    changes = study.sense_changes.filter(word=word, old=view.old, new=view.new)
    carried = {
        sense: {"documents": documents, "largest": largest}
        for sense, documents, largest in changes.select("sense", "documents", "largest").iter_rows()
    }
    shares: dict[tuple[str, str], list[float | int]] = {
        (sense, period): [count, *(round(value, 6) for value in bounds)]
        for sense, period, count, *bounds in study.senses.filter(word=word)
        .select("sense", "period", "count", "share", "low", "high")
        .iter_rows()
    }
    return [
        _row(sense)
        | carried[sense.change.sense]
        | {"shares": [shares.get((sense.change.sense, period)) for period in periods]}
        for sense in found.senses
    ]


def told_by(study: Study) -> str | None:
    """The column of the usages that has their senses; None in a study without."""
    return label_column(study) if study.senses.height else None


def _row(sense: SenseFinding) -> dict[str, Any]:
    change = sense.change
    return {
        "sense": change.sense,
        "name": change.name,
        "direction": change.direction,
        "difference": round(change.difference, 4),
        "interval": [round(change.low, 4), round(change.high, 4)],
        "p": change.p,
        "q": change.q,
        "members": sense.members,
        "words": [
            {
                "text": term.text,
                "inside": term.inside,
                "outside": term.outside,
                "flag": term.flag,
                "usages": term.usages,
            }
            for term in sense.terms
        ],
        "typical": sense.typical,
    }
