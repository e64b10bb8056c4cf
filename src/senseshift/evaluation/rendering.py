"""Tables as they are printed in a terminal and written as CSV, LaTeX and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table as Grid
from rich.text import Text

from senseshift.evaluation.cells import (
    DIGITS,
    Cell,
    Column,
    Context,
    Method,
    Number,
    Repeated,
    Table,
)
from senseshift.evaluation.protocol import Parameter
from senseshift.study.contexts import in_context
from senseshift.study.exporting import tex_text
from senseshift.study.printing import WIDTH
from senseshift.writing import written_whole

NONE = "–"


def symbol(method: str) -> str:
    """A method's name for the terminal: ``τ_SUS``."""
    return method.replace("tau_", "τ_")


def tex_symbol(method: str) -> str:
    r"""A method's name in LaTeX.

    >>> print(tex_symbol("tau_SUS"), tex_symbol("f_1"), tex_symbol("change"))
    $\tau_{\mathrm{SUS}}$ $f_{1}$ change
    """
    letter, _, index = method.partition("_")
    if not index:
        return tex_text(method)
    letter = r"\tau" if letter == "tau" else letter
    return f"${letter}_{{{index}}}$" if index.isdecimal() else rf"${letter}_{{\mathrm{{{index}}}}}$"


def written(parameter: Parameter) -> str:
    """A hyper-parameter as text: ``100``, or ``(10, 0.8)`` for λ and r."""
    if isinstance(parameter, tuple):
        return f"({', '.join(f'{value:g}' for value in parameter)})"
    return NONE if parameter is None else f"{parameter:g}"


def in_terminal(table: Table, width: int = WIDTH) -> Iterator[Text | Grid]:
    """A table and its notes for a terminal of some width."""
    yield Text(table.title, style="bold")
    if table.rows:
        around = _room(table, width)
        grid = Grid(box=None, pad_edge=False)
        for column in table.columns:
            grid.add_column(column.head, justify="right" if column.right else "left")
        for place, row in enumerate(table.rows):
            if place in table.breaks:
                grid.add_row()
            grid.add_row(*(_shown(cell, around) for cell in row))
        yield grid
    for note in table.notes:
        yield Text(note, style="dim")


def _room(table: Table, width: int) -> int:
    """How many characters of context on either side leave a usage in one line."""
    taken, target = 0, 0
    for column, *cells in zip(table.columns, *table.rows, strict=True):
        if contexts := [cell for cell in cells if isinstance(cell, Context)]:
            target = max(len(context.target) for context in contexts)
        else:
            widths = (_shown(cell, 0).cell_len for cell in cells)
            taken += max(len(column.head), *widths) + 2
    return max((width - taken - target) // 2 - 2, 8)  # and an ellipsis


def _shown(cell: Cell, around: int) -> Text:
    if isinstance(cell, Context):
        start = len(cell.left)
        left, target, right = in_context("".join(cell), start, start + len(cell.target), around)
        return Text.assemble(left, (target, "bold"), right)
    if isinstance(cell, Number):
        spread = f" ± {cell.spread:.{DIGITS}f}" if _has_spread(cell) else ""
        style = "dim" if cell.published else "bold" if cell.best else ""
        return Text.assemble((_written(cell), style), spread + _selected(cell))
    if isinstance(cell, Repeated):
        return Text()
    return Text(symbol(cell) if isinstance(cell, Method) else cell)


def _written(number: Number) -> str:
    if number.rounded is None:
        return NONE
    if number.whole:
        return f"{number.rounded:.0f}"
    return f"{number.rounded:{'+' if number.signed else ''}.{DIGITS}f}"


def _has_spread(number: Number) -> bool:
    return number.spread is not None and number.rounded is not None


def _selected(number: Number) -> str:
    if not number.shows_selected or number.selected is None:
        return ""
    is_pair = isinstance(number.selected, tuple)
    return f" {written(number.selected)}" if is_pair else f" ({written(number.selected)})"


def as_csv(table: Table) -> str:
    """With full precision; the spread of a number is a column of its own."""
    records = table.records()
    if not records:
        return ",".join(column.key for column in table.columns) + "\n"
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


def as_json(table: Table) -> str:
    """The same with the title and the notes."""
    whole = {
        "table": table.name,
        "title": table.title,
        "rows": table.records(),
        "notes": list(table.notes),
    }
    return json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def as_latex(table: Table) -> str:
    """For the package booktabs; titles and notes are comments."""
    lines = [f"% {line}" for line in (table.title, *table.notes)]
    kinds = "".join("r" if column.right else "l" for column in table.columns)
    lines += [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule"]
    lines += [" & ".join(map(_tex_head, table.columns)) + r" \\", r"\midrule"]
    for place, row in enumerate(table.rows):
        if place in table.breaks:
            lines.append(r"\midrule")
        lines.append(" & ".join(map(_tex, row)) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _tex_head(column: Column) -> str:
    return tex_text(column.head) if column.tex is None else column.tex


def _tex(cell: Cell) -> str:
    if isinstance(cell, Context):
        left, target, right = map(tex_text, cell)
        return rf"{left}\textbf{{\textit{{{target}}}}}{right}"
    if isinstance(cell, Number):
        written = "--" if cell.rounded is None else _written(cell).replace("-", "$-$")
        spread = rf" {{\footnotesize $\pm$ {cell.spread:.{DIGITS}f}}}" if _has_spread(cell) else ""
        return (rf"\textbf{{{written}}}" if cell.best else written) + spread + _selected(cell)
    if isinstance(cell, Repeated):
        return ""
    if isinstance(cell, Method):
        return tex_symbol(cell)
    return tex_text(cell)


def write_table(table: Table, folder: Path) -> None:
    """As ``.csv``, ``.tex`` and ``.json``."""
    for suffix, text in ((".csv", as_csv), (".tex", as_latex), (".json", as_json)):
        with written_whole(folder / f"{table.stem}{suffix}") as file:
            file.write(text(table).encode())
