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

from senseshift.errors import InputError
from senseshift.usages.check import PLACE, SPAN, Origin
from senseshift.usages.problems import Problems, decode
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
    words = sorted(path for path in data.iterdir() if path.is_dir()) if data.is_dir() else []
    found = [(word, uses) for word in words if (uses := _file(word, "uses")) is not None]
    if not found:
        raise InputError(
            f"{folder}: expected word usage graphs in data/<lemma>/uses.csv (or .tsv), found none."
        )
    senses = _clustering(folder / "clusters", clusters)
    result: list[tuple[pl.DataFrame, Origin]] = []
    folders: dict[str, Path] = {}
    for word, uses in found:
        name = normalize("NFC", word.name)
        table, origin = frame(decode(uses.read_bytes(), str(uses), problems), str(uses), problems)
        table = _one_word(table, origin, name, problems)
        if name in senses:
            table = _with_senses(table, senses[name], problems)
        lemma = table["lemma"][0] if table.height else name
        if (other := folders.setdefault(lemma, uses)) != uses:
            raise InputError(f"{uses}: the word {lemma!r} is in {other} too: keep one of them.")
        result.append((table, origin))
    return result


def _clustering(folder: Path, method: str) -> dict[str, Path]:
    """The file of every word's senses; none where usages were not clustered."""
    chosen = folder / method
    if not chosen.is_dir() and folder.is_dir():
        others = sorted(path.name for path in folder.iterdir() if path.is_dir())
        if others or method != "opt":
            raise InputError(
                f"{folder}: expected the clustering {method!r}, found "
                f"{', '.join(others) or 'none with a name'}: choose one with clusters=…"
            )
        chosen = folder  # NorDiaChange has one clustering and no folder for it
    # Where a word has both, .csv comes first, so .tsv must not replace it.
    return {normalize("NFC", path.stem): path for path in reversed(_tables(chosen))}


def frame(text: str, name: str, problems: Problems) -> tuple[pl.DataFrame, Origin]:
    """One ``uses.csv`` with its own column names, and how to name a row of it."""
    origin = Origin(name, "line", _NAMES)
    table = _table(text, origin, NEEDED, problems)
    kept = [column for column in (*NEEDED, "date", "source") if column in table.columns]
    return table.select(*kept, PLACE), origin


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
            f"expected usages of one word under one folder, {expected!r}, found {row['lemma']!r}",
        )
    return table.filter(pl.col("lemma") == expected)


def _with_senses(table: pl.DataFrame, path: Path, problems: Problems) -> pl.DataFrame:
    """Senses joined by identifier: the rows of the two files need not be in the same order."""
    origin = Origin(str(path), "line")
    senses = _table(
        decode(path.read_bytes(), str(path), problems), origin, ("identifier", "cluster"), problems
    )
    key = pl.col("identifier").str.normalize("NFC").alias("#key")
    senses = senses.select(
        key, pl.col("cluster").str.strip_chars().replace(NO_SENSE, None).alias("sense"), PLACE
    )
    for row in senses.filter(~pl.col("#key").is_first_distinct()).iter_rows(named=True):
        problems.broken(
            origin.at(row[PLACE], "identifier"),
            f"expected one sense for each usage, found {row['#key']!r} again",
        )
    senses = senses.drop(PLACE).unique("#key", keep="first", maintain_order=True)
    joined = table.with_columns(key).join(senses, on="#key", how="left", maintain_order="left")
    return joined.drop("#key")


def _table(text: str, origin: Origin, needed: tuple[str, ...], problems: Problems) -> pl.DataFrame:
    header, *lines = text.replace("\r\n", "\n").split("\n")
    names = [name.strip() for name in header.split("\t")]
    if missing := [name for name in needed if name not in names]:
        raise InputError(
            f"{origin.at(1)}: the column{'s' * (len(missing) > 1)} {', '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} missing; expected {', '.join(needed)} "
            f"separated by tabs, found {', '.join(names)}."
        )
    rows = list(_rows(lines, len(names), origin, problems))
    data = {name: [row[k] for _, row in rows] for k, name in enumerate(names)}
    table = pl.DataFrame(data, schema=dict.fromkeys(names, pl.String))
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
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)


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
    """Usages with the columns and in the order that tools for annotation expect."""
    blank = pl.lit(" ")
    date = pl.col("date").fill_null(" ") if "date" in table.columns else blank
    length = pl.col("text").str.len_chars()
    return table.select(
        pl.col("word").alias("lemma"),
        blank.alias("pos"),
        date.alias("date"),
        pl.col("period").alias("grouping"),
        pl.col("id").alias("identifier"),
        blank.alias("description"),
        pl.col("text").alias("context"),
        pl.format("{}:{}", "start", "end").alias(SPAN),
        pl.format("0:{}", length).alias("indexes_target_sentence"),
        *(pl.col(name).fill_null(" ") for name in ("source",) if name in table.columns),
    )


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
