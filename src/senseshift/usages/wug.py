"""Word usage graphs: DWUG for English, German, Swedish, Spanish and Latin, and their relatives.

A folder holds ``data/<lemma>/uses.csv`` and, where usages were clustered into senses,
``clusters/<method>/<lemma>.csv``. Both are tables with TABs in which nothing is quoted: a double
quote is text. Some releases call the files ``.tsv``; names of files may be decomposed Unicode.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

import polars as pl

from senseshift.errors import InputError, shortened
from senseshift.reading import contents, printable
from senseshift.usages.problems import Problems, decode
from senseshift.usages.schema import PLACE, REQUIRED, SPAN, Origin, given, repeated_name
from senseshift.writing import file_names, folder_whole

SUFFIXES = (".csv", ".tsv")
NO_SENSE = "-1"
NEEDED = ("lemma", "grouping", "identifier", "context", SPAN)
_NAMES = (
    ("word", "lemma"),
    ("period", "grouping"),
    ("id", "identifier"),
    ("text", "context"),
    ("start", SPAN),
    ("end", SPAN),
)


def parts(folder: Path, clusters: str, problems: Problems) -> list[tuple[pl.DataFrame, Origin]]:
    """The usages of every word of a folder, with the senses of one clustering."""
    data = folder / "data"
    words = [path for path in _listed(data) if path.is_dir()]
    found = [(word, uses) for word in words if (uses := _file(word, "uses")) is not None]
    if not found:
        raise InputError(
            f"{printable(folder)}: expected word usage graphs in data/<lemma>/uses.csv (or .tsv), "
            "found none."
        )
    senses = _clustering(folder / "clusters", clusters)
    result: list[tuple[pl.DataFrame, Origin]] = []
    folders: dict[str, Path] = {}
    for word, uses in found:
        name, place = normalize("NFC", printable(word.name)), printable(uses)
        table, origin = frame(decode(contents(uses), place, problems), place, problems)
        table = _one_word(table, origin, name, problems)
        if name in senses:
            table = _with_senses(table, senses[name], problems)
        lemma = table["lemma"][0] if table.height else name
        if (other := folders.setdefault(lemma, uses)) != uses:
            raise InputError(
                f"{place}: the word {shortened(repr(lemma))} is in {printable(other)} too: "
                "keep one of them."
            )
        result.append((table, origin))
    return result


def _clustering(folder: Path, method: str) -> dict[str, Path]:
    """The file of every word's senses; none where usages were not clustered."""
    chosen = folder / method
    if not chosen.is_dir() and folder.is_dir():
        others = [printable(path.name) for path in _listed(folder) if path.is_dir()]
        if others or method != "opt":
            raise InputError(
                f"{printable(folder)}: expected the clustering {shortened(repr(method))}, found "
                f"{shortened(', '.join(others), 200) or 'none with a name'}: "
                "choose one with clusters=…"
            )
        chosen = folder  # NorDiaChange has one clustering and no folder for it
    # Where a word has both, .csv comes first, so .tsv must not replace it.
    return {normalize("NFC", printable(path.stem)): path for path in reversed(_tables(chosen))}


def frame(text: str, name: str, problems: Problems) -> tuple[pl.DataFrame, Origin]:
    """One ``uses.csv`` with its own column names, and how to name a row of it."""
    origin = Origin(name, "line", _NAMES)
    table = _table(text, origin, NEEDED, problems)
    table = table.drop(
        name for name in table.columns if name.startswith(("context_", "indexes_")) and name != SPAN
    )
    return _given(table, REQUIRED), origin


def _given(table: pl.DataFrame, reserved: tuple[str, ...]) -> pl.DataFrame:
    """The table with names of its own for columns that are called as others must be."""
    taken = set(table.columns)
    return table.rename({name: given(name, reserved, taken) for name in reserved}, strict=False)


def _one_word(table: pl.DataFrame, origin: Origin, name: str, problems: Problems) -> pl.DataFrame:
    """A folder is about one word; its first row says which, so that a folder may be renamed."""
    if not table.height:
        problems.missing[name] = f"no usages in {origin.name}"
        return table
    lemma = pl.col("lemma").str.strip_chars().str.normalize("NFC")
    table = table.with_columns(lemma)
    words = table["lemma"]
    expected = name if (words == name).any() else words[0]
    for row in table.filter(pl.col("lemma") != expected).iter_rows(named=True):
        problems.broken(
            origin.at(row[PLACE], "word"),
            f"expected usages of one word under one folder, {shortened(repr(expected))}, "
            f"found {shortened(repr(row['lemma']))}",
        )
    return table.filter(pl.col("lemma") == expected)


