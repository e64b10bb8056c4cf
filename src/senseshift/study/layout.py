"""How a study looks: in a terminal, in a notebook, as LaTeX and as files."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import polars as pl
from rich.table import Table
from rich.text import Text

from senseshift.errors import InputError
from senseshift.tables import written
from senseshift.writing import written_whole

if TYPE_CHECKING:
    from senseshift.study.study import Study

WIDTH = 100
SHOWN = 50  # words in a printed table
AROUND = 40  # characters of context on either side of a target
MEASURE_WIDTH = 11  # of a column with a measure
MARK = "**"  # about the target, in plain text

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "–": "--",
    "…": r"\dots{}", "λ": r"$\lambda$",
    "[": "{[}", "*": "{*}",  # at the start of a row they would be read with what is before it
}  # fmt: skip


def in_context(text: str, start: int, end: int, around: int = AROUND) -> tuple[str, str, str]:
    """A target between as much of its context as fits in a table, white space folded.

    >>> in_context("a team with the third-worst record of them all", 28, 34, around=12)
    ('… third-worst ', 'record', ' of them all')
    """
    left, right = text[:start], text[end:]
    if len(left) > around:  # cut at a space, unless one long word is all there is
        left = left[-around:]
        left = "… " + (left.split(" ", 1)[1] if " " in left.strip() else left)
    if len(right) > around:
        right = right[:around]
        right = (right.rsplit(" ", 1)[0] if " " in right.strip() else right) + " …"
    before, target, after = (re.sub(r"\s+", " ", part) for part in (left, text[start:end], right))
    return before.lstrip(), target, after.rstrip()


def examples(usages: pl.DataFrame) -> pl.DataFrame:
    """Usages in the layout of the paper: period, context with the target marked, sense, SUS."""
    contexts = [
        f"{left}{MARK}{target}{MARK}{right}"
        for left, target, right in map(_parts, usages.iter_rows(named=True))
    ]
    sense = usages["sense"] if "sense" in usages.columns else [None] * usages.height
    return pl.DataFrame(
        {"period": usages["period"], "context": contexts, "sense": sense, "SUS": usages["sus"]},
        schema_overrides={"sense": pl.String},
    )


def examples_table(study: Study, word: str, count: int) -> Table:
    """The top and bottom usages of a word as a table for the terminal."""
    usages = study.usages_of(word)
    count = min(count, usages.height)
    table = Table("", "period", "context", "sense", "SUS", title=word, box=None, pad_edge=False)
    table.columns[4].justify = "right"
    for label, rows in (("top", usages.head(count)), ("bottom", usages.tail(count))):
        for row in rows.iter_rows(named=True):
            left, target, right = _parts(row)
            context = Text.assemble(left, (target, "bold"), right)
            table.add_row(
                label, row["period"], context, row.get("sense") or "–", f"{row['sus']:+.3f}"
            )
            label = ""
    return table


def _parts(row: dict[str, Any]) -> tuple[str, str, str]:
    return in_context(row["text"], row["start"], row["end"])


def words_table(study: Study, width: int = WIDTH) -> Table:
    """The words as a table for the terminal, the most changed first; as many measures as fit."""
    shown = study.ranked.head(SHOWN)
    table = Table(box=None, pad_edge=False)
    several = len(study.about["pairs"]) > 1
    rows = []
    for row in shown.iter_rows(named=True):
        periods = [f"{row['old']} → {row['new']}"] if several else []
        rows.append([row["word"], *periods, f"{row['old_usages']}+{row['new_usages']}"])
    heads = ["word", *(["periods"] if several else []), "usages"]
    room = width - sum(
        2 + max(len(cell) for cell in column)
        for column in zip(heads, *rows, strict=True)
    )  # fmt: skip
    names = _most_asked(_columns(study))[: max(room // MEASURE_WIDTH, 1)]
    for k, head in enumerate([*heads, *names]):
        table.add_column(head, justify="left" if k == 0 else "right", no_wrap=True)
    for cells, row in zip(rows, shown.iter_rows(named=True), strict=True):
        table.add_row(*cells, *(written(row[name]) for name in names))
    return table


def _columns(study: Study) -> list[str]:
    """The columns of figures that say how a word changed."""
    return [*study.measures, *(["p_value"] if "p_value" in study.words.columns else [])]


def _most_asked(names: list[str]) -> list[str]:
    """Measures in the order in which they are shown where not all can be."""
    first = ["f_SUS", "p_value", "g_SUS", "f_APD", "f_WiDiD", "g_vMF", "f_OT", "g_WiDiD", "f_LDR"]
    return [n for n in first if n in names] + [n for n in names if n not in first]


def title(study: Study) -> str:
    """What the study is of."""
    count = study.ranked.height
    periods = " → ".join(study.about["periods"])
    return f"{count} word{'s' * (count != 1)}, {study.about['usages']:,} usages, {periods}"


def caption(study: Study) -> str:
    """What else must be said under the table."""
    ranked, notes = study.ranked, []
    if ranked.height > SHOWN:
        notes.append(f"{ranked.height - SHOWN} more words in .words")
    uncertified = ranked.filter(~pl.col("certified")).height if ranked.height else 0
    notes.append(
        f"{uncertified} of {ranked.height} NOT certified"
        if uncertified
        else f"all certified, SUS error ≤ {max(ranked['sus_error'], default=0.0):.0e}"
    )
    notes += [f"skipped {word}: {reason}" for word, reason in list(study.skipped.items())[:5]]
    if len(study.skipped) > 5:
        notes.append(f"{len(study.skipped) - 5} more skipped, see .skipped")
    if not study.complete:
        notes.append("UNFINISHED: resume it to measure the other words")
    return "\n".join(notes)


def words_html(study: Study) -> str:
    """The words as an HTML table for a notebook."""
    names = ["word", "old", "new", "old_usages", "new_usages", *_columns(study)]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = ""
    for row in study.ranked.head(SHOWN).select(names).iter_rows():
        cells = (written(cell) if isinstance(cell, float) else str(cell) for cell in row)
        body += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    notes = "".join(f"<p>{escape(line)}</p>" for line in caption(study).splitlines())
    return f"<table><caption>{escape(title(study))}</caption><tr>{head}</tr>{body}</table>{notes}"


def write(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the format that the file's name tells."""
    writers: dict[str, Callable[[BinaryIO], object]] = {
        ".csv": lambda file: table.write_csv(file),
        ".tsv": lambda file: table.write_csv(file, separator="\t"),
        ".parquet": lambda file: table.write_parquet(file),
        ".tex": lambda file: file.write(latex(table).encode()),
    }
    if path.suffix.lower() not in writers:
        raise InputError(f"{path} cannot be written: give one of {', '.join(writers)}.")
    with written_whole(path) as file:
        writers[path.suffix.lower()](file)


def latex(table: pl.DataFrame) -> str:
    """A table in LaTeX, for the package booktabs."""
    numbers = [kind.is_numeric() for kind in table.dtypes]
    lines = [
        rf"\begin{{tabular}}{{{''.join('r' if number else 'l' for number in numbers)}}}",
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
    return tex_text(written(value) if isinstance(value, float) else str(value))


def tex_text(text: str) -> str:
    """Any text as LaTeX shows it.

    >>> print(tex_text("50 % of a_b"))
    50 \\% of a\\_b
    """
    return "".join(LATEX.get(character, character) for character in text)
