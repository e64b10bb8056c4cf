"""Where usages were found: which files were read and how, how much they hold, what was kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

FILES = {
    "path": pl.String,
    "name": pl.String,
    "period": pl.String,
    "kind": pl.String,
    "layout": pl.String,
    "guessed": pl.Boolean,
    "encoding": pl.String,
    "bytes": pl.Int64,
    "documents": pl.Int64,
    "tokens": pl.Int64,
}
UNREAD = {"path": pl.String, "period": pl.String, "reason": pl.String}
SIZES = {"period": pl.String, "documents": pl.Int64, "tokens": pl.Int64}
COUNTS = {
    "word": pl.String,
    "period": pl.String,
    "found": pl.Int64,
    "kept": pl.Int64,
    "names": pl.Int64,
    "documents": pl.Int64,
    "per_million": pl.Float64,
}
_LAYOUTS = {
    "lines": "a line is a sentence",
    "paragraphs": "a line is a paragraph",
    "running": "lines wrap",
}


@dataclass(frozen=True, eq=False, repr=False)
class Corpora:
    """What :func:`senseshift.corpus.find` read and found.

    Attributes
    ----------
    settings
        How it was asked to find: language, cap, seed and all else.
    files
        The files read: ``path``; ``name``, by which ids and sources call it; ``period`` (null where
        dates tell it); ``kind`` (``text``, ``table``, ``CoNLL-U``, ``parallel``); ``layout`` of a
        text and whether it was ``guessed``; ``encoding``, ``bytes``, ``documents``, ``tokens``.
    unread
        The files that were not read, with the ``reason``.
    sizes
        ``documents`` and running words (``tokens``) of each period.
    counts
        For each word and period how many usages were ``found`` before any sample was drawn, how
        many were ``kept``, how many matches look like ``names`` (in ``found`` only if they were
        asked for), in how many ``documents`` it was found, and ``per_million`` running words.
    warnings
        What was said while they were read.
    """

    settings: dict[str, Any]
    files: pl.DataFrame
    unread: pl.DataFrame
    sizes: pl.DataFrame
    counts: pl.DataFrame
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON holds it."""
        tables = ("files", "unread", "sizes", "counts")
        return {"settings": self.settings, "warnings": list(self.warnings)} | {
            name: getattr(self, name).rows(named=True) for name in tables
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Corpora:
        """What :meth:`to_dict` made."""
        schemas: dict[str, Any] = {
            "files": FILES, "unread": UNREAD, "sizes": SIZES, "counts": COUNTS,
        }  # fmt: skip
        tables = {
            name: pl.DataFrame(list(data[name]), schema=schema, orient="row")
            for name, schema in schemas.items()
        }
        return cls(dict(data["settings"]), warnings=tuple(data.get("warnings", ())), **tables)

    @property
    def layouts(self) -> dict[str, int]:
        """How many texts are laid out in which way."""
        texts = self.files.filter(pl.col("layout").is_not_null())
        return dict(texts.group_by("layout", maintain_order=True).len().iter_rows())

    def __str__(self) -> str:
        sizes = [
            f"{period}: {tokens:,} words in {_many(documents, 'document')}"
            for period, documents, tokens in self.sizes.iter_rows()
        ]
        return "\n".join([f"read {_many(self.files.height, 'file')}{self._texts()}", *sizes])

    def _texts(self) -> str:
        guessed = self.files["guessed"].any()
        parts = [
            f"{_LAYOUTS[layout]} in {count:,}" if len(self.layouts) > 1 else _LAYOUTS[layout]
            for layout, count in self.layouts.items()
        ]
        told = " (guessed: --layout says otherwise)" if guessed else ""
        return f"; {', '.join(parts)}{told}" if parts else ""

    __repr__ = __str__


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'s' * (count != 1)}"


def table(rows: Sequence[Sequence[Any]], schema: Mapping[str, Any]) -> pl.DataFrame:
    """Rows as one of the tables above."""
    return pl.DataFrame(rows, schema=dict(schema), orient="row")
