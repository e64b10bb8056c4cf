"""Words in raw text: where they begin and end, and what inside a word may be a target.

A word is a run of letters, digits and combining marks; hyphens and apostrophes between them belong
to it. So a hyphenated compound (``cell-phone``) is a word of its own and no usage of ``cell``,
while clitics are looked through: ``cell's``, ``don't``, ``l'eau`` and French ``dit-il`` hold
``cell``, ``do``, ``eau`` and ``dit``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

APOSTROPHES = "'’ʼ"
HYPHENS = "-‐‑"
SOFT_HYPHEN = "\xad"

_FOLDED = str.maketrans({"’": "'", "ʼ": "'", "‐": "-", "‑": "-", SOFT_HYPHEN: None})
_PLAIN = str.maketrans("’ʼ‐‑", "''--")
_ASCII = re.compile(r"[A-Za-z0-9]+(?:['\-][A-Za-z0-9]+)*")

# English clitics follow their word; Romance ones come before it.
_AFTER = re.compile("s|d|m|re|ve|ll")
_BEFORE = re.compile(
    "l|d|j|m|t|s|n|c|qu|jusqu|lorsqu|puisqu|quoiqu"  # French, Catalan
    "|un|gl|v|(?:de|a|ne|su|da|co)ll|(?:de|a|ne)gl|quest|quell|bell|sant"  # Italian
)
# Pronouns that a hyphen ties to a verb.
_TIED = {
    "fr": re.compile("t|je|tu|on|nous|vous|(?:il|elle)s?|ce|ci|là|moi|toi|l[ea]s?|lui|leur|y|en"),
    "pt": re.compile("[mts]e|[nv]?os|[ln]?[oa]s?|lhes?"),
}
UNSPACED = ("CJK ", "HIRAGANA", "KATAKANA", "THAI", "LAO ", "KHMER", "MYANMAR")
_NEVER = re.compile("(?!)")


def tokenizer(text: str) -> re.Pattern[str]:
    """The expression that finds the words of a text; the one for ASCII is faster."""
    return _ASCII if text.isascii() else _unicode()


@cache
def _unicode() -> re.Pattern[str]:
    """Words in any script; ``\\w`` lacks the combining marks that Indic scripts need."""
    marks = [code for code in range(0x10000) if unicodedata.category(chr(code))[0] == "M"]
    ranges, first = [], marks[0]
    for code, following in zip(marks, [*marks[1:], -1], strict=True):
        if following != code + 1:
            ranges.append(f"{chr(first)}-{chr(code)}")
            first = following
    run = rf"[^\W_]+(?:[{''.join(ranges)}{SOFT_HYPHEN}\u200c\u200d]+[^\W_]*)*"
    return re.compile(rf"{run}(?:[{APOSTROPHES}{re.escape(HYPHENS)}]{run})*")


def split_words(text: str) -> list[str]:
    """The words of a text.

    >>> split_words("Don’t touch the cell-phones -- naïve _owner_!")
    ['Don’t', 'touch', 'the', 'cell-phones', 'naïve', 'owner']
    """
    return tokenizer(text).findall(text)


def is_unspaced(letter: str) -> bool:
    """Whether a letter is of a script that has no spaces between words.

    >>> is_unspaced("語"), is_unspaced("o")
    (True, False)
    """
    return not letter.isascii() and unicodedata.name(letter, "").startswith(UNSPACED)


def fold(word: str, fold_case: bool) -> str:
    """What two spellings of a word have in common: apostrophes, hyphens and, if asked, case."""
    if not word.isascii():
        word = word.translate(_FOLDED)
    return word.casefold() if fold_case else word


def inner_words(token: str, language: str, compounds: bool) -> Iterator[tuple[int, int]]:
    """Spans inside a token that are words of their own.

    >>> [("l'eau")[a:b] for a, b in inner_words("l'eau", "fr", False)]
    ['eau']
    >>> list(inner_words("o'clock", "en", False))
    []
    """
    if token.isalnum():
        return
    # One for one, so that offsets stay; lower() may change the length of a few rare letters.
    plain = token.translate(_PLAIN)
    plain = lower if len(lower := plain.lower()) == len(plain) else plain
    start, end = 0, len(token)
    head, apostrophe, _ = plain.partition("'")
    if apostrophe and _BEFORE.fullmatch(head):
        start = len(head) + 1
    stem, apostrophe, tail = plain.rpartition("'")
    if apostrophe and len(stem) >= start:
        if _AFTER.fullmatch(tail):
            end = len(stem)
        elif tail == "t" and stem.endswith("n") and len(stem) > 2:
            end = len(stem) - 1
    tied = _TIED.get(language, _NEVER)
    while (cut := plain.rfind("-", start, end)) > start and tied.fullmatch(plain, cut + 1, end):
        end = cut
    if (start, end) != (0, len(token)):
        yield start, end
    if compounds and "-" in plain[start:end]:
        for match in re.finditer(r"[^-]+", plain[start:end]):
            yield start + match.start(), start + match.end()
