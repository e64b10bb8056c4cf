"""What to do with a broken row: stop with its name, or drop it and remember why."""

from __future__ import annotations

from dataclasses import dataclass, field

from senseshift.errors import InputError

REMEDY = "correct it, or leave broken rows out with skip_bad"


@dataclass
class Problems:
    """The broken rows met so far.

    Attributes
    ----------
    skip
        Whether a broken row is dropped; otherwise the first one is an error.
    messages
        One sentence for each row, or group of rows, that was dropped.
    missing
        Words that turned out to have no usage at all, with the reason.
    """

    skip: bool = False
    messages: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)

    def broken(self, place: str, what: str) -> None:
        """A row that cannot be used: ``place`` names it, ``what`` says why."""
        if not self.skip:
            raise InputError(f"{place}: {what}; {REMEDY}.")
        self.messages.append(f"{place}: {what}.")

    def left_out(self, message: str) -> None:
        """Rows left out because they were not asked for, which is never an error."""
        self.messages.append(message)


def decode(data: bytes, name: str, problems: Problems | None = None) -> str:
    """The text of a UTF-8 file, with or without a byte-order mark.

    With ``problems.skip``, each line that is not UTF-8 is replaced by an empty one, so that the
    numbers of the lines after it stay right.
    """
    if utf_16(data):
        raise InputError(f"{name}: expected UTF-8, found UTF-16: {advice(data)}.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place, what = not_utf8(name, line, error.start, data[error.start], data)
        if problems is None or not problems.skip:
            raise InputError(f"{place}: {what}.") from None
    lines = []
    for number, raw in enumerate(data.split(b"\n"), start=1):
        try:
            lines.append(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError as error:
            problems.broken(*not_utf8(name, number, None, raw[error.start], raw))
            lines.append("")
    return "\n".join(lines)


def not_utf8(
    name: str, line: int, offset: int | None, byte: int, data: bytes = b""
) -> tuple[str, str]:
    """Place and complaint for a line in another encoding; ``data`` helps to guess which."""
    where = "" if offset is None else f" (byte {offset} of the file)"
    return (
        f"{name}, line {line}{where}",
        f"expected UTF-8, found the byte 0x{byte:02x}: {advice(data)}",
    )


def utf_16(data: bytes) -> bool:
    """Whether data begin as UTF-16 does: with its mark, or every other byte zero."""
    begin = data[:200]
    return begin.startswith((b"\xff\xfe", b"\xfe\xff")) or 3 * begin.count(0) > len(begin)


def advice(data: bytes) -> str:
    """How to convert data that are not UTF-8."""
    if utf_16(data):
        kind = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else _order(data)
    elif any(byte in data for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)):
        # Windows-1252 has no such byte, and Latin 1 only control characters.
        return "convert the file first with iconv -f ITS_ENCODING -t UTF-8"
    else:
        kind = "WINDOWS-1252"  # which has all letters of Latin 1 in the same places
    return f"convert the file first, for example with iconv -f {kind} -t UTF-8"


def _order(data: bytes) -> str:
    begin = data[:200]
    return "UTF-16LE" if begin[1::2].count(0) >= begin[::2].count(0) else "UTF-16BE"
