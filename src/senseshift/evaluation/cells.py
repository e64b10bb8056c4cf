"""A table: numbers with their spread, the best marked, and what must be said below it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from senseshift.evaluation.protocol import Parameter

DIGITS = 2  # as in the paper


class Method(str):
    """The name of a method, which is shown as a symbol."""

    __slots__ = ()


class Repeated(str):
    """What stands a row above already: in files it is written again, elsewhere left out."""

    __slots__ = ()


class Context(NamedTuple):
    """A target and what is around it."""

    left: str
    target: str
    right: str


@dataclass(frozen=True)
class Number:
    """A number and whose it is; ``None`` where there is none, and the table says why.

    Attributes
    ----------
    method, column
        The paper's names as ASCII, such as ``tau_SUS`` and ``instance``.
    value, spread
        The mean and the standard deviation over splits, or a number without spread.
    selected
        The hyper-parameter that was chosen, most often or for this number.
    shows_selected
        Whether it stands in parentheses behind the number.
    signed
        Whether a plus is written.
    whole
        Whether it is a count.
    published
        Whether it is the paper's, not ours.
    best
        Whether none in its column, or row, is better.
    """

    method: str
    column: str
    value: float | None
    spread: float | None = None
    selected: Parameter = None
    shows_selected: bool = False
    signed: bool = False
    whole: bool = False
    published: bool = False
    best: bool = False

    @property
    def rounded(self) -> float | None:
        """As it is printed; what is rounded to zero has no sign."""
        if self.value is None or not math.isfinite(self.value):
            return None
        return round(self.value, DIGITS) + 0.0

    def record(self, table: str) -> dict[str, Any]:
        """Its entry in ``tables.json``."""
        return {
            "table": table,
            "method": self.method,
            "column": f"published_{self.column}" if self.published else self.column,
            "value": None if self.rounded is None else self.value,
            "spread": self.spread,
            "selected": _plain(self.selected),
        }


def _plain(parameter: Parameter) -> int | float | list[int | float] | None:
    """For JSON: λ and r as a list, whole numbers as such."""
    if isinstance(parameter, tuple):
        return [_whole(value) for value in parameter]
    return None if parameter is None else _whole(parameter)


def _whole(value: float) -> int | float:
    return int(value) if value == int(value) else value


Cell = str | Context | Number


@dataclass(frozen=True)
class Column:
    """What stands over a column in a terminal, in LaTeX and in files."""

    head: str
    key: str
    tex: str | None = None
    right: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of cells.

    ``breaks`` are the places of rows before which a rule is drawn; ``unprinted`` are numbers that
    belong to the table but are in ``tables.json`` only.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()
    breaks: frozenset[int] = frozenset()
    unprinted: Sequence[Number] = ()

    @property
    def stem(self) -> str:
        """What its files are called."""
        return f"table{self.name}" if self.name.isdecimal() else self.name

    @property
    def numbers(self) -> list[dict[str, Any]]:
        """The entries of all its numbers in ``tables.json``."""
        printed = [cell for row in self.rows for cell in row if isinstance(cell, Number)]
        return [number.record(self.name) for number in (*printed, *self.unprinted)]

    def with_best(self, by: Literal["column", "row"] = "column") -> Table:
        """With the best of our numbers marked; printed alike, they are equally good."""
        lines = zip(*self.rows, strict=True) if by == "column" else self.rows
        marked = [_marked(line) for line in lines]
        rows = list(zip(*marked, strict=True)) if by == "column" else marked
        return replace(self, rows=rows)

    def records(self) -> list[dict[str, Any]]:
        """A flat mapping for each row: what CSV and JSON hold."""
        return [
            {k: v for column, cell in zip(self.columns, row, strict=True)
             for k, v in _fields(column.key, cell, self._shown(column)).items()}
            for row in self.rows
        ]  # fmt: skip

    def _shown(self, column: Column) -> set[str]:
        """Whether numbers of a column have a spread, or a selection, to show."""
        place = [other.key for other in self.columns].index(column.key)
        numbers = [cell for row in self.rows if isinstance(cell := row[place], Number)]
        shown = {"spread": any(number.spread is not None for number in numbers)}
        shown["selected"] = any(number.shows_selected for number in numbers)
        return {name for name, is_there in shown.items() if is_there}


def _marked(cells: Sequence[Cell]) -> list[Cell]:
    ours = [c for c in cells if isinstance(c, Number) and not (c.published or c.whole or c.signed)]
    best = max((c.rounded for c in ours if c.rounded is not None), default=None)
    return [
        replace(c, best=True) if c in ours and isinstance(c, Number) and c.rounded == best else c
        for c in cells
    ]


def _fields(key: str, cell: Cell, shown: set[str]) -> dict[str, Any]:
    if isinstance(cell, Context):
        return {key: f"{cell.left}**{cell.target}**{cell.right}"}
    if not isinstance(cell, Number):
        return {key: cell}
    fields = {key: cell.record("")["value"]}
    if "spread" in shown:
        fields[f"{key}_spread"] = cell.spread
    if "selected" in shown:
        fields[f"{key}_selected"] = _plain(cell.selected)
    return fields
