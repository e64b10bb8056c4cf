"""The schema of a table of usages, and the check that every row keeps it.

All rules run as polars expressions over whole columns; a row is looked at singly only to name it.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from senseshift.errors import InputError
from senseshift.usages.problems import Problems

REQUIRED = ("word", "period", "id", "text", "start", "end")
OPTIONAL = ("date", "source", "sense")
COLUMNS = REQUIRED + OPTIONAL

# What word usage graphs call the same columns.
ALIASES = {
    "lemma": "word",
    "grouping": "period",
    "identifier": "id",
    "context": "text",
    "cluster": "sense",
}
SPAN = "indexes_target_token"
# Where a row came from: the number of its line, kept while it is checked.
PLACE = "#place"


@dataclass(frozen=True)
class Origin:
    """Where rows came from, to name one of them.

    Attributes
    ----------
    name
        The file, or what stands for it.
    row
        What a row is called there: ``line`` or ``row``.
    columns
        What the file calls our columns, where that differs.
    """

    name: str
    row: str = "row"
    columns: tuple[tuple[str, str], ...] = ()

    def at(self, number: int, column: str | None = None) -> str:
        """The place of a row, and of a column in it."""
        called = dict(self.columns).get(column or "", column)
        return f"{self.name}, {self.row} {number}" + (f", column {called}" if called else "")


def rename(names: list[str]) -> dict[str, str]:
    """What each column of a file is called here; surplus columns are not in it.

    >>> rename(["lemma", "id", "pos"])
    {'id': 'id', 'lemma': 'word'}
    """
    found = {name: name for name in names if name in COLUMNS or name == SPAN}
    for alias, name in ALIASES.items():
        if alias in names and name not in names:
            found[alias] = name
    return found


def require(names: list[str], origin: Origin, *, but: tuple[str, ...] = ()) -> None:
    """All required columns must be there, except those that come from elsewhere."""
    names = [name for name in names if name != PLACE]
    have = set(rename(names).values())
    if SPAN in have:
        have |= {"start", "end"}
    missing = [name for name in REQUIRED if name not in have and name not in but]
    if missing:
        raise InputError(
            f"{origin.name}: the column{'s' * (len(missing) > 1)} {', '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} missing; expected {', '.join(REQUIRED)}, "
            f"found {', '.join(names) or 'no column'}."
        )


def check(frame: pl.DataFrame, origin: Origin, problems: Problems) -> pl.DataFrame:
    """The rows of a frame that are usages, with exactly our columns and types.

    The frame may have a column :data:`PLACE` with the number of each row in its file.
    """
    if PLACE not in frame.columns:
        frame = frame.with_row_index(PLACE)
    table = _typed(frame, origin)
    table = table.with_columns(_problem().alias("#problem"))
    # Only rows that are usages otherwise can be duplicates of one another.
    good = pl.col("#problem").is_null()
    twice = good & ~pl.struct(pl.when(good).then("word"), "id").is_first_distinct()
    table = table.with_columns(
        pl.when(twice).then(pl.lit("id")).otherwise("#problem").alias("#problem")
    )
    if table["#problem"].null_count() < table.height:
        first = pl.col(PLACE).filter(good).first().over("word", "id")
        bad = table.with_columns(first.alias("#first")).filter(~good)
        for row in bad.iter_rows(named=True):
            column, what = _say(row)
            problems.broken(origin.at(row[PLACE], column), what)
    return table.filter(pl.col("#problem").is_null()).select(_kept(table.columns))


def _kept(columns: list[str]) -> list[str]:
    return [name for name in COLUMNS if name in columns]


def _typed(frame: pl.DataFrame, origin: Origin) -> pl.DataFrame:
    """Every column as its type; what cannot be a number becomes null, its text kept beside it."""
    require(frame.columns, origin)
    frame = frame.rename({k: v for k, v in rename(frame.columns).items() if k != v})
    try:
        texts = frame.select(PLACE, *(_as_text(frame[name]) for name in _kept(frame.columns)))
        if SPAN in frame.columns and "start" not in frame.columns:
            cut = pl.col(SPAN).cast(pl.String).str.splitn(":", 2)
            ends = frame.select(
                cut.struct.field("field_0").alias("start"), cut.struct.field("field_1").alias("end")
            )
            texts = texts.with_columns(ends.get_columns())
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{origin.name}: a column cannot be read as text ({error}).") from None
    blank = {
        name: pl.when(pl.col(name).str.strip_chars() != "").then(pl.col(name)).alias(name)
        for name in texts.columns
        if name in OPTIONAL
    }
    return texts.with_columns(
        pl.col("word").str.strip_chars().str.normalize("NFC"),
        pl.col("period").str.strip_chars(),
        pl.col("start").alias("#start"),
        pl.col("end").alias("#end"),
        _whole("start"),
        _whole("end"),
        *blank.values(),
    )


def _as_text(column: pl.Series) -> pl.Series:
    """Values as text; whole numbers stay whole where gaps made a column one of floats."""
    text = column.cast(pl.String)
    return text.str.replace(r"\.0+$", "") if column.dtype.is_float() else text


def _whole(name: str) -> pl.Expr:
    """Whole numbers, also when written 3.0 as pandas does for columns with gaps."""
    text = pl.col(name).str.strip_chars()
    return text.str.replace(r"\.0+$", "").cast(pl.Int64, strict=False).alias(name)


def _problem() -> pl.Expr:
    """The first rule that a row breaks, by name; null for a usage."""
    empty = [
        (pl.col(name).is_null() | (pl.col(name) == ""), name)
        for name in ("word", "period", "id", "text")
    ]
    rules = [
        *empty,
        (pl.col("start").is_null(), "start"),
        (pl.col("end").is_null(), "end"),
        (pl.col("start") < 0, "before"),
        (pl.col("end") > pl.col("text").str.len_chars(), "beyond"),
        (pl.col("end") <= pl.col("start"), "nothing"),
    ]
    return pl.coalesce(pl.when(broken).then(pl.lit(name)) for broken, name in rules)


def _say(row: dict[str, object]) -> tuple[str, str]:
    """The column that a row breaks and what is wrong with it."""
    problem, text = str(row["#problem"]), str(row["text"])
    span = f"{row['start']}:{row['end']}"
    if problem in ("start", "end"):
        found = row[f"#{problem}"]
        return (
            problem,
            f"expected a whole number, found {'nothing' if found is None else repr(found)}",
        )
    if problem == "before":
        return "start", f"expected a span inside the text, found {span}, which starts before it"
    if problem == "beyond":
        return "end", f"expected a span inside the text of {len(text)} characters, found {span}"
    if problem == "nothing":
        return "end", f"expected a span that holds the target, found the empty span {span}"
    if problem == "id" and row["id"]:
        return "id", (
            f"expected an id of its own for each usage of {row['word']}, "
            f"found {row['id']!r} again (first in {row['#first']})"
        )
    return problem, "expected some text, found nothing"
