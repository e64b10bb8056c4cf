"""A usage in a line: its target between as much of its text as fits."""

from __future__ import annotations

import re

AROUND = 40  # characters of context on either side of a target


def in_context(text: str, start: int, end: int, around: int = AROUND) -> tuple[str, str, str]:
    """A target between as much of its context as fits in a table, white space folded.

    >>> in_context("a team with the third-worst record of them all", 28, 34, around=12)
    ('… third-worst ', 'record', ' of them all')
    """
    left, right = text[:start], text[end:]
    if len(left) > around:  # cut at a space, unless one long word is all there is
        left = left[-around:]
        left = "… " + (left.split(" ", 1)[1] if " " in left.strip() else left)
    if len(right) > around:
        right = right[:around]
        right = (right.rsplit(" ", 1)[0] if " " in right.strip() else right) + " …"
    before, target, after = (re.sub(r"\s+", " ", part) for part in (left, text[start:end], right))
    return before.lstrip(), target, after.rstrip()
