"""The usages of a word one below the other, the word in the middle of its context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from unicodedata import bidirectional

import numpy as np
import polars as pl

from senseshift.colours import DIVERGING, Scale
from senseshift.errors import InputError
from senseshift.formats import NOTHING, signed
from senseshift.study.contexts import in_context
from senseshift.study.word_view import WordView

AROUND = 60  # characters on either side
SHOWN = 1_000
CELL = "padding:1px 6px;white-space:nowrap;"


@dataclass(frozen=True, eq=False)
class Concordance:
    """Usages in context: a table in a notebook, lines of text elsewhere.

    ``usages`` are the rows that are shown, of ``total``.
    """

    word: str
    usages: pl.DataFrame
    total: int
    scale: Scale

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for usage in self.usages.iter_rows(named=True):
            before, target, after = in_context(usage["text"], usage["start"], usage["end"], AROUND)
            rows.append(usage | {"before": before, "target": target, "after": after})
        return rows

    def __str__(self) -> str:
        lines = [f"{self.word}: {self.usages.height:,} of {self.total:,} usages"]
        for row in self._rows():
            sus = signed(row["sus"], minus="-")
            before = f"{row['before'][-AROUND:]:>{AROUND}}"
            lines.append(f"{sus}  {row['period']}  {before}[{row['target']}]{row['after']}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        names = [n for n in ("date", "source", "sense") if n in self.usages.columns]
        heads = ["SUS", "period", *names, "", self.word, ""]
        head = "".join(f"<th style='{CELL}'>{escape(name)}</th>" for name in heads)
        body = "".join(self._html_row(row, names) for row in self._rows())
        direction = "rtl" if _runs_leftwards(self.usages) else "ltr"
        caption = escape(f"{self.word}: {self.usages.height:,} of {self.total:,} usages")
        return (
            "<div style='max-height:32em;overflow:auto'>"
            f"<table dir='{direction}' style='border-collapse:collapse;font-size:90%'>"
            f"<caption>{caption}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>"
        )

    def _html_row(self, row: dict[str, Any], names: Sequence[str]) -> str:
        fill = _colour(row["sus"], self.scale)
        ink = "#ffffff" if fill in (DIVERGING[0], DIVERGING[-1]) else "#000000"
        sus = signed(row["sus"])
        cells = [f"<td style='{CELL}background:{fill};color:{ink};text-align:end'>{sus}</td>"]
        for name in ("period", *names):
            value = NOTHING if row[name] is None else str(row[name])
            cells.append(f"<td style='{CELL}text-align:start'>{escape(value)}</td>")
        for name, style in (("before", "end"), ("target", "center"), ("after", "start")):
            text = escape(row[name])
            text = f"<b>{text}</b>" if name == "target" else text
            cells.append(f"<td style='{CELL}text-align:{style}'>{text}</td>")
        return f"<tr>{''.join(cells)}</tr>"


def concordance(
    view: WordView, by: str = "sus", *, descending: bool | None = None, count: int = SHOWN
) -> Concordance:
    """The usages of a word in an order; SUS begins with what rose most, the rest with the least."""
    if by not in view.usages.columns:
        raise InputError(
            f"The usages of {view.word!r} have no {by!r} to order by; "
            f"there are {', '.join(view.usages.columns)}."
        )
    down = by == "sus" if descending is None else descending
    keys = pl.col("period") == view.new if by == "period" else pl.col(by)
    rows = view.usages.sort(keys, descending=down, nulls_last=True, maintain_order=True)
    return Concordance(view.word, rows.head(count), view.usages.height, Scale.over([view.sus]))


def _colour(sus: float, scale: Scale) -> str:
    """One of a few shades, which is enough for the eye and keeps the page small."""
    if abs(sus) <= scale.low:
        return "#ffffff"
    share = min((abs(sus) - scale.low) / (scale.high - scale.low), 1.0)
    step = int(np.ceil(4 * share))
    return DIVERGING[4 - step] if sus < 0 else DIVERGING[5 + step]


def _runs_leftwards(usages: pl.DataFrame) -> bool:
    """Whether the words are of a script that is written from right to left."""
    targets = (text[a:b] for text, a, b in usages.select("text", "start", "end").iter_rows())
    sides = [bidirectional(letter) for target in targets for letter in target[:1]]
    return sum(side in ("R", "AL") for side in sides) * 2 > len(sides)
