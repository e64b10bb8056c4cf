"""Corpora in shares of bounded size, each read by whoever works on it.

A share is a file, a stretch of lines of a large one, or, where a file cannot be entered in the
middle (gzip, CSV, Parquet), those of its documents that fall to it by the hash of their names. How
a corpus is cut follows from its files alone, and nothing found depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

from senseshift.corpus.blocks import Block
from senseshift.corpus.encodings import CHUNK, MARK, UTF_8, fitting
from senseshift.corpus.files import File, blocks_of
from senseshift.corpus.lines import Source
from senseshift.corpus.names import NameFinder, Names
from senseshift.corpus.rows import Columns, suffix_of
from senseshift.corpus.text import ENOUGH, SAMPLE, Layout, guess_layout
from senseshift.errors import InputError
from senseshift.reading import printable
from senseshift.usages.files import JSON_LINES
from senseshift.usages.periods import Spans, year_in
from senseshift.usages.problems import Problems

SHARE = 32 << 20  # bytes that a unit reads
MOST_REREAD = 8  # shares in all of files that each of them has to read from the beginning
PIECE = 1 << 20  # characters of a document that are looked at together
FEW = 5  # documents a period, below which its texts are taken for corpora, not for documents


@dataclass(frozen=True)
class Reading:
    """How corpora are read: see :func:`senseshift.corpus.find`."""

    language: str = "en"
    names: Names = "out"
    layout: Layout | None = None
    encodings: tuple[str, ...] = (UTF_8,)
    columns: Columns = field(default_factory=Columns)
    spans: Spans | None = None
    skip_bad: bool = False


@dataclass(frozen=True)
class Share:
    """A file, or a part of it: the bytes ``begin`` to ``end``, or every so-and-so-many document.

    ``apart`` says that its blocks have nothing to do with each other, as its documents are not
    known.
    """

    file: File
    size: int
    changed: int
    number: int = 0
    shares: int = 1
    begin: int = 0
    end: int | None = None
    apart: bool = False


@dataclass(frozen=True)
class Piece:
    """Neighbouring blocks of one document and period, or a block whose document is not known."""

    document: str
    number: int
    period: str
    known: bool
    file: str
    blocks: list[Block]


@dataclass
class _Stretch(Source):
    """The lines that begin between two bytes of a file."""

    begin: int = 0
    end: int = 0
    first: int = field(default=1, init=False)

    def lines(self, longest: int | None = None) -> Iterator[tuple[int, str]]:
        self.first = 1
        for number, line in super().lines(longest):
            yield number + self.first - 1, line

    def _chunks(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as file:
                self.first = 1 + _breaks(file, self.begin)
                at = 0
                if self.begin:  # the line that reaches into the stretch is of the one before
                    at = self.begin - 1 + len(file.readline())
                    self.first += 1
                while at < self.end and (chunk := file.read(min(CHUNK, self.end - at))):
                    chunk = chunk if at else chunk.removeprefix(MARK)
                    at = file.tell()
                    if at >= self.end:
                        chunk += file.readline() if not chunk.endswith(b"\n") else b""
                    yield chunk
        except OSError as error:
            said = error.strerror or error
            raise InputError(f"{printable(self.path)} cannot be read: {said}.") from None


def _breaks(file: Any, until: int) -> int:
    """Line breaks before a byte; the file then stands one byte before it, in that line."""
    count, at = 0, 0
    while at < max(until - 1, 0) and (chunk := file.read(min(CHUNK, until - 1 - at))):
        count += chunk.count(b"\n")
        at += len(chunk)
    return count


def shares_of(files: Sequence[File], encodings: Sequence[str]) -> list[list[Share]]:
    """The files cut into shares, put together to units of about the same size."""
    texts: dict[str | None, int] = {}
    for file in files:
        texts[file.period] = texts.get(file.period, 0) + (file.kind != "table")
    wholes: list[Share] = []
    for file in files:
        stat = file.path.stat()
        apart = file.kind != "table" and texts[file.period] < FEW
        wholes.append(Share(file, stat.st_size, stat.st_mtime_ns, apart=apart))
    # To read a file anew for each share costs less than that all but one worker wait for it; but
    # where there are many such files, each is read once.
    anew = [w for w in wholes if w.size > SHARE and _reread(w, encodings)]
    each = max(1, MOST_REREAD // max(1, len(anew)))
    cut = [share for whole in wholes for share in _cut(whole, encodings, each)]
    units: list[list[Share]] = []
    room = 0
    for share in cut:
        size = share.size // share.shares
        if not units or size > room:
            units.append([])
            room = SHARE
        units[-1].append(share)
        room -= size
    return units


def _enterable(whole: Share, encodings: Sequence[str]) -> bool:
    """Whether a file can be read from the middle, line by line."""
    path = whole.file.path
    plain = suffix_of(path) in (*JSON_LINES, ".txt") and path.suffix.lower() != ".gz"
    of_lines = whole.file.kind == "table" or whole.apart
    return plain and tuple(encodings) == (UTF_8,) and of_lines


def _reread(whole: Share, encodings: Sequence[str]) -> bool:
    """Whether shares of it are told by the names of documents; a text is one, or hangs together."""
    return whole.file.kind == "table" and not _enterable(whole, encodings)


def _cut(whole: Share, encodings: Sequence[str], rereads: int) -> list[Share]:
    count = -(-whole.size // SHARE) or 1
    if _enterable(whole, encodings):
        at = [whole.size * k // count for k in range(count + 1)]
        return (
            [
                replace(whole, number=k, shares=count, begin=at[k], end=at[k + 1])
                for k in range(count)
            ]
            if count > 1
            else [whole]
        )
    count = min(count, rereads) if _reread(whole, encodings) else 1
    return [replace(whole, number=k, shares=count) for k in range(count)]


def pieces(share: Share, reading: Reading, names: NameFinder) -> Iterator[Piece]:
    """What a share holds, piece by piece; what is outside of all periods is left out."""
    file = share.file
    source = _source(share, reading)
    blocks = names.watched(blocks_of(file, source, reading.columns, _layout(share, reading)))
    held: list[Block] = []
    document, period, number, size = "", "", 0, 0
    for block in blocks:
        name = block.source or file.name
        if (
            share.shares > 1
            and share.end is None
            and crc32(name.encode()) % share.shares != (share.number)
        ):
            continue
        when = file.period or _period(block, source, reading)
        if when is None:
            continue
        if share.apart and block.source is None:
            yield Piece(f"{name}:{block.line}:{block.offset}", 0, when, False, file.name, [block])
            continue
        if held and (name != document or when != period or size > PIECE):
            yield Piece(document, number, period, True, file.name, held)
            number = number + 1 if (name, when) == (document, period) else 0
            held, size = [], 0
        document, period = name, when
        held.append(block)
        size += len(block.text)
    if held:
        yield Piece(document, number, period, True, file.name, held)


def _source(share: Share, reading: Reading) -> Source:
    file, problems = share.file, Problems(reading.skip_bad)
    if share.end is not None:
        return _Stretch(file.path, file.name, problems, begin=share.begin, end=share.end)
    source = Source(file.path, file.name, problems)
    if file.path.suffix.lower() != ".parquet":
        source.encoding = fitting(file.path, reading.encodings)
    return source


def _layout(share: Share, reading: Reading) -> Layout | None:
    """That of the whole file, which its beginning tells."""
    if reading.layout is not None or share.file.kind != "text" or share.end is None:
        return reading.layout
    begin: list[tuple[int, str]] = []
    size = 0
    for number, line in Source(share.file.path, share.file.name, Problems(True)).lines():
        begin.append((number, line))
        size += len(line)
        if len(begin) == SAMPLE or size > ENOUGH:
            break
    return guess_layout([line for _, line in begin], [number for number, _ in begin])


def _period(block: Block, source: Source, reading: Reading) -> str | None:
    assert reading.spans is not None
    year = year_in(block.date or "")
    if year is None:
        found = repr(block.date or "nothing")[:80]
        what = f"expected a year such as 1815 or 1815-03-02, found {found}"
        source.problems.broken(source.at(block.line, reading.columns.date), what)
        return None
    return reading.spans.of(year)
