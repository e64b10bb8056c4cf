"""Which words of the vocabulary are looked at, and of every other one why it is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from senseshift.corpus.counting import COMMONEST, NAME, SHORTEST
from senseshift.corpus.targets import TAGS
from senseshift.discovering.reading import FEW
from senseshift.errors import InputError, shortened

LETTERS = r"^\p{L}[\p{L}\p{M}'’\-‐‑]*$"
ONE_SIDED = 5  # times the least count that a word needs in one period to be new or gone


@dataclass(frozen=True)
class Filter:
    """What a candidate must be."""

    min_count: int = 20
    min_documents: int = 5
    commonest: int = COMMONEST
    pos: tuple[str, ...] = ()
    match: str | None = None
    exclude: str | None = None

    @classmethod
    def checked(
        cls,
        min_count: int,
        min_documents: int,
        commonest: int,
        pos: str | Sequence[str] | None,
        match: str | None,
        exclude: str | None,
    ) -> Filter:
        """A filter that makes sense; anything else is said at once."""
        for name, value, least in (
            ("min_count", min_count, 2),
            ("min_documents", min_documents, 1),
            ("commonest", commonest, 0),
        ):
            if value < least:
                raise InputError(f"{name} is {value}: it must be at least {least}.")
        for name, pattern in (("match", match), ("exclude", exclude)):
            try:
                re.compile(pattern or "")
            except re.error as error:
                raise InputError(
                    f"The regular expression {name} {shortened(repr(pattern))} is broken: {error}."
                ) from None
        asked = pos.split(",") if isinstance(pos, str) else list(pos or ())
        tags = tuple(TAGS.get(p.strip().lower(), p.strip().upper()) for p in asked if p.strip())
        return cls(min_count, min_documents, commonest, tags, match, exclude)


def vocabulary(counts: pl.DataFrame, periods: Sequence[str]) -> pl.DataFrame:
    """A row for each word: its counts in both periods without names, documents, tag."""
    old, new = periods
    named = {old: "old", new: "new"}
    wide: pl.DataFrame | None = None
    for period, side in named.items():
        part = counts.filter(pl.col("period") == period).select(
            "word",
            (pl.col("count") - pl.col("names")).alias(f"count_{side}"),
            pl.col("names").alias(f"names_{side}"),
            pl.col("documents").alias(f"documents_{side}"),
            pl.col("spread").alias(f"spread_{side}"),
            pl.col("tag").alias(f"tag_{side}"),
            pl.col("tagged").alias(f"tagged_{side}"),
        )
        wide = part if wide is None else wide.join(part, on="word", how="full", coalesce=True)
    assert wide is not None
    numbers = [c for c in wide.columns if c != "word" and not c.startswith("tag_")]
    wide = wide.with_columns(pl.col(numbers).fill_null(0))
    tag = pl.when(pl.col("tagged_old") >= pl.col("tagged_new")).then("tag_old").otherwise("tag_new")
    wide = wide.with_columns(pl.coalesce(tag, "tag_old", "tag_new").alias("pos"))
    return wide.drop("tag_old", "tag_new", "tagged_old", "tagged_new").sort("word")


def with_reasons(words: pl.DataFrame, wanted: Filter, known: Sequence[bool]) -> pl.DataFrame:
    """The vocabulary with ``reason``, null for a candidate.

    ``known`` says of the old and of the new period whether its documents are.
    """
    total = pl.col("count_old") + pl.col("count_new")
    names = pl.col("names_old") + pl.col("names_new")
    least, most = (
        pl.min_horizontal("count_old", "count_new"),
        pl.max_horizontal("count_old", "count_new"),
    )
    rank = (total + names).rank("ordinal", descending=True)
    word = pl.col("word")
    spread = pl.lit(True)
    for side, has in zip(("old", "new"), known, strict=True):
        if has:
            spread &= pl.col(f"documents_{side}") >= wanted.min_documents
    reasons: list[tuple[pl.Expr, Any]] = [
        (~word.str.contains(LETTERS), "no word of letters"),
        (word.str.len_chars() < SHORTEST, f"shorter than {SHORTEST} letters"),
        (rank <= wanted.commonest, f"one of the {wanted.commonest} commonest words"),
        (names >= NAME * (total + names), "a name: mostly capitalised inside sentences"),
    ]
    if wanted.pos:
        told = ", ".join(wanted.pos)
        has_pos = pl.col("pos").is_in(list(wanted.pos)).fill_null(True)
        reasons.append((~has_pos, f"not {told}"))
    if wanted.match is not None:
        hit = word.map_elements(_searching(wanted.match), return_dtype=pl.Boolean)
        reasons.append((~hit, "does not match what was asked for"))
    if wanted.exclude is not None:
        hit = word.map_elements(_searching(wanted.exclude), return_dtype=pl.Boolean)
        reasons.append((hit, "excluded by what was asked for"))
    one_sided = (least < wanted.min_count) & (most >= ONE_SIDED * wanted.min_count)
    reasons += [
        (
            one_sided & (pl.col("count_old") * ONE_SIDED * 2 < pl.col("count_new")),
            _rare("new", wanted),
        ),
        (
            one_sided & (pl.col("count_new") * ONE_SIDED * 2 < pl.col("count_old")),
            _rare("gone", wanted),
        ),
        (least < wanted.min_count, f"fewer than {wanted.min_count} usages in a period"),
        (~spread, f"in fewer than {wanted.min_documents} documents of a period"),
    ]
    reason: Any = pl.lit(None, dtype=pl.String)
    for condition, said in reversed(reasons):
        reason = pl.when(condition).then(pl.lit(said)).otherwise(reason)
    return words.with_columns(reason.alias("reason"))


def _rare(kind: str, wanted: Filter) -> str:
    where = "old" if kind == "new" else "new"
    return f"{kind}: fewer than {wanted.min_count} usages in the {where} period"


def _searching(pattern: str) -> Any:
    found = re.compile(pattern)
    return lambda word: found.search(word) is not None


def documents_known(sizes: pl.DataFrame, periods: Sequence[str]) -> list[bool]:
    """Whether each period has documents enough to tell them apart."""
    found = dict(sizes.select("period", "known").iter_rows())
    return [int(found.get(period, 0)) >= FEW for period in periods]