def _with_senses(table: pl.DataFrame, path: Path, problems: Problems) -> pl.DataFrame:
    """Senses joined by identifier: the rows of the two files need not be in the same order."""
    origin = Origin(printable(path), "line")
    text = decode(contents(path), origin.name, problems)
    senses = _table(text, origin, ("identifier", "cluster"), problems)
    key = pl.col("identifier").str.normalize("NFC").alias("#key")
    senses = senses.select(
        key, pl.col("cluster").str.strip_chars().replace(NO_SENSE, None).alias("sense"), PLACE
    )
    for row in senses.filter(~pl.col("#key").is_first_distinct()).iter_rows(named=True):
        problems.broken(
            origin.at(row[PLACE], "identifier"),
            f"expected one sense for each usage, found {shortened(repr(row['#key']))} again",
        )
    senses = senses.drop(PLACE).unique("#key", keep="first", maintain_order=True)
    table = _given(table, ("sense", "#key")).with_columns(key)
    joined = table.join(senses, on="#key", how="left", maintain_order="left")
    return joined.drop("#key")


def _table(text: str, origin: Origin, needed: tuple[str, ...], problems: Problems) -> pl.DataFrame:
    header, *lines = text.replace("\r\n", "\n").split("\n")
    names = [name.strip() for name in header.split("\t")]
    if repeated := repeated_name(names):
        raise InputError(f"{origin.at(1)}: {repeated}.")
    if missing := [name for name in needed if name not in names]:
        raise InputError(
            f"{origin.at(1)}: the column{'s' * (len(missing) > 1)} {', '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} missing; expected {', '.join(needed)} "
            f"separated by tabs, found {shortened(', '.join(names), 200)}."
        )
    rows = list(_rows(lines, len(names), origin, problems))
    data = {name: [row[k] for _, row in rows] for k, name in enumerate(names) if name}
    if PLACE in data:
        data[f"{PLACE}_given"] = data.pop(PLACE)
    table = pl.DataFrame(data, schema=dict.fromkeys(data, pl.String))
    return table.with_columns(pl.Series(PLACE, [number for number, _ in rows], dtype=pl.Int64))


def _rows(
    lines: list[str], width: int, origin: Origin, problems: Problems
) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, start=2):
        if not line:
            continue
        fields = line.split("\t")
        if len(fields) == width:
            yield number, fields
        else:
            problems.broken(
                origin.at(number), f"expected {width} fields as in the header, found {len(fields)}"
            )


def _file(folder: Path, stem: str) -> Path | None:
    return next((path for path in _tables(folder) if path.stem == stem), None)


def _tables(folder: Path) -> list[Path]:
    return [path for path in _listed(folder) if path.suffix in SUFFIXES]


def _listed(folder: Path) -> list[Path]:
    """What is in a folder, if it is one."""
    try:
        return sorted(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise InputError(f"{printable(folder)} cannot be read: {error.strerror}.") from None


def write(table: pl.DataFrame, folder: Path) -> None:
    """Write usages as a folder of word usage graphs, completely or not at all.

    Tabs and ends of lines, which the layout cannot hold, become spaces; a span stays where it is.
    """
    if not table.height:
        raise InputError(f"{folder} cannot be written: there are no usages to write.")
    names = file_names(table["word"].unique(maintain_order=True))
    uses, senses = _uses(table), _senses(table)
    with folder_whole(folder) as made:
        for (word,), rows in uses.group_by("lemma", maintain_order=True):
            place = made / "data" / names[str(word)]
            place.mkdir(parents=True)
            _write_table(rows, place / "uses.csv")
        for (word,), rows in senses.group_by("lemma", maintain_order=True):
            place = made / "clusters" / "opt"
            place.mkdir(parents=True, exist_ok=True)
            _write_table(rows.drop("lemma"), place / f"{names[str(word)]}.csv")


def _uses(table: pl.DataFrame) -> pl.DataFrame:
    """Usages with the columns and in the order that tools for annotation expect, then the rest."""

    def known(name: str) -> pl.Expr:
        return pl.col(name).fill_null(" ") if name in table.columns else pl.lit(" ").alias(name)

    layout = table.select(
        pl.col("word").alias("lemma"),
        known("pos"),
        known("date"),
        pl.col("period").alias("grouping"),
        pl.col("id").alias("identifier"),
        known("description"),
        pl.col("text").alias("context"),
        pl.format("{}:{}", "start", "end").alias(SPAN),
        pl.format("0:{}", pl.col("text").str.len_chars()).alias("indexes_target_sentence"),
    )
    rest = table.drop(*REQUIRED, "sense", "pos", "date", "description", strict=False)
    taken = {*layout.columns, *rest.columns}
    names = {name: given(name, layout.columns, taken) for name in rest.columns}
    return layout.hstack(rest.select(pl.all().fill_null(" ")).rename(names))


def _senses(table: pl.DataFrame) -> pl.DataFrame:
    if "sense" not in table.columns:
        return pl.DataFrame(schema=dict.fromkeys(("lemma", "identifier", "cluster"), pl.String))
    return table.select(
        pl.col("word").alias("lemma"),
        pl.col("id").alias("identifier"),
        pl.col("sense").fill_null(NO_SENSE).alias("cluster"),
    )


def _write_table(rows: pl.DataFrame, path: Path) -> None:
    cleaned = rows.with_columns(pl.all().str.replace_all(r"[\t\r\n]", " "))
    lines = ["\t".join(rows.columns), *("\t".join(row) for row in cleaned.iter_rows()), ""]
    path.write_bytes("\n".join(lines).encode())
