"""The second pass: usages of every candidate, so many a period, spread over its documents.

Which usages of a word are taken follows from keyed hashes of the word and the documents it is in,
and from nothing else: of a document at most ``each``, and of what all documents offer those with
the smallest numbers. A share of the corpus passes on only what can still be among these, as the
first pass has told how much there is; the rest is decided where a partition of the words is put
together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.corpus.blocks import Block
from senseshift.corpus.contexts import Splitter, contexts, splitter
from senseshift.corpus.matching import Match
from senseshift.corpus.names import NameFinder
from senseshift.discovering.lexicon import Lexicon, occurrences
from senseshift.discovering.reading import Piece, Reading, Share, pieces

ALL = (1 << 64) - 1
SCHEMA = {
    "word": pl.String, "period": pl.String, "id": pl.String, "text": pl.String, "start": pl.Int64,
    "end": pl.Int64, "date": pl.String, "source": pl.String, "number": pl.UInt64,
}  # fmt: skip

Place = tuple[int, int, int]  # the block of a piece, and the span in it


@dataclass(frozen=True)
class Sampling:
    """How many usages of a word and period are taken, at most so many of a document."""

    usages: int = 100
    each: int = 4
    seed: int = 0

    def bound(self, spread: int) -> int:
        """The number below which usages are passed on, of a word with so many on offer."""
        enough = self.usages + 6.0 * sqrt(self.usages) + 10.0  # six deviations: hardly ever fewer
        return ALL if spread <= enough else int(ALL * (enough / spread))


class Bounds:
    """The words to find in one period, with the bounds of their usages' numbers."""

    def __init__(self, bounds: Mapping[str, int], seed: int) -> None:
        key = seed.to_bytes(16, "little", signed=True)
        self.place = {word: k for k, word in enumerate(bounds)}
        self.bounds = np.array(list(bounds.values()), np.uint64)
        self.hashes = np.array([_hash(word, key) for word in bounds], np.uint64)


def _hash(text: str, key: bytes = b"") -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8, key=key).digest(), "little")


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that look like drawn at random, one for each (the finisher of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def sample(
    shares: Iterable[Share],
    reading: Reading,
    sampling: Sampling,
    bounds: Mapping[str, Mapping[str, int]],
) -> pl.DataFrame:
    """Usages of some shares that may be taken; ``bounds`` has those of each period's words."""
    lexicon, split = Lexicon(reading.language), splitter(reading.language)
    wanted = {period: Bounds(of_words, sampling.seed) for period, of_words in bounds.items()}
    rows: list[tuple[Any, ...]] = []
    for share in shares:
        names = NameFinder(reading.language, reading.names)
        for piece in pieces(share, reading, names):
            of_period = wanted.get(piece.period)
            if of_period and (found := _drawn(piece, of_period, lexicon, sampling)):
                rows += _usages(piece, found, lexicon, names, split)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _drawn(
    piece: Piece, wanted: Bounds, lexicon: Lexicon, sampling: Sampling
) -> dict[str, tuple[int, list[int]]]:
    """The words of a piece that give usages: a seed, and the numbers that are below the bound.

    Numbers follow from the word, the document and how many of the word's usages in the document
    came before; −1 stands for one that is not.
    """
    counts: Counter[str] = Counter()
    for block in piece.blocks:
        if block.tokens is not None:
            counts.update(token.lemma.lower() for token in block.tokens if token.tag != "PROPN")
        else:
            counts.update(lexicon.words(block))
    words = [word for word in counts if word in wanted.place]
    rows = np.array([wanted.place[word] for word in words], np.int64)
    have = np.array([counts[word] for word in words], np.int64)
    document = np.uint64(_hash(f"{piece.period}\0{piece.document}\0{piece.number}"))
    seeds = _mixed(wanted.hashes[rows] ^ document)
    steps = np.arange(1, sampling.each + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    numbers = _mixed(seeds[:, None] + steps)
    below = (numbers <= wanted.bounds[rows][:, None]) & (np.arange(sampling.each) < have[:, None])
    return {
        words[k]: (
            int(seeds[k]),
            [int(n) if is_below else -1 for n, is_below in zip(numbers[k], below[k], strict=True)],
        )
        for k in np.flatnonzero(below.any(axis=1)).tolist()
    }


def _usages(
    piece: Piece,
    found: Mapping[str, tuple[int, list[int]]],
    lexicon: Lexicon,
    names: NameFinder,
    split: Splitter,
) -> Iterator[tuple[Any, ...]]:
    places: dict[str, list[Place]] = {word: [] for word in found}
    for at, block in enumerate(piece.blocks):
        for word, start, end in _standing(block, places, lexicon, names):
            places[word].append((at, start, end))
    wanted: dict[int, list[tuple[Place, str, int]]] = {}
    for word, (seed, numbers) in found.items():
        order = places[word]
        if len(order) > 1:  # which usages of the document are offered follows from the document
            Random(seed).shuffle(order)
        for place, number in zip(order, numbers, strict=False):
            if number >= 0:
                wanted.setdefault(place[0], []).append((place, word, number))
    for at in sorted(wanted):
        block, taken = piece.blocks[at], sorted(wanted[at])
        matches = [Match(k, start, end) for k, ((_, start, end), _, _) in enumerate(taken)]
        for match, text, start in contexts(block, matches, "", "", 0, split):
            _, word, number = taken[match.target]
            name = f"{piece.file}:{block.line}:{block.offset + match.start}"
            source = piece.document if piece.known else piece.file
            end = start + match.end - match.start
            yield word, piece.period, name, text, start, end, block.date, source, number


def _standing(
    block: Block, words: Mapping[str, Any], lexicon: Lexicon, names: NameFinder
) -> Iterator[tuple[str, int, int]]:
    if block.tokens is not None:
        for token in block.tokens:
            if token.tag != "PROPN" and token.lemma.lower() in words:
                yield token.lemma.lower(), token.start, token.end
        return
    for form, at, _, is_name in occurrences(block, names, lexicon, words):
        if names.kept or not is_name:
            word, start, end = lexicon.entry(form)
            yield word, at + start, at + end


def chosen(offered: pl.DataFrame, sampling: Sampling, each: int | None) -> pl.DataFrame:
    """Of all that was offered of some words, the usages to take: by word, period and number.

    A context that is there twice counts once; ``each`` is None where documents are not known.
    """
    table = offered.sort("word", "period", "number", "id").unique(
        ["word", "period", "text", "start"], keep="first", maintain_order=True
    )
    if each is not None:  # a document in several pieces, or whose rows stand apart
        of_document = pl.int_range(pl.len()).over("word", "period", "source")
        table = table.filter(of_document < each)
    return table.filter(pl.int_range(pl.len()).over("word", "period") < sampling.usages)
