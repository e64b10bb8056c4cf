"""Which encoder knows a language, and whether usages are in one that an encoder knows."""

from __future__ import annotations

import unicodedata
import warnings
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from senseshift.encoders.packages import MULTILINGUAL, installed, knows
from senseshift.encoders.protocol import Span
from senseshift.errors import InputError, LanguageWarning, shortened

NEAR = 200  # characters on each side of the target that are looked at
KNOWN = 0.4  # share of words in the language's dictionary below which a text is in another
# Words that can tell a language: headings and lists of names have fewer. Letters that are not
# Latin tell by themselves.
FEWEST_WORDS, FEWEST_LETTERS = 6, 4

DEFAULT = "bundled"
DEFAULT_KNOWS = "en"  # a test holds it against the encoder itself

# Scripts by the first word of their letters' Unicode names; languages not named here are written
# in Latin letters.
SCRIPTS = {
    "CYRILLIC": "be bg kk ky mk mn ru sr tg tt uk",
    "GREEK": "el grc",
    "ARABIC": "ar fa ps ur",
    "HEBREW": "he yi",
    "CJK": "ja zh",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "DEVANAGARI": "hi mr ne sa",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "THAI": "th",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "MALAYALAM": "ml",
}
IN_LATIN_TOO = frozenset({"sr", "hbs", "kk", "ky", "tt"})


def preferred(language: str | None = None) -> str:
    """The encoder for usages in a language where nobody chose one; an error if none knows it.

    The bundled one is taken where it knows the language or nobody says which it is.
    """
    if language is None or language == DEFAULT_KNOWS:
        return DEFAULT
    known, broken = _that_know(language)
    if known:
        return known[0]
    if broken:
        raise broken[0]
    raise InputError(
        f"No encoder that is installed knows the language {shortened(language, 20)!r}: "
        f"{remedy(language)}, or choose one with --encoder (encoder= in Python)."
    )


def _that_know(language: str | None) -> tuple[list[str], list[InputError]]:
    """Installed encoders that know a language, or any, ours first; what is wrong with others."""
    known, broken = [], []
    for name in sorted(installed(), key=lambda name: name != MULTILINGUAL.encoder):
        try:
            if knows(name, language):
                known.append(name)
        except InputError as error:
            broken.append(error)
    return known, broken


def remedy(language: str | None) -> str:
    """What to do for usages in a language, or in one that nobody named."""
    known, _ = _that_know(language)
    if known:
        return f"take the encoder {known[0]}"
    if language is None or language in MULTILINGUAL.languages:
        which = "it" if language else f"{len(MULTILINGUAL.languages)} languages"
        return (
            f"pip install {MULTILINGUAL.name} (or ./packages/{MULTILINGUAL.name} in senseshift's "
            f"repository) brings the encoder {MULTILINGUAL.encoder}, which knows {which}"
        )
    return "xl-lexeme knows a hundred languages (pip install 'senseshift[hf]')"


def is_foreign(text: str, span: Span, languages: str | Sequence[str]) -> bool:
    """Whether a usage does not look like the languages, as far as its letters and words can tell.

    Words are looked up for one language alone: a dozen dictionaries would take a gigabyte.

    >>> is_foreign("Der Hund bellte die ganze Nacht im Hof", (4, 8), "en")
    True
    >>> is_foreign("The dog barked in the yard all night long", (4, 7), "en")
    False
    >>> is_foreign("Собака лаяла всю ночь", (0, 6), ("de", "en"))
    True
    """
    known = (languages,) if isinstance(languages, str) else tuple(languages)
    near = text[max(0, span[0] - NEAR) : span[1] + NEAR]
    letters = [letter for letter in near if letter.isalpha()]
    if len(known) > 1:
        scripts = Counter(script_of(letter) for letter in letters)
        strange = sum(count for script, count in scripts.items() if script not in _scripts(known))
        return strange >= FEWEST_LETTERS and strange > len(letters) / 2
    from simplemma import in_target_language

    words = sum(any(letter.isalpha() for letter in word) for word in near.split())
    other = sum(letter > "\u024f" for letter in letters)  # beyond the Latin blocks
    telling = words >= FEWEST_WORDS or (other >= FEWEST_LETTERS and other > len(letters) / 2)
    try:
        return telling and in_target_language(near, lang=known[0]) < KNOWN
    except ValueError:  # There is no dictionary of this language.
        return False


@lru_cache(4096)
def script_of(letter: str) -> str:
    """The first word of a letter's name.

    >>> script_of("ж"), script_of("é"), script_of("語")
    ('CYRILLIC', 'LATIN', 'CJK')
    """
    return unicodedata.name(letter, "?").partition(" ")[0]


@lru_cache
def _scripts(languages: tuple[str, ...]) -> frozenset[str]:
    of = {script: set(codes.split()) for script, codes in SCRIPTS.items()}
    found = {script for script, codes in of.items() if codes.intersection(languages)}
    elsewhere = set().union(*of.values()) - IN_LATIN_TOO
    latin = {"LATIN"} if set(languages) - elsewhere else set()
    return frozenset(found | latin)


def warn_of_foreign(
    rows: Sequence[int], names: Sequence[tuple[str, str]], encoder: str, languages: Sequence[str]
) -> None:
    """Say how many usages are in a language that the encoder does not know, if any are."""
    if rows:
        word, name = names[rows[0]]
        _warn(f"{len(rows)} of {len(names)} usages", encoder, languages,
              f", such as {name!r} of the word {word!r}", None)  # fmt: skip


def warn_of_language(language: str | None, encoder: str, languages: Sequence[str]) -> bool:
    """Say that usages were found in a language that the encoder does not know, if it is so."""
    strange = language is not None and language not in languages
    if strange:
        _warn(f"The usages, found in the language {language!r},", encoder, languages, "", language)
    return strange


def _warn(
    which: str, encoder: str, languages: Sequence[str], such: str, language: str | None
) -> None:
    one = f"the language {languages[0]!r}, the only one that" if len(languages) == 1 else (
        f"a language that ({', '.join(languages)})"
    )  # fmt: skip
    warnings.warn(
        f"{which} are not in {one} the encoder {encoder} knows{such}: their vectors mean little; "
        f"{remedy(language)}.",
        LanguageWarning,
        stacklevel=4,
    )
