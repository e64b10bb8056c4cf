"""The words to look for: from a list or a file, by lemma, form, regular expression or phrase."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from unicodedata import normalize

from senseshift.corpus.tokens import is_unspaced, split_words
from senseshift.errors import InputError, shortened
from senseshift.reading import contents, is_there, printable
from senseshift.usages.problems import decode

By = Literal["lemma", "form", "regex"]
Words = str | Path | Sequence[str] | Mapping[str, str]

# Parts of speech as word lists and corpora abbreviate them, by their universal tag.
_SUFFIXES = {
    "NOUN": ("nn", "n", "noun", "sub"),
    "VERB": ("vb", "v", "verb"),
    "ADJ": ("jj", "a", "adj"),
    "ADV": ("rb", "r", "adv"),
}
TAGS = {suffix: tag for tag, suffixes in _SUFFIXES.items() for suffix in suffixes}
# How the names of files with lists of words end.
_LISTS = (".txt", ".csv", ".tsv", ".tab", ".lst", ".list", ".words", ".dat")
# In an expression only a comma outside of brackets separates.
_COMMA = re.compile(r",(?![^{\[(]*[}\])])")
_SUFFIXED = re.compile(rf"(.+)_({'|'.join(TAGS)})", re.IGNORECASE)


@dataclass(frozen=True)
class Target:
    """A word to look for.

    Attributes
    ----------
    name
        What its usages will be called: the word as it was asked for.
    words
        What to look for: one word, or several in a row; none for a regular expression.
    tag
        Universal part of speech, if the name asks for one, as ``attack_nn`` does.
    pattern
        The regular expression, if it is one, or if its script has no spaces between words.
    """

    name: str
    words: tuple[str, ...] = ()
    tag: str | None = None
    pattern: re.Pattern[str] | None = None

    @property
    def may_be_name(self) -> bool:
        """Whether it was asked for as names are written, or may mean anything."""
        return self.pattern is not None or self.words[0][:1].isupper()


def split_tag(word: str) -> tuple[str, str | None]:
    """A word and its part of speech, where a suffix says it.

    >>> split_tag("attack_nn")
    ('attack', 'NOUN')
    >>> split_tag("hot_dog")
    ('hot_dog', None)
    """
    match = _SUFFIXED.fullmatch(word)
    return (match[1], TAGS[match[2].lower()]) if match else (word, None)


def targets_from(words: Words, by: By, fold_case: bool) -> list[Target]:
    """The targets that a list, a mapping ``name: what to look for`` or a file asks for."""
    if by not in get_args(By):
        raise InputError(f"by={by!r} is not one of {', '.join(get_args(By))}.")
    asked = _asked(words, by)
    targets: dict[str, Target] = {}
    for name, sought in asked:
        name = normalize("NFC", name.strip())
        if not name or not sought.strip():
            raise InputError("A word to look for is empty: remove it from the list.")
        if not _is_unicode(name):
            raise InputError(f"The word {printable(name)} is no Unicode text: write it in UTF-8.")
        targets.setdefault(name, _target(name, sought, by, fold_case))
    if not targets:
        raise InputError("There is no word to look for: give at least one.")
    return list(targets.values())


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _target(name: str, sought: str, by: By, fold_case: bool) -> Target:
    sought = normalize("NFC", sought.strip())
    if by == "regex":
        try:
            flags = re.IGNORECASE if fold_case else re.NOFLAG
            return Target(name, pattern=re.compile(sought, flags))
        except (re.error, RecursionError, OverflowError) as error:
            raise InputError(
                f"The regular expression {shortened(sought)!r} is broken: {shortened(str(error))}."
            ) from None
    bare, tag = split_tag(sought)
    bare = bare.replace("_", " ")
    words = split_words(bare)
    if not words or "".join(words) != "".join(bare.split()):
        raise InputError(
            f"The word {shortened(sought)!r} holds characters that are never part of a word: "
            "look for it with by='regex'."
        )
    # Where words have no spaces between them, they are found wherever they stand.
    inside = by == "form" and any(map(is_unspaced, bare))
    flags = re.IGNORECASE if fold_case else re.NOFLAG
    return Target(name, tuple(words), tag, re.compile(re.escape(bare), flags) if inside else None)


def _asked(words: Words, by: By) -> list[tuple[str, str]]:
    """Pairs of a name and what to look for under it."""
    if isinstance(words, str | Path):
        words = word_list(words, by)
    if isinstance(words, Mapping):
        return [(str(name), str(sought)) for name, sought in words.items()]
    return [(str(word), str(word)) for word in words]


def word_list(words: str | Path, by: By = "lemma") -> dict[str, str]:
    """Words as they are given in one string: names with commas, or a file with one a line.

    Returns what to look for under each name. In a file, lines that begin with ``#`` and what
    follows a tab are left aside (in a .csv, what follows a comma); with ``by="regex"`` an
    expression may follow the tab.

    >>> word_list("cell, hot dog")
    {'cell': 'cell', 'hot dog': 'hot dog'}
    """
    path = Path(words)
    if not _names_file(str(words), by) and not (isinstance(words, Path) or _is_file(path)):
        names = _COMMA.split(str(words)) if by == "regex" else str(words).split(",")
        return {name.strip(): name.strip() for name in names if name.strip()}
    if not _is_file(path):
        raise InputError(
            f"{printable(path)} does not exist: give words with commas between them, "
            "or a file with one a line."
        )
    pairs: dict[str, str] = {}
    for line in decode(contents(path), printable(path)).splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, rest = line.partition("\t")
            # Only expressions have names of their own; further columns are something else.
            if by != "regex" and path.suffix.lower() == ".csv":
                name = name.partition(",")[0].strip().strip('"')
            pairs.setdefault(name.strip(), rest if by == "regex" and rest.strip() else name)
    return pairs


def _names_file(words: str, by: By) -> bool:
    """Whether this can only be meant as the name of a file."""
    path = Path(words)
    return path.suffix.lower() in _LISTS or (by != "regex" and ("/" in words or "\\" in words))


def _is_file(path: Path) -> bool:
    return is_there(path) and path.is_file()
