"""The statement about a word, in plain sentences that follow from its senses and their certainty.

With positive costs the sign of SUS is the side, so nothing is read off a sign; and that periods
differ at all is no evidence that a sense changed, for texts a century apart differ for every word.
Only the shares of senses, where chance does not explain them, and reference words carry a claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any, Literal

from senseshift.formats import percent, plural
from senseshift.senses.shares import moved
from senseshift.senses.verdict import MARKED

VERDICTS = {
    "gained": "Gained a sense",
    "lost": "Lost a sense",
    "replaced": "One sense replaced another",
    "shifted": "Shares of senses shifted",
    "unclear": "No clear change",
    "few": "Too few usages",
    "new": "New word",
    "gone": "Gone word",
}
CHANGED = ("gained", "lost", "replaced", "shifted")
CLEAR = 0.05  # p of a sense, and q of a usage, up to which something is marked
MOVED = 0.4  # Cohen's h: what moved less far is no change, however many usages say so
FEWEST, CARRIED = 3, 0.5  # documents of a sense that moved, and what one of them may have of it
MOST = 2  # senses that a statement names in either direction
HEAVY = 0.4  # share of a period's usages that one document may have without a word about it
OPEN, CLOSE = "\u2068", "\u2069"  # isolate what may run from right to left


@dataclass(frozen=True)
class Change:
    """How the share of one sense differs between two periods.

    ``marked`` says that chance does not explain it; ``capitals``, of a sense that is written as
    names are, in how many of the usages that tell it has a capital; and ``came``, of a marked one,
    that it was not there before, or is not any more.
    """

    sense: str
    name: str
    counts: tuple[int, int]
    shares: tuple[float, float]
    difference: float
    low: float
    high: float
    p: float | None
    q: float | None
    marked: bool
    capitals: tuple[int, int] | None = None
    came: bool = False

    @property
    def direction(self) -> Literal["rose", "fell", ""]:
        """Where it went; nowhere if that is not clear."""
        if not self.marked:
            return ""
        return "rose" if self.difference > 0 else "fell"


def beyond_chance(p: float | None, q: float | None) -> bool:
    """Whether chance does not explain how far the share of a sense moved.

    q is for all senses of a study: corrected for the many that were asked, with regard to what p
    such small samples can have at all.  p is asked for too, for in a study of one word they are
    one, and among many it may be above q.
    """
    return p is not None and p <= CLEAR and q is not None and q <= MARKED


def is_marked(row: Mapping[str, Any], shares: tuple[float, float]) -> bool:
    """Whether the share of a sense moved, by its row of the study's changes and its two shares.

    Chance does not explain it, nor does one document: it stands in some, in the period that has
    more of it, and none has most of it there. And it moved so far that it is worth telling, for
    among very many usages every little drift of topics is beyond chance.
    """
    documents = row["documents"]
    carried = documents is not None and (documents < FEWEST or (row["largest"] or 0.0) > CARRIED)
    return beyond_chance(row["p"], row["q"]) and not carried and _far(shares)


def _far(shares: tuple[float, float]) -> bool:
    return bool(moved(*shares) >= MOVED)


def said(row: Mapping[str, Any], changes: Sequence[Change]) -> list[str]:
    """The statement about a word.

    Parameters
    ----------
    row
        The word's row of the study's words.
    changes
        How the shares of its senses differ.
    """
    verdict = row.get("verdict")
    if verdict is None:
        return ["Nothing is said of change: no usages were permuted."]
    head = VERDICTS[verdict]
    if verdict == "few":
        return [f"{head} to tell: {row['old_usages']:,} old and {row['new_usages']:,} new."]
    if verdict in ("new", "gone"):
        side = "old" if verdict == "new" else "new"
        count = row["new_usages"] if verdict == "new" else row["old_usages"]
        return [f"{head}: {plural(count, 'usage')}, and none in the {side} period."]
    sentences = _moves(verdict, changes) if verdict in CHANGED else [_none(head, changes)]
    return [*sentences, *_scope(row), *_drift(row), *_documents(row), *_caution(row)]


def _moves(verdict: str, changes: Sequence[Change]) -> list[str]:
    """What rose and what fell, as far as it is clear; first what the verdict tells of."""
    gained, lost = verdict in ("gained", "replaced"), verdict in ("lost", "replaced")
    rose = [change for change in changes if change.direction == "rose"]
    fell = [change for change in changes if change.direction == "fell"]
    rose = sorted(rose, key=lambda c: (not (gained and c.came), -c.difference))[:MOST]
    fell = sorted(fell, key=lambda c: (not (lost and c.came), c.difference))[:MOST]
    parts = [_move(change) for change in ((*fell, *rose) if verdict == "lost" else (*rose, *fell))]
    first, *rest = parts or ["the shares of its senses differ beyond chance"]
    return [
        f"{VERDICTS[verdict]}: {first}.", *(f"{part[:1].upper()}{part[1:]}." for part in rest)
    ]  # fmt: skip


def _move(change: Change) -> str:
    old, new = (percent(share) for share in change.shares)
    verb = "rose" if change.difference > 0 else "fell"
    move = f"{isolated(change.name)} {verb} from {old} to {new}"
    if change.capitals is None:
        return move
    found, known = change.capitals
    return f"{move} (a name? {found:,} of {known:,} with a capital)"


def _none(head: str, changes: Sequence[Change]) -> str:
    if len(changes) < 2:
        return f"{head}: its usages were not told apart into senses."
    differ = [change for change in changes if beyond_chance(change.p, change.q)]
    if any(_far(change.shares) for change in differ):
        return f"{head}: what differs beyond chance rests on too few documents to be told."
    if differ:
        return f"{head}: what differs beyond chance differs by too little to be told."
    return f"{head}: no sense's share differs by more than chance has it."


def _scope(row: Mapping[str, Any]) -> list[str]:
    """Broadened or narrowed, only where the interval of the entropies' difference excludes 0.

    A sense that was taken for several has entropy of its own: where senses were induced, usages
    must lie surely farther apart as well, or nearer.
    """
    if row.get("verdict") not in CHANGED:
        return []
    names = ["scope"] if row.get("spread") is None else ["scope", "spread"]
    ways = {_way(row, name) for name in names}
    if ways == {"broadened"}:
        return ["Its meaning broadened: its usages are spread over more senses."]
    if ways == {"narrowed"}:
        return ["Its meaning narrowed: its usages are spread over fewer senses."]
    return []


def _way(row: Mapping[str, Any], name: str) -> Literal["broadened", "narrowed", ""]:
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    if low is None or high is None:
        return ""
    return "broadened" if low > 0 else "narrowed" if high < 0 else ""


def _drift(row: Mapping[str, Any]) -> list[str]:
    drift = row.get("drift_p")
    if drift is None:
        return []
    least = floor(round(100.0 * (1.0 - drift), 9)) / 100.0  # "more than" whole per cent
    return [f"It changed more than {percent(least)} of comparable words."] if least else []


def _documents(row: Mapping[str, Any]) -> list[str]:
    """A warning where one document carries a word."""
    parts = [
        f"{percent(share)} of its {side} usages"
        for side in ("old", "new")
        if (share := row.get(f"{side}_largest_document")) is not None and share >= HEAVY
    ]
    return [f"Mind that one document has {' and one '.join(parts)}."] if parts else []


def _caution(row: Mapping[str, Any]) -> list[str]:
    """What makes its certainty less than it seems."""
    caution = row.get("caution")
    return [f"{caution[:1].upper()}{caution[1:]}."] if caution else []


def isolated(name: str) -> str:
    """A name in quotation marks, whichever way its script runs."""
    return f"‘{OPEN}{name}{CLOSE}’"
