"""Whether a sense is written as names are: with a capital where the word's other usages have none.

That *maxim* gained a sense because of a person called Maxim should be seen at once; whether the
House of a parliament is a sense or a name is for the reader to decide.
"""

from __future__ import annotations

from collections.abc import Sequence

MOSTLY, SELDOM = 0.5, 0.2  # share of capitals in such a sense, and among the other usages
FEWEST = 3  # usages that tell, in the sense and outside
# What a sentence, a quotation or a heading may begin after: a capital there says nothing.
BEGINS = frozenset(".!?:;…|*/—–-([{\"'“”„‘’«»‹›¿¡")


def has_capital(text: str, start: int, end: int) -> bool | None:
    """Whether a usage has a capital; None where nothing follows from that.

    >>> has_capital("We met Maxim there", 7, 12), has_capital("a maxim of his", 2, 7)
    (True, False)
    >>> has_capital("Maxim was late", 0, 5), has_capital("AN OLD MAXIM", 7, 12)
    (None, None)
    """
    target, before = text[start:end], text[:start].rstrip()
    if not before or before[-1] in BEGINS or (target.isupper() and len(target) > 1):
        return None
    return target[:1].isupper()


def as_names(capitals: Sequence[bool | None], inside: Sequence[int]) -> tuple[int, int] | None:
    """In how many usages of a sense, of those that tell, the word has a capital as names have.

    None where the sense is not mostly written so, or the others are as well.
    """
    members = set(inside)
    own = [found for k in inside if (found := capitals[k]) is not None]
    rest = [found for k, found in enumerate(capitals) if k not in members and found is not None]
    if min(len(own), len(rest)) < FEWEST:
        return None
    if sum(own) < MOSTLY * len(own) or sum(rest) > SELDOM * len(rest):
        return None
    return sum(own), len(own)
