"""The context of a usage: its sentence and, if asked, some of what stands around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from senseshift.corpus.blocks import Block
from senseshift.corpus.matching import Match

# Breaks and tabs become spaces one for one, so that offsets stay.
_FLAT = str.maketrans("\n\r\t\v\f\x85\u2028\u2029", " " * 8)

# Text without ends of sentences must not become one context for each of its words.
LONGEST = 10_000
# Text without a blank for so long has none between words, or no words: it is cut anywhere.
_NO_WORD = 100
_BLANK = re.compile(r"\s")
# What a sentence may begin with before its first word, and titles that end none.
_BEFORE_WORD = " \t\n—–-»«„“”\"'…"
_TITLE = re.compile(r"(?:^|[\s(])(?:Sr|Sra|Srta|Dra?|Prof|Hr|Frl?|St|Mme|Mlle|Sig)\.\s*\Z")
# Marks that end a sentence of a script without spaces, with what closes it.
_WIDE_END = re.compile("(?<=[。！？｡])(?![」』”’）。！？])|(?<=[。！？][」』”’）])")

Splitter = Callable[[str], list[str]]
Hit = tuple[Block, list[Match], str, str]


def neighbours(hits: Iterable[tuple[Block, list[Match]]], reach: int) -> Iterator[Hit]:
    """Blocks that hold matches, with ``reach`` characters of their document to both sides.

    The space between blocks counts too, so the last character is never used: it only tells whether
    a word was cut.
    """
    waiting: deque[tuple[Block, list[Match], str]] = deque()
    following = 0
    before = ""
    for block, matches in hits:
        if waiting and waiting[-1][0].document != block.document:
            yield from _emit(waiting, reach, len(waiting))
            following, before = 0, ""
        waiting.append((block, matches, before))
        before = f"{before} {block.text}"[-reach:] if before else block.text[-reach:]
        following += len(block.text) + 1
        # The oldest has enough after it once all that came later is long enough.
        while following - len(waiting[0][0].text) - 1 >= reach:
            following -= len(waiting[0][0].text) + 1
            yield from _emit(waiting, reach, 1)
    yield from _emit(waiting, reach, len(waiting))


def _emit(waiting: deque[tuple[Block, list[Match], str]], reach: int, count: int) -> Iterator[Hit]:
    for _ in range(count):
        block, matches, before = waiting.popleft()
        if matches:
            after = " ".join(later.text for later, _, _ in waiting)[:reach]
            yield block, matches, before, after


def splitter(language: str) -> Splitter:
    """Cuts text into sentences, by the rules of the language where simplemma has some."""
    from simplemma import split_sentences

    try:
        split_sentences("", language)
    except ValueError:
        return lambda text: _mended(text, split_sentences(text))
    if language == "en":
        return lambda text: split_sentences(text, language)
    return lambda text: _mended(text, split_sentences(text, language))


def _mended(text: str, parts: list[str]) -> list[str]:
    """Sentences put together again where none ends, and cut where one does without a space.

    No sentence ends after a title (*Sr. López*), and none begins with a small letter, be it
    after a dash (*«Куда?» — спросил он.*).
    """
    spans: list[tuple[int, int]] = []
    for start, end in _placed(text, parts):
        begins = text[start:end].lstrip(_BEFORE_WORD)[:1]
        if spans and (begins.islower() or _TITLE.search(text[slice(*spans[-1])])):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return [part for start, end in spans for part in _WIDE_END.split(text[start:end]) if part]


def contexts(
    block: Block, matches: list[Match], before: str, after: str, reach: int, split: Splitter
) -> Iterator[tuple[Match, str, int]]:
    """For every match of a block its context and where the target starts in it."""
    text = _flat(block.text)
    around, shift = text, 0
    if before:
        around, shift = f"{_flat(before)} {text}", len(before) + 1
    if after:
        around = f"{around} {_flat(after)}"
    spans = [(0, len(text))] if block.whole else _sentences(block.text, split)
    starts = [start for start, _ in spans]
    for match in matches:
        # A match may run over the end of a sentence: its context is then all it touches.
        left = spans[max(bisect_right(starts, match.start) - 1, 0)][0]
        right = spans[max(bisect_right(starts, match.end - 1) - 1, 0)][1]
        left, right = min(left, match.start), max(right, match.end)
        if right - left > LONGEST:
            # A match may be as long, if an expression says so: its beginning then stands for it.
            match = match._replace(end=min(match.end, match.start + LONGEST))
            left, right = _window(text, left, right, match)
        first, last = _widen(around, left + shift, right + shift, reach)
        yield match, around[first:last], match.start + shift - first


def _window(text: str, left: int, right: int, match: Match) -> tuple[int, int]:
    """The part of a very long context that is around the target."""
    side = max(LONGEST - (match.end - match.start), 0) // 2
    return _widen(text, match.start, match.end, side, left, right)


def _flat(text: str) -> str:
    return text if text.isprintable() else text.translate(_FLAT)


def _widen(
    text: str, left: int, right: int, reach: int, lowest: int = 0, highest: int | None = None
) -> tuple[int, int]:
    """A span widened to both sides by at most ``reach`` characters, words kept whole."""
    highest = len(text) if highest is None else highest
    first, last = max(left - reach, lowest), min(right + reach, highest)
    if first > lowest and not _unbroken(text, first):
        while first < left and not text[first - 1].isspace():
            first += 1
    if last < highest and not _unbroken(text, last):
        while right < last and not text[last].isspace():
            last -= 1
    while first < left and text[first].isspace():
        first += 1
    while last > right and text[last - 1].isspace():
        last -= 1
    return first, last


def _unbroken(text: str, at: int) -> bool:
    """Whether there is no blank anywhere near."""
    near = max(at - _NO_WORD, 0), min(at + _NO_WORD, len(text))
    return near[1] - near[0] == 2 * _NO_WORD and _BLANK.search(text, *near) is None


def _sentences(text: str, split: Splitter) -> list[tuple[int, int]]:
    return _placed(text, split(text)) or [(0, len(text))]


def _placed(text: str, parts: Iterable[str]) -> list[tuple[int, int]]:
    """Where the parts of a text are in it."""
    spans, at = [], 0
    for part in parts:
        start = text.index(part, at)
        at = start + len(part)
        spans.append((start, at))
    return spans
