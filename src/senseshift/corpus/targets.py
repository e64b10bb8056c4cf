"""The words to look for: from a list or a file, by lemma, form, regular expression or phrase."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from unicodedata import normalize

from senseshift.corpus.tokens import split_words
from senseshift.errors import InputError
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
        The regular expression, if it is one.
    """

    name: str
    words: tuple[str, ...] = ()
    tag: str | None = None
    pattern: re.Pattern[str] | None = None


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
        targets.setdefault(name, _target(name, sought, by, fold_case))
    if not targets:
        raise InputError("There is no word to look for: give at least one.")
    return list(targets.values())


def _target(name: str, sought: str, by: By, fold_case: bool) -> Target:
    sought = normalize("NFC", sought.strip())
    if by == "regex":
        try:
            flags = re.IGNORECASE if fold_case else re.NOFLAG
            return Target(name, pattern=re.compile(sought, flags))
        except re.error as error:
            raise InputError(f"The regular expression {sought!r} is broken: {error}.") from None
    bare, tag = split_tag(sought)
    bare = bare.replace("_", " ")
    words = split_words(bare)
    if not words or "".join(words) != "".join(bare.split()):
        raise InputError(
            f"The word {sought!r} holds characters that are never part of a word: "
            "look for it with by='regex'."
        )
    return Target(name, tuple(words), tag)


def _asked(words: Words, by: By) -> list[tuple[str, str]]:
    """Pairs of a name and what to look for under it."""
    if isinstance(words, Mapping):
        return [(str(name), str(sought)) for name, sought in words.items()]
    if isinstance(words, str):
        path = Path(words)
        looks_like_file = path.suffix in (".txt", ".csv", ".tsv") or "/" in words
        words = path if looks_like_file or path.is_file() else [words]
    if not isinstance(words, Path):
        return [(str(word), str(word)) for word in words]
    if not words.is_file():
        raise InputError(
            f"{words} does not exist: give a list of words, or a file with one a line."
        )
    pairs = []
    for line in decode(words.read_bytes(), str(words)).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, rest = line.partition("\t")
        # Only expressions have names of their own; elsewhere further columns are something else.
        pairs.append((name, rest if by == "regex" and rest.strip() else name))
    return pairs
