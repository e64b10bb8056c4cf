"""The first pass: how often every word occurs in each period, and in how many documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import polars as pl

from senseshift.corpus.names import NameFinder
from senseshift.discovering.lexicon import Lexicon, names_in
from senseshift.discovering.reading import Piece, Reading, Share, pieces

SPILL = 1_000_000  # words of a unit that are held as Python objects

SCHEMA = {
    "word": pl.String, "period": pl.String, "count": pl.Int64, "names": pl.Int64,
    "documents": pl.Int64, "spread": pl.Int64, "tag": pl.String, "tagged": pl.Int64,
}  # fmt: skip
SIZES = {"period": pl.String, "documents": pl.Int64, "tokens": pl.Int64, "known": pl.Int64}


@dataclass
class _Tally:
    """Of one period: see :data:`SCHEMA`."""

    count: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    spread: Counter[str] = field(default_factory=Counter)
    tags: dict[str, Counter[str]] = field(default_factory=dict)
    size: list[int] = field(default_factory=lambda: [0, 0, 0])
    seen: set[str] = field(default_factory=set)  # words of the document that is being read


def count(shares: Iterable[Share], reading: Reading, each: int) -> dict[str, pl.DataFrame]:
    """The words of some shares, and how much there is of each period.

    ``names`` are among the ``count``; ``documents`` and ``spread`` are without them, and spread
    counts no more than ``each`` of a document.
    """
    lexicon = Lexicon(reading.language)
    tallies: dict[str, _Tally] = {}
    parts: list[pl.DataFrame] = []
    for share in shares:
        names = NameFinder(reading.language, reading.names)
        for piece in pieces(share, reading, names):
            tally = tallies.setdefault(piece.period, _Tally())
            _add(piece, tally, lexicon, names, each)
            if sum(len(one.count) for one in tallies.values()) > SPILL:
                parts = [merged([*parts, *_tables(tallies)])]
                for one in tallies.values():
                    for counts in (one.count, one.names, one.documents, one.spread, one.tags):
                        counts.clear()
    sizes = [(period, *tally.size) for period, tally in sorted(tallies.items())]
    return {
        "counts": merged([*parts, *_tables(tallies)]),
        "sizes": pl.DataFrame(sizes, schema=SIZES, orient="row").select(
            "period", pl.col("documents"), pl.col("tokens"), pl.col("known")
        ),
    }


def _add(piece: Piece, tally: _Tally, lexicon: Lexicon, names: NameFinder, each: int) -> None:
    words: list[str] = []
    capital: Counter[str] = Counter()
    for block in piece.blocks:
        if block.tokens is None:
            words += lexicon.words(block)
            capital.update(lexicon.entry(form).word for form in names_in(block, names))
            continue
        for token in block.tokens:
            word = token.lemma.lower()
            words.append(word)
            if token.tag == "PROPN":
                capital[word] += 1
            elif token.tag:
                tally.tags.setdefault(word, Counter())[token.tag] += 1
    if names.kept:
        capital.clear()
    begins = piece.number == 0
    tally.size[0] += begins
    tally.size[1] += len(words)
    tally.size[2] += begins and piece.known
    if begins:
        tally.seen = set()
    # Lists are counted much faster than one word after the other; few words are corrected then.
    found = Counter(words)
    tally.count.update(words)
    tally.names.update(capital)
    tally.spread.update(words)
    for word, number in found.items():
        if number > each:
            tally.spread[word] -= number - each
    for word, number in capital.items():
        tally.spread[word] -= min(found[word], each) - min(found[word] - number, each)
    only_names = {word for word, number in capital.items() if number == found[word]}
    tally.documents.update(found.keys() - tally.seen - only_names)
    tally.seen.update(found)


def _tables(tallies: dict[str, _Tally]) -> Iterator[pl.DataFrame]:
    for period, tally in tallies.items():
        words = list(tally.count)
        tags = [tally.tags[word].most_common(1)[0] if word in tally.tags else (None, 0)
                for word in words]  # fmt: skip
        yield pl.DataFrame(
            {
                "word": words,
                "period": [period] * len(words),
                "count": list(tally.count.values()),
                "names": [tally.names[word] for word in words],
                "documents": [tally.documents[word] for word in words],
                "spread": [tally.spread[word] for word in words],
                "tag": [tag for tag, _ in tags],
                "tagged": [number for _, number in tags],
            },
            schema=SCHEMA,
        )


def merged(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Counts of several parts as one; the tag is that of the largest count."""
    kept = [part for part in parts if part.height]
    if not kept:
        return pl.DataFrame(schema=SCHEMA)
    best = pl.struct(pl.col("tagged"), pl.col("tag")).max()
    return (
        pl.concat(kept)
        .group_by("word", "period")
        .agg(pl.sum("count", "names", "documents", "spread"), best.alias("best"))
        .unnest("best")
        .select(SCHEMA.keys())
        .sort("word", "period")
    )
