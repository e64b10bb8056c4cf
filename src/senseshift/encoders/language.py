"""Whether usages are in the one language that an encoder knows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from senseshift.encoders.protocol import Span
from senseshift.errors import LanguageWarning

NEAR = 200  # characters on each side of the target that are looked at
KNOWN = 0.4  # share of words in the language's dictionary below which a text is in another
# Words that can tell a language: headings and lists of names have fewer. Letters that are not
# Latin tell by themselves.
FEWEST_WORDS, FEWEST_LETTERS = 6, 4


def is_foreign(text: str, span: Span, language: str) -> bool:
    """Whether a usage does not look like the language, as far as its words can tell.

    >>> is_foreign("Der Hund bellte die ganze Nacht im Hof", (4, 8), "en")
    True
    >>> is_foreign("The dog barked in the yard all night long", (4, 7), "en")
    False
    """
    from simplemma import in_target_language

    near = text[max(0, span[0] - NEAR) : span[1] + NEAR]
    words = sum(any(letter.isalpha() for letter in word) for word in near.split())
    letters = [letter for letter in near if letter.isalpha()]
    other = sum(letter > "\u024f" for letter in letters)  # beyond the Latin blocks
    telling = words >= FEWEST_WORDS or (other >= FEWEST_LETTERS and other > len(letters) / 2)
    return telling and in_target_language(near, lang=language) < KNOWN


def warn_of_foreign(
    rows: Sequence[int], names: Sequence[tuple[str, str]], encoder: str, language: str
) -> None:
    """Say how many usages are in a language that the encoder does not know, if any are."""
    if rows:
        word, name = names[rows[0]]
        warnings.warn(
            f"{len(rows)} of {len(names)} usages are not in the language {language!r}, the only "
            f"one that the encoder {encoder} knows, such as {name!r} of the word {word!r}: their "
            "vectors mean little; xl-lexeme knows a hundred languages.",
            LanguageWarning,
            stacklevel=3,
        )
