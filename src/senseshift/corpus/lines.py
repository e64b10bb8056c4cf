"""The lines of a file, of any length and in any encoding, without holding the file in memory."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from senseshift.corpus.blocks import nfc
from senseshift.corpus.encodings import MARK, UTF_8, Undecodable, raw_chunks
from senseshift.reading import printable
from senseshift.usages.problems import Problems, utf_16

Advance = Callable[[int], None]

_STOP = "。".encode()


@dataclass
class Source:
    """A file that is being read, and what its reader learns of it.

    Attributes
    ----------
    path
        The file.
    name
        What ids and sources call it.
    problems
        What cannot be read goes there.
    advance
        Told how many bytes were read.
    encoding
        How its text is encoded.
    layout
        How its text was found to be laid out, if it is one.
    """

    path: Path
    name: str
    problems: Problems
    advance: Advance = lambda count: None
    encoding: str = UTF_8
    layout: str | None = None

    def at(self, line: int, column: str | None = None) -> str:
        """The name of a place in the file."""
        return f"{printable(self.path)}, line {line}" + (f", column {column}" if column else "")

    def lines(self, longest: int | None = None) -> Iterator[tuple[int, str]]:
        """Numbered lines in normal form C; blank ones are left out, which the numbers show.

        A line of more bytes than ``longest`` comes in pieces with the same number, cut at a blank
        if there is one.
        """
        number, size = 1, 0
        held: list[bytes] = []
        for chunk in self._chunks():
            cut = chunk.rfind(b"\n") + 1
            if not cut and longest is not None and size + len(chunk) > longest:
                cut = _cut(chunk)
            if cut:
                lines = self._decoded(b"".join([*held, chunk[:cut]]), number)
                yield from (
                    (number + k, line)
                    for k, line in enumerate(lines)
                    if line and not line.isspace()
                )
                number += len(lines) - 1
                held, size = [], 0
            held.append(chunk[cut:])
            size += len(chunk) - cut
        lines = self._decoded(b"".join(held), number)
        yield from (
            (number + k, line) for k, line in enumerate(lines) if line and not line.isspace()
        )

    def _chunks(self) -> Iterator[bytes]:
        """The file in UTF-8, whatever it was in."""
        plain = self.encoding == UTF_8
        decoder = codecs.getincrementaldecoder(self.encoding)()
        first = True
        for chunk, size in raw_chunks(self.path):
            try:
                if first and plain and utf_16(chunk):
                    raise UnicodeError
                text = chunk if plain else decoder.decode(chunk).encode()
            except UnicodeError:
                self._misfit()
                return
            yield text.removeprefix(MARK) if first else text
            first = False
            self.advance(size)
        if not plain:
            try:
                yield decoder.decode(b"", True).encode()
            except UnicodeError:
                self._misfit()

    def _misfit(self) -> None:
        """Without lines that could be left out singly, the rest of the file is."""
        if not self.problems.skip:
            raise Undecodable(f"{printable(self.path)} is not {self.encoding}.")
        what = f"expected {self.encoding}, found another encoding; what follows was left out"
        self.problems.broken(printable(self.path), what)

    def _decoded(self, data: bytes, number: int) -> list[str]:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            if not self.problems.skip:
                raise Undecodable(f"{printable(self.path)} is not {self.encoding}.") from None
            text = "\n".join(self._readable(data, number))
        return nfc(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")

    def _readable(self, data: bytes, number: int) -> Iterator[str]:
        for k, raw in enumerate(data.split(b"\n")):
            try:
                yield raw.decode()
            except UnicodeDecodeError as error:
                what = f"expected UTF-8, found the byte 0x{raw[error.start]:02x}"
                self.problems.broken(self.at(number + k), what)
                yield ""


def _cut(chunk: bytes) -> int:
    """Where a line that is too long is cut: after a blank or a full stop, or between letters."""
    cut = max(chunk.rfind(b" ") + 1, (chunk.rfind(_STOP) + len(_STOP)) if _STOP in chunk else 0)
    if not cut:
        cut = len(chunk)
        # Not inside a letter: its first byte has the two highest bits, its other bytes only one.
        while cut > 1 and len(chunk) - cut < 3 and chunk[cut - 1] & 0xC0 == 0x80:
            cut -= 1
        if chunk[cut - 1] >= 0xC0 and cut > 1:
            cut -= 1
        elif cut < len(chunk) and chunk[cut - 1] < 0x80:
            cut = len(chunk)  # no UTF-8 anyway, which is told elsewhere
    return cut
