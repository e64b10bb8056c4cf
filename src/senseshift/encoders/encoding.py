"""The one call: usages in, a vector for each of them out."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any, Protocol

import numpy as np
import polars as pl

from senseshift.encoders.cache import Cache, Shelf, usage_key
from senseshift.encoders.language import is_foreign, warn_of_foreign, warn_of_language
from senseshift.encoders.precomputed import Precomputed
from senseshift.encoders.protocol import Encoder, Span, Vectors
from senseshift.encoders.resolve import EncoderLike, Layers, load
from senseshift.errors import InputError
from senseshift.progress import Progress

COLUMNS = {"word": pl.String, "id": pl.String, "text": pl.String, "start": None, "end": None}


class HasTable(Protocol):
    """Usages: anything with a polars table of them."""

    @property
    def table(self) -> pl.DataFrame:
        """Columns ``word, id, text, start, end`` at least, one row for each usage."""


def encode(
    usages: HasTable | pl.DataFrame,
    encoder: EncoderLike | None = None,
    *,
    batch_size: int = 32,
    threads: int | None = None,
    cache: bool | str | Path = True,
    progress: Progress | None = None,
    layers: Layers | None = None,
    offline: bool = False,
    language: str | None = None,
) -> Vectors:
    """A vector for every usage, in the order of the usages.

    Parameters
    ----------
    usages
        The usages, or their table (polars) with columns ``word, id, text, start, end``.
    encoder, batch_size, threads, layers, offline
        See :func:`load`; None takes an encoder that knows the language.
    cache
        Keep vectors on disk and take them from there: in the default folder, or one given.
    progress
        Called with the numbers of usages done and in all, first with those that were cached.
    language
        Of the usages; by default the one in which they were found, if they were.

    Returns
    -------
    numpy.ndarray
        float32, one row for each usage; all numbers are finite.

    Examples
    --------
    >>> import polars as pl
    >>> from senseshift.encoders import encode
    >>> text = "a bank of sand"
    >>> row = {"word": "bank", "id": "1", "text": text, "start": 2, "end": 6}
    >>> encode(pl.DataFrame([row]), lambda texts, spans: [[len(t), a, b] for t, (a, b) in
    ...     zip(texts, spans)])
    array([[14.,  2.,  6.]], dtype=float32)
    """
    table = _checked_table(usages)
    language = language or found_in(usages)
    source = load(
        encoder,
        language=language,
        batch_size=batch_size,
        threads=threads,
        layers=layers,
        offline=offline,
    )
    words, ids = table["word"].to_list(), table["id"].to_list()
    names = list(zip(words, ids, strict=True))
    if isinstance(source, Precomputed):
        vectors = source.match(words, ids)
        _check_finite(vectors, source.name, names)
        _tell(progress, len(ids), len(ids))
        return vectors
    texts = table["text"].to_list()
    spans = list(zip(table["start"].to_list(), table["end"].to_list(), strict=True))
    with _shelf(source, cache) as shelf:
        run = _Run(source, texts, spans, names, shelf, progress)
        known = getattr(source, "languages", ())
        if known and not warn_of_language(language, source.name, known):
            warn_of_foreign(run.foreign(known), names, source.name, known)
        return run.vectors(batch_size)


def found_in(usages: object) -> str | None:
    """The language in which usages were looked for in corpora, if they were."""
    corpora = getattr(usages, "corpora", None)
    language = None if corpora is None else corpora.settings.get("language")
    return None if language is None else str(language)


def _shelf(encoder: Encoder, cache: bool | str | Path) -> Any:
    if cache is False or encoder.fingerprint is None or encoder.dimension is None:
        return nullcontext()
    folder = None if cache is True else cache
    return Cache(folder).shelf(encoder.name, encoder.fingerprint, encoder.dimension)


class _Run:
    """Every distinct usage once: from the cache if it is there, else encoded and put there."""

    def __init__(
        self,
        encoder: Encoder,
        texts: Sequence[str],
        spans: Sequence[Span],
        names: Sequence[tuple[str, str]],
        shelf: Shelf | None,
        progress: Progress | None,
    ) -> None:
        self._encoder, self._texts, self._spans = encoder, texts, spans
        self._names, self._shelf, self._progress = names, shelf, progress
        self._rows: dict[bytes, list[int]] = {}
        mark = encoder.fingerprint or ""
        for row, (text, span) in enumerate(zip(texts, spans, strict=True)):
            self._rows.setdefault(usage_key(mark, text, span), []).append(row)
        self._missing = set(self._rows)
        self._done = 0
        self._result: Vectors | None = None
        self._look()

    def foreign(self, languages: Sequence[str]) -> list[int]:
        """The rows that are not in the languages; those in the cache were looked at before."""
        firsts = {key: self._rows[key][0] for key in self._missing}
        found = {
            key
            for key, row in firsts.items()
            if is_foreign(self._texts[row], self._spans[row], languages)
        }
        if self._shelf is not None:
            self._shelf.note_foreign(found)
            found |= self._shelf.foreign(self._rows)
        return sorted(row for key in found for row in self._rows[key])

    def vectors(self, batch_size: int) -> Vectors:
        """All of them, in the order of the texts."""
        _tell(self._progress, self._done, len(self._texts))
        for keys in self._batches(batch_size):
            rows = [self._rows[key][0] for key in keys]
            made = self._made(rows)
            if self._shelf is not None:
                self._shelf.put(keys, made)
            for key, vector in zip(keys, made, strict=True):
                self._place(key, vector)
            # What another process has encoded meanwhile need not be done here.
            self._look()
            _tell(self._progress, self._done, len(self._texts))
        if self._result is None:
            return np.empty((0, self._encoder.dimension or 0), dtype=np.float32)
        return self._result

    def _batches(self, size: int) -> Iterator[list[bytes]]:
        # The longest first: what does not fit in memory shows at once, and time left is no lie.
        missing = (key for key in self._rows if key in self._missing)
        keys = sorted(missing, key=lambda key: -len(self._texts[self._rows[key][0]]))
        batches = [keys[at : at + size] for at in range(0, len(keys), size)][::-1]
        before = self._shelf.taken if self._shelf else 0
        alone = True
        while batches:
            if alone and self._shelf and self._shelf.taken > before:
                # Another process is at work: each goes on in an order of its own, or all would be
                # at the same usages all the time.
                alone = False
                Random(secrets.token_bytes(8)).shuffle(batches)
            if left := [key for key in batches.pop() if key in self._missing]:
                yield left

    def _look(self) -> None:
        if self._shelf is not None and self._missing:
            for key, vector in self._shelf.news(self._missing):
                self._place(key, vector)

    def _place(self, key: bytes, vector: Vectors) -> None:
        if key not in self._missing:
            return
        if self._result is None:
            self._result = np.empty((len(self._texts), vector.size), dtype=np.float32)
        rows = self._rows[key]
        self._result[rows] = vector
        self._missing.remove(key)
        self._done += len(rows)

    def _made(self, rows: list[int]) -> Vectors:
        texts, spans = [self._texts[row] for row in rows], [self._spans[row] for row in rows]
        made = np.asarray(self._encoder.encode(texts, spans), dtype=np.float32)
        dimension = self._encoder.dimension
        if dimension is None and self._result is not None:
            dimension = self._result.shape[1]
        if made.ndim != 2 or made.shape != (len(rows), dimension or made.shape[1]):
            raise InputError(
                f"The encoder {self._encoder.name} gave an array of shape {made.shape} for "
                f"{len(rows)} usages: expected ({len(rows)}, {dimension or 'dimensions'})."
            )
        _check_finite(made, self._encoder.name, [self._names[row] for row in rows])
        return made


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


def _checked_table(usages: HasTable | pl.DataFrame) -> pl.DataFrame:
    table = usages if isinstance(usages, pl.DataFrame) else getattr(usages, "table", None)
    if not isinstance(table, pl.DataFrame):
        raise InputError(
            f"The usages are a {type(usages).__name__}: give usages, or a polars table of them."
        )
    for name, kind in COLUMNS.items():
        if name not in table.columns:
            raise InputError(f"The usages have no column {name}: they need {', '.join(COLUMNS)}.")
        column = table[name]
        if column.dtype != kind if kind else not column.dtype.is_integer():
            expected = kind or "an integer"
            raise InputError(f"The column {name} of the usages is {column.dtype}, not {expected}.")
        if column.null_count():
            row = int(column.is_null().arg_max() or 0)
            raise InputError(f"The column {name} of the usages is empty in row {row + 1}.")
    _check_rows(table)
    return table


def _check_rows(table: pl.DataFrame) -> None:
    start, end = table["start"], table["end"]
    bad = (start < 0) | (start >= end) | (end > table["text"].str.len_chars())
    if bad.any():
        row = int(bad.arg_max() or 0)
        raise InputError(
            f"The target of usage {table['id'][row]!r} (row {row + 1}) is characters {start[row]} "
            f"to {end[row]}, but its text has {len(table['text'][row])}: start < end must lie "
            "within it."
        )
    # One word may have the same identifier as another, but not twice.
    twice = table.select("word", "id").is_duplicated()
    if twice.any():
        row = int(twice.arg_max() or 0)
        raise InputError(
            f"The usage {table['id'][row]!r} of the word {table['word'][row]!r} is there more than "
            "once: identifiers must be unique for each word."
        )


def _check_finite(vectors: Vectors, encoder: str, names: Sequence[tuple[str, str]]) -> None:
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if broken.size:
        word, name = names[broken[0]]
        raise InputError(
            f"The vector of usage {name!r} of the word {word!r} from {encoder} holds a number that "
            "is not finite: leave this usage out, or encode it otherwise."
        )
