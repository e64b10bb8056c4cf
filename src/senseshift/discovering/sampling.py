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

import polars as pl

from senseshift.corpus.blocks import Block
from senseshift.corpus.contexts import Splitter, contexts, splitter
from senseshift.corpus.matching import Match
from senseshift.corpus.names import NameFinder
from senseshift.discovering.lexicon import Lexicon, occurrences, raw_forms
from senseshift.discovering.reading import Piece, Reading, Share, pieces

ALL = 1 << 64
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


def sample(
    shares: Iterable[Share],
    reading: Reading,
    sampling: Sampling,
    bounds: Mapping[str, Mapping[str, int]],
) -> pl.DataFrame:
    """Usages of some shares that may be taken; ``bounds`` has those of each period's words."""
    lexicon, split = Lexicon(reading.language), splitter(reading.language)
    rows: list[tuple[Any, ...]] = []
    for share in shares:
        names = NameFinder(reading.language, reading.names)
        for piece in pieces(share, reading, names):
            found = _drawn(piece, bounds.get(piece.period, {}), lexicon, sampling)
            if found:
                rows += _usages(piece, found, lexicon, names, split)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _drawn(
    piece: Piece, bounds: Mapping[str, int], lexicon: Lexicon, sampling: Sampling
) -> dict[str, tuple[bytes, list[int]]]:
    """The words of a piece that give usages, and these usages' numbers, the smallest first."""
    counts: Counter[str] = Counter()
    for block in piece.blocks:
        if block.tokens is not None:
            counts.update(token.lemma.lower() for token in block.tokens if token.tag != "PROPN")
        else:
            for form, number in Counter(raw_forms(block)).items():
                counts[lexicon.entry(form).word] += number
    key = sampling.seed.to_bytes(16, "little", signed=True)
    place = f"{piece.period}\0{piece.document}\0{piece.number}\0"
    found = {}
    for word in sorted(counts.keys() & bounds.keys()):
        bound = bounds[word]
        digest = blake2b(f"{place}{word}".encode(), digest_size=64, key=key).digest()
        count = min(counts[word], sampling.each)
        numbers = [_number(digest, k) for k in range(count)]
        if any(number < bound for number in numbers):
            found[word] = (digest, [n if n < bound else -1 for n in numbers])
    return found


def _number(digest: bytes, k: int) -> int:
    if k < 7:
        return int.from_bytes(digest[8 * k : 8 * k + 8], "little")
    more = blake2b(digest, digest_size=8, person=k.to_bytes(8, "little")).digest()
    return int.from_bytes(more, "little")


def _usages(
    piece: Piece,
    found: Mapping[str, tuple[bytes, list[int]]],
    lexicon: Lexicon,
    names: NameFinder,
    split: Splitter,
) -> Iterator[tuple[Any, ...]]:
    places: dict[str, list[Place]] = {word: [] for word in found}
    for at, block in enumerate(piece.blocks):
        for word, start, end in _standing(block, places, lexicon, names):
            places[word].append((at, start, end))
    wanted: dict[int, list[tuple[Place, str, int]]] = {}
    for word, (digest, numbers) in found.items():
        order = places[word]
        # The document's own: which of its usages are offered, whatever becomes of them.
        Random(digest[-8:]).shuffle(order)
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
    for form, at, _, is_name in occurrences(
        block, names, lambda form: lexicon.entry(form).word in words
    ):
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
