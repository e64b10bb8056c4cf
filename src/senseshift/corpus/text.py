"""Plain text: one sentence a line, one paragraph a line, or running text that wraps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Literal

from senseshift.corpus.blocks import Block
from senseshift.corpus.lines import Source

Layout = Literal["lines", "paragraphs", "running"]

# A line or a paragraph longer than this is cut, so that memory stays bounded.
LONGEST = 1 << 18
# How many lines and how many characters of a text tell its layout.
SAMPLE, ENOUGH = 500, 1 << 19

# What may stand before the first letter is bounded: a page of dots is read in linear time.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s+(?=\W{0,9}[^\W\d_a-z])")


def blocks(source: Source, layout: Layout | None) -> Iterator[Block]:
    """The contexts of a text file, or the paragraphs they are in."""
    lines = source.lines(LONGEST)
    if layout is None:
        begin = list(_beginning(lines))
        layout = guess_layout([line for _, line in begin], [number for number, _ in begin])
        lines = chain(begin, lines)
    source.layout = layout
    if layout == "running":
        yield from _paragraphs(lines)
    else:
        last = offset = 0
        for number, line in lines:
            offset = offset if number == last else 0
            if stripped := line.strip():
                yield Block(stripped, number, whole=layout == "lines", offset=offset)
            last, offset = number, offset + len(line)


def _beginning(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    size = 0
    for count, (number, line) in enumerate(lines, start=1):
        yield number, line
        size += len(line)
        if count == SAMPLE or size > ENOUGH:
            return


def guess_layout(lines: list[str], numbers: list[int] | None = None) -> Layout:
    """How a text is laid out, by its first lines.

    Running text breaks its lines inside sentences, and near the margin: many lines without an end
    of sentence, most of them about as long as lines get, are followed at once by one that begins in
    lower case. Otherwise a line is a paragraph if many hold several sentences, else a sentence.

    >>> guess_layout(["It was the best of times,", "it was the worst of times,", "it was."])
    'running'
    >>> guess_layout(["The monk sat down .", "he rose again ."])
    'lines'
    """
    numbers = numbers or list(range(len(lines)))
    wrapped = [
        len(line.strip())
        for line, following, (number, after) in zip(
            lines, lines[1:], pairwise(numbers), strict=False
        )
        if after == number + 1
        and line.rstrip()[-1:] not in '.!?…"”’)'
        and following.lstrip()[:1].islower()
    ]
    margin = sorted(map(len, lines))[int(0.95 * len(lines))] if lines else 0
    if len(wrapped) > 0.3 * len(lines) and sum(wrapped) > 0.6 * margin * len(wrapped):
        return "running"
    several = sum(_SENTENCE_END.search(line.strip()) is not None for line in lines)
    return "paragraphs" if several > 0.3 * len(lines) else "lines"


def _paragraphs(lines: Iterator[tuple[int, str]]) -> Iterator[Block]:
    """Lines joined up to the next blank line; very long paragraphs are cut between sentences."""
    held: list[str] = []
    first = last = size = offset = 0
    for number, line in lines:
        blank = not line.strip()
        if blank or number > last + 1:
            if held:
                yield Block(" ".join(held), first, whole=False, offset=offset)
            held, size, offset = [], 0, 0
        if not blank:
            first = first if held or offset else number
            held.append(line.strip())
            size += len(line)
        last = number
        if size > LONGEST:
            text = " ".join(held)
            ends = [match.end() for match in _SENTENCE_END.finditer(text, len(text) // 2)]
            cut = ends[-1] if ends else len(text)
            yield Block(text[:cut].rstrip(), first, whole=False, offset=offset)
            held, size, offset = [text[cut:]] if text[cut:] else [], len(text) - cut, offset + cut
    if held:
        yield Block(" ".join(held), first, whole=False, offset=offset)
