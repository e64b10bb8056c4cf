"""Plain text: one sentence a line, one paragraph a line, or running text that wraps."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import IO, Literal

from senseshift.corpus.blocks import Block, nfc
from senseshift.errors import InputError
from senseshift.usages.problems import Problems, not_utf8

Layout = Literal["lines", "paragraphs", "running"]
Advance = Callable[[int], None]

CHUNK = 1 << 18
# A line or a paragraph longer than this is cut, so that memory stays bounded.
LONGEST = 1 << 18
SAMPLE = 500

_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s+(?=\W*[^\W\d_a-z])")


def open_binary(path: Path) -> tuple[IO[bytes], IO[bytes]]:
    """A file and, for .gz, what is packed in it; (raw, unpacked)."""
    raw = path.open("rb")
    return raw, gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw  # type: ignore[return-value]


def read_lines(
    path: Path, problems: Problems, advance: Advance, longest: int | None = None
) -> Iterator[tuple[int, str]]:
    """Numbered lines of a UTF-8 file in normal form C, without holding the file in memory.

    Empty lines are left out, which the numbers show. ``advance`` is told how many bytes were read.
    A line of more bytes than ``longest`` comes in pieces with the same number.
    """
    number, rest = 1, b""
    for chunk in _chunks(path, advance):
        rest += chunk
        cut = rest.rfind(b"\n") + 1
        if not cut and longest is not None and len(rest) > longest:
            cut = rest.rfind(b" ") + 1
        if cut:
            lines = _decoded(rest[:cut], path, number, problems)
            yield from ((number + k, line) for k, line in enumerate(lines) if line)
            number, rest = number + len(lines) - 1, rest[cut:]
    lines = _decoded(rest, path, number, problems)
    yield from ((number + k, line) for k, line in enumerate(lines) if line)


def _chunks(path: Path, advance: Advance) -> Iterator[bytes]:
    raw, unpacked = open_binary(path)
    with raw:
        try:
            first, done = True, 0
            while chunk := unpacked.read(CHUNK):
                yield chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk
                first = False
                advance(raw.tell() - done)
                done = raw.tell()
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(
                f"{path}: expected a complete gzip file, but it cannot be unpacked ({error})."
            ) from None


def _decoded(data: bytes, path: Path, number: int, problems: Problems) -> list[str]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        lines = []
        for raw in data.split(b"\n"):
            try:
                lines.append(raw.decode())
            except UnicodeDecodeError as error:
                place = not_utf8(str(path), number + len(lines), None, raw[error.start])
                problems.broken(*place)
                lines.append("")
        text = "\n".join(lines)
    return nfc(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")


def blocks(
    path: Path, layout: Layout | None, problems: Problems, advance: Advance
) -> Iterator[Block]:
    """The contexts of a text file, or the paragraphs they are in."""
    lines = read_lines(path, problems, advance, LONGEST)
    if layout is None:
        begin = list(islice(lines, SAMPLE))
        layout = guess_layout([line for _, line in begin], [number for number, _ in begin])
        lines = chain(begin, lines)
    if layout == "running":
        yield from _paragraphs(lines)
    else:
        last = offset = 0
        for number, line in lines:
            offset = offset if number == last else 0
            if stripped := line.strip():
                yield Block(stripped, number, whole=layout == "lines", offset=offset)
            last, offset = number, offset + len(line)


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
