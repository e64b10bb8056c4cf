"""What makes a usage that usage: one digest of its content, the same in every version and place.

Studies, their arcs, resuming and the report know usages by it; vectors in the cache are filed by
the same :func:`digest`, of text and span alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import polars as pl

SIZE = 16  # bytes: among a billion usages two alike are less likely than 1 in 10²⁰
CONTENT = ("word", "period", "id", "text", "start", "end")


def digest(content: str | bytes | Iterable[bytes]) -> bytes:
    """A short name for any content, in one piece or several; other content has another.

    >>> digest("cell").hex()
    'fbe7ed02c5910e939e8f465656755286'
    """
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogatepass")
    made = blake2b(digest_size=SIZE)
    for part in [content] if isinstance(content, bytes) else content:
        made.update(part)
    return made.digest()


def identities(table: pl.DataFrame) -> pl.Series:
    """For each usage 32 letters that follow from its word, period, id, text and span alone.

    Further columns, and where a row stands in the table, do not matter.
    """
    return pl.Series("identity", [one.hex() for one in _digests(table)], dtype=pl.String)


def fingerprint(table: pl.DataFrame) -> str:
    """32 letters for all usages in their order: other usages, or another order, have others."""
    return digest(b"".join(_digests(table))).hex()


def _digests(table: pl.DataFrame) -> Iterable[bytes]:
    for word, period, name, text, start, end in table.select(CONTENT).iter_rows():
        # Lengths first, so that nothing can move from one field to the next unnoticed.
        head = f"{len(word)}:{len(period)}:{len(name)}:{start}:{end}\0"
        yield digest(f"{head}{word}{period}{name}{text}")
