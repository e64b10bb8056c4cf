"""What spellings of a word have in common, by the habits of each language.

Case, apostrophes and hyphens are folded for all (:func:`senseshift.corpus.tokens.fold`). Beyond:

- Latin: *u* and *v*, *i* and *j* are one letter each; signs of length and ligatures are undone.
- Russian: *ё* is *е*, as most texts print it.
- Turkish and Azerbaijani: *I* is the capital of *ı*, *İ* that of *i*.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from senseshift.corpus.tokens import fold

_LENGTH = dict.fromkeys(map(ord, "\u0304\u0306"))  # macron and breve
_LATIN = str.maketrans({"v": "u", "V": "U", "j": "i", "J": "I"})
_LIGATURES = str.maketrans({"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe"})
_RUSSIAN = str.maketrans("ёЁ", "еЕ")
_TURKISH = str.maketrans({"I": "ı", "İ": "i"})
DOTLESS = ("tr", "az")


def folded(word: str, language: str, fold_case: bool) -> str:
    """A word without what its spellings differ in.

    >>> folded("Vīta", "la", True), folded("Ёлка", "ru", True), folded("IŞIK", "tr", True)
    ('uita', 'елка', 'ışık')
    """
    if language == "la":
        word = without_length(word).translate(_LATIN)
    elif language == "ru":
        word = word.translate(_RUSSIAN)
    elif language in DOTLESS and fold_case:
        word = word.translate(_TURKISH)
    return fold(word, fold_case)


def without_length(word: str) -> str:
    """A Latin word as dictionaries of running text spell it.

    >>> without_length("puellās"), without_length("cæli")
    ('puellas', 'caeli')
    """
    if word.isascii():
        return word
    plain = unicodedata.normalize("NFD", word).translate(_LENGTH).translate(_LIGATURES)
    return unicodedata.normalize("NFC", plain)


def lowered(word: str, language: str) -> str:
    """Small letters, as the language has them."""
    return (word.translate(_TURKISH) if language in DOTLESS else word).lower()


def lemmas_of(form: str, language: str, lemma: Callable[[str], str]) -> set[str]:
    """The lemmas that a form may have, in the spellings that its language knows."""
    if language != "la":
        return {lemma(form)}
    plain = without_length(form)
    # Dictionaries have uirtus and virtus, and inscriptions VIRTVS.
    return {lemma(plain), lemma(plain.translate(_LATIN))}
