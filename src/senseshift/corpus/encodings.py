"""In which encoding a file is, and what to say of those that are in another one."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from senseshift.errors import InputError, shortened
from senseshift.reading import printable
from senseshift.usages.problems import utf_16

CHUNK = 1 << 18
MARK = b"\xef\xbb\xbf"
UTF_8 = "utf-8"
SHOWN = 5
# Where more of the bytes than this are no ASCII, the script is not Latin.
_FOREIGN = 0.4


class Undecodable(InputError):
    """A file that is not in the encoding it was opened with."""


@dataclass(frozen=True)
class Misfit:
    """Where a file is found to be in another encoding, and which that may be."""

    path: Path
    line: int
    byte: int
    guess: str | None


def encodings_from(asked: str | Sequence[str]) -> tuple[str, ...]:
    """Encodings by name, in the order in which they are tried.

    >>> encodings_from("UTF8, latin1")
    ('utf-8', 'iso8859-1')
    """
    names = asked.split(",") if isinstance(asked, str) else [str(name) for name in asked]
    found = []
    for name in filter(None, map(str.strip, names)):
        try:
            codec = codecs.lookup(name)
            "".encode(name)  # refused by what is no encoding of text, such as base64
        except (LookupError, ValueError):
            raise InputError(
                f"There is no encoding {shortened(repr(name))}: "
                "name one such as utf-8, utf-16, cp1252 or latin-1."
            ) from None
        found.append("utf-8" if codec.name == "utf-8-sig" else codec.name)
    if not found:
        raise InputError("There is no encoding named: give one such as utf-8 or cp1252.")
    return tuple(dict.fromkeys(found))


def raw_chunks(path: Path) -> Iterator[tuple[bytes, int]]:
    """A file, unpacked if it is a .gz, with how many of its bytes each chunk took."""
    try:
        with path.open("rb") as raw:
            unpacked = gzip.GzipFile(fileobj=raw) if path.suffix.lower() == ".gz" else raw
            done = 0
            while chunk := unpacked.read(CHUNK):
                yield chunk, raw.tell() - done
                done = raw.tell()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(
            f"{printable(path)}: expected a complete gzip file, but it cannot be unpacked "
            f"({shortened(str(error))})."
        ) from None
    except OSError as error:
        raise InputError(f"{printable(path)} cannot be read: {error.strerror or error}.") from None


def fitting(path: Path, encodings: Sequence[str]) -> str:
    """The first encoding that a file can be read in; the first of all if there is none."""
    if len(encodings) == 1:
        return encodings[0]
    return next((name for name in encodings if _fits(path, name)), encodings[0])


def _fits(path: Path, encoding: str) -> bool:
    if encoding.startswith(("utf-16", "utf-32")):
        # Nearly any bytes can be read so, and make no sense.
        begin = next((chunk for chunk, _ in raw_chunks(path)), b"")
        return utf_16(begin) and misfit(path, encoding) is None
    return misfit(path, encoding) is None


def misfit(path: Path, encoding: str) -> Misfit | None:
    """The first place where a file is not in an encoding, if there is one."""
    decoder, line, chunk = codecs.getincrementaldecoder(encoding)(), 1, b""
    for chunk, _ in raw_chunks(path):
        if line == 1 and encoding == UTF_8 and utf_16(chunk):
            return Misfit(path, 1, chunk[0], guess(chunk))
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError as error:
            found = error.object
            line += found.count(b"\n", 0, error.start)
            return Misfit(path, line, found[error.start], guess(found))
        except UnicodeError:
            return Misfit(path, line, chunk[0], guess(chunk))
        line += chunk.count(b"\n")
    try:
        decoder.decode(b"", True)
    except UnicodeError:
        return Misfit(path, line, chunk[-1], guess(chunk))
    return None


def guess(data: bytes) -> str | None:
    """The encoding of data that are not UTF-8; None where nothing speaks for any.

    >>> guess("Naïve".encode("latin-1")), guess("“Oh”, she said".encode("cp1252"))
    ('latin-1', 'cp1252')
    >>> guess("Oh".encode("utf-16")), guess("да".encode("cp1251"))
    ('utf-16', None)
    """
    if utf_16(data):
        if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        return "utf-16-le" if data[1:200:2].count(0) >= data[0:200:2].count(0) else "utf-16-be"
    high = data.translate(None, bytes(range(0x80)))
    if len(high) > _FOREIGN * len(data):
        return None
    # Latin-1 has only control characters there, Windows-1252 quotation marks and dashes.
    between = set(high) & set(range(0x80, 0xA0))
    if between & {0x81, 0x8D, 0x8F, 0x90, 0x9D}:
        return None
    return "cp1252" if between else "latin-1"


def looks_like_text(path: Path) -> bool:
    """Whether a file whose name does not tell is text, by its beginning."""
    try:
        begin = next((chunk for chunk, _ in raw_chunks(path)), b"")[:4096]
    except InputError:
        return False
    if utf_16(begin):
        return begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    controls = begin.translate(None, bytes(range(0x20, 0x100)) + b"\t\n\r\f\v\x1b")
    return bool(begin.strip()) and not controls and not begin.startswith((b"%PDF", b"{\\rtf"))


def complaint(misfits: Sequence[Misfit], others: int, encodings: Sequence[str]) -> str:
    """One sentence on all files that are in another encoding than was said."""
    named = [f"{printable(m.path)} (line {m.line}, byte 0x{m.byte:02x})" for m in misfits[:SHOWN]]
    more = f" and {len(misfits) - SHOWN:,} more" if len(misfits) > SHOWN else ""
    one = len(misfits) == 1
    said = " or ".join(name.upper() if name == UTF_8 else name for name in encodings)
    guesses = dict.fromkeys(m.guess for m in misfits)
    if "cp1252" in guesses:
        guesses.pop("latin-1", None)  # which is in it, as far as text goes
    # What fits nearly any file comes last.
    likely = sorted(filter(None, guesses), key=("cp1252", "latin-1").__contains__)
    text = (
        f"{len(misfits):,} of {len(misfits) + others:,} files {'is' if one else 'are'} not {said}: "
        f"{', '.join(named)}{more}"
        if len(misfits) + others > 1
        else f"{printable(misfits[0].path)}, line {misfits[0].line}: expected {said}, "
        f"found the byte 0x{misfits[0].byte:02x}"
    )
    if None in guesses or not likely:
        return f"{text}; say with --encoding (in Python encoding=) which it is, such as cp1251."
    name = ",".join([*(encodings if others else ()), *likely])
    each = ", by which each file is read in the first that fits it," if "," in name else ""
    return (
        f"{text}; {'it looks' if one else 'they look'} like {' and '.join(likely)}: say "
        f"--encoding {name} (in Python encoding={name!r}){each} or leave broken lines out "
        "with skip_bad."
    )
