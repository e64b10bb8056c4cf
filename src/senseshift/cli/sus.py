"""``senseshift sus`` and ``senseshift measures``: one word from two files of vectors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from senseshift.cli.inputs import listed
from senseshift.cli.options import Lam, Rho, Weights

if TYPE_CHECKING:
    from rich.console import Console

    from senseshift.measures import Comparison
    from senseshift.shift import Shift

BAR_WIDTH = 16


def sus_command(
    old: Annotated[Path, typer.Argument(help="Vectors of the old usages: .npy, .csv or .tsv.")],
    new: Annotated[Path, typer.Argument(help="Vectors of the new usages.")],
    rho: Rho = None,
    lam: Lam = None,
    weights: Weights = "uniform",
    measures: Annotated[
        str, typer.Option(help="Word measures to print: names with commas, or all.")
    ] = "f_SUS,g_SUS,f_APD,f_OT",
    top: Annotated[int, typer.Option(min=0, help="How many usages to show at either end.")] = 5,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write every usage's SUS to this CSV.")
    ] = None,
) -> None:
    """Score every usage of one word from two files of vectors."""
    from rich.console import Console

    from senseshift.measures import WORD, Comparison, measure
    from senseshift.measures.registry import chosen
    from senseshift.shift import Shift
    from senseshift.vectors import read_matrix

    names = [m.name for m in chosen(WORD, None if measures == "all" else listed(measures))]
    word = Comparison(read_matrix(old), read_matrix(new), rho=rho, lam=lam, weights=weights)  # type: ignore[arg-type]
    values = measure(word, names)
    shift = Shift(*word.sus, word.transport)
    console = Console()
    print_shift(shift, top, console)
    print_measures(values, console)
    if output:
        write_scores(output, word)
        print(f"{shift.old.size + shift.new.size} usages written to {output}")


def measures_command() -> None:
    """List all measures: name, symbol, kind, level, what they need and say."""
    from rich.console import Console
    from rich.table import Table

    from senseshift.measures import every_measure

    table = Table("name", "symbol", "kind", "level", "needs", "which is", box=None, pad_edge=False)
    for m in every_measure().values():
        table.add_row(m.name, m.symbol, m.kind, m.level, m.needs, m.says)
    Console().print(table)


def print_shift(shift: Shift, count: int, console: Console) -> None:
    """Print a shift and its usages at either end, with a bar for each."""
    import numpy as np
    from rich.table import Table
    from rich.text import Text

    from senseshift.formats import signed

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
            sus = signed(usage.sus, 4, minus="-")
            table.add_row(label, usage.period, str(usage.index), sus, cell)
            label = ""
    console.print()
    console.print(table)


def print_measures(values: Mapping[str, float], console: Console) -> None:
    """Print word-level measures, a row for each."""
    from rich.table import Table

    from senseshift.formats import number
    from senseshift.measures import WORD

    says = {m.name: m.says for m in WORD}
    table = Table(box=None, pad_edge=False)
    table.add_column("measure")
    table.add_column("value", justify="right")
    table.add_column("which is")
    for name, value in values.items():
        table.add_row(name, number(value), says[name])
    console.print()
    console.print(table)


def write_scores(path: Path, word: Comparison) -> None:
    """Write the SUS of every usage as CSV."""
    from senseshift.writing import written_whole

    lines = ["period,usage,sus"]
    for period, sus in zip(("old", "new"), word.sus, strict=True):
        lines += [f"{period},{i},{float(score)!r}" for i, score in enumerate(sus)]
    with written_whole(path) as file:
        file.write("\n".join([*lines, ""]).encode())
