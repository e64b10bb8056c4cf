"""Results as tables: printed in a terminal, written to a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from senseshift.measures import REGISTRY, WORD, Comparison
from senseshift.shift import Shift
from senseshift.writing import written_whole

BAR_WIDTH = 16


def print_shift(shift: Shift, count: int, console: Console | None = None) -> None:
    """Print a shift and its usages at either end, with a bar for each."""
    console = console or Console()
    console.print(str(shift), markup=False, highlight=False)
    if not count:
        return
    largest = max(float(np.abs(shift.old).max()), float(np.abs(shift.new).max())) or 1.0
    table = Table("", "period", "usage", "SUS", "fell ◂ ▸ rose", box=None, pad_edge=False)
    table.columns[2].justify = table.columns[3].justify = "right"
    count = min(count, shift.old.size + shift.new.size)
    for label, usages in (("top", shift.top(count)), ("bottom", shift.bottom(count))):
        for usage in usages:
            length = round(BAR_WIDTH * abs(usage.sus) / largest)
            bar = "█" * length
            cell = Text(" " * BAR_WIDTH + "│" + bar, style="red")
            if usage.sus < 0:
                cell = Text(" " * (BAR_WIDTH - length) + bar + "│", style="blue")
            table.add_row(label, usage.period, str(usage.index), f"{usage.sus:+.4f}", cell)
            label = ""
    console.print()
    console.print(table)


def print_measures(
    words: Mapping[str, Mapping[str, float]],
    sort_by: str | None = None,
    console: Console | None = None,
) -> None:
    """Print word-level measures, a row for each word and a column for each measure.

    One word alone is printed with a row for each measure.
    """
    console = console or Console()
    table = Table(box=None, pad_edge=False)
    if len(words) == 1:
        says = {m.name: m.says for m in WORD}
        table.add_column("measure")
        table.add_column("value", justify="right")
        table.add_column("which is")
        for name, value in next(iter(words.values())).items():
            table.add_row(name, written(value), says[name])
        console.print()
    else:
        rows = list(words.items())
        if sort_by:
            rows.sort(key=lambda row: -row[1][sort_by])
        table.add_column("word", no_wrap=True)
        for name in rows[0][1]:
            table.add_column(name, justify="right", no_wrap=True)
        for word, values in rows:
            table.add_row(word, *map(written, values.values()))
    console.print(table)


def print_registry(console: Console | None = None) -> None:
    """Print the list of all measures."""
    table = Table("name", "symbol", "kind", "level", "needs", "which is", box=None, pad_edge=False)
    for m in REGISTRY.values():
        table.add_row(m.name, m.symbol, m.kind, m.level, m.needs, m.says)
    (console or Console()).print(table)


def write_scores(path: Path, word: Comparison) -> None:
    """Write the SUS of every usage as CSV."""
    lines = ["period,usage,sus"]
    for period, sus in zip(("old", "new"), word.sus, strict=True):
        lines += [f"{period},{i},{float(score)!r}" for i, score in enumerate(sus)]
    with written_whole(path) as file:
        file.write("\n".join([*lines, ""]).encode())


def written(value: float) -> str:
    """A number for a table; a dash for what can't be known."""
    if np.isnan(value):
        return "–"
    plain = value == 0.0 or 5e-5 <= abs(value) < 1000
    return f"{value:.4f}" if plain else f"{value:.3g}"
