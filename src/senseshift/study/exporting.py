"""Tables of a study as files: CSV, TSV, Parquet, and LaTeX for a paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from senseshift.errors import InputError
from senseshift.formats import number
from senseshift.writing import written_whole

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "–": "--",
    "…": r"\dots{}", "λ": r"$\lambda$",
    "[": "{[}", "*": "{*}",  # at the start of a row they would be read with what is before it
}  # fmt: skip

WRITERS: dict[str, Callable[[pl.DataFrame, BinaryIO], object]] = {
    ".csv": lambda table, file: table.write_csv(file),
    ".tsv": lambda table, file: table.write_csv(file, separator="\t"),
    ".parquet": lambda table, file: table.write_parquet(file),
    ".tex": lambda table, file: file.write(latex(table).encode()),
}


def check_export(path: Path) -> None:
    """Say at once if the name of a file does not tell how to write it."""
    if path.suffix.lower() not in WRITERS:
        raise InputError(f"{path} cannot be written: give one of {', '.join(WRITERS)}.")


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the format that the file's name tells."""
    check_export(path)
    with written_whole(path) as file:
        WRITERS[path.suffix.lower()](table, file)


def latex(table: pl.DataFrame) -> str:
    """A table in LaTeX, for the package booktabs."""
    numbers = [kind.is_numeric() for kind in table.dtypes]
    lines = [
        rf"\begin{{tabular}}{{{''.join('r' if one else 'l' for one in numbers)}}}",
        r"\toprule",
        " & ".join(map(_tex, table.columns)) + r" \\",
        r"\midrule",
        *(" & ".join(map(_tex, row)) + r" \\" for row in table.iter_rows()),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _tex(value: Any) -> str:
    if value is None:
        return "--"
    return tex_text(number(value) if isinstance(value, float) else str(value))


def tex_text(text: str) -> str:
    """Any text as LaTeX shows it.

    >>> print(tex_text("50 % of a_b"))
    50 \\% of a\\_b
    """
    return "".join(LATEX.get(character, character) for character in text)
