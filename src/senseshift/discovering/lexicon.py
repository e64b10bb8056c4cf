"""Which word a form in running text is of, and where in the form it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from senseshift.corpus.blocks import Block
from senseshift.corpus.matching import REMEMBERED, lemmatizer
from senseshift.corpus.names import NameFinder
from senseshift.corpus.tokens import inner_words, tokenizer
from senseshift.errors import InputError

CAPITAL_NOUNS = ("de", "lb", "nds", "gsw")


class Entry(NamedTuple):
    """A word and its span inside the form."""

    word: str
    start: int
    end: int


class Occurrence(NamedTuple):
    """A form in a block: where it stands, and whether it is a name."""

    form: str
    start: int
    end: int
    name: bool


class Lexicon:
    """Words of forms, each form looked up once: by simplemma, or as the corpus has it."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._nouns = language in CAPITAL_NOUNS
        self._known: dict[str, Entry] = {}
        try:
            self._lemma: Callable[[str], str] = lemmatizer(language)
        except InputError:  # no dictionary: forms stand for themselves
            self._lemma = lambda form: form

    def entry(self, form: str) -> Entry:
        """The word that a form is of."""
        found = self._known.get(form)
        if found is None:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            found = self._known[form] = self._looked_up(form)
        return found

    def _looked_up(self, form: str) -> Entry:
        start, end = next(inner_words(form, self._language, False), (0, len(form)))
        bare = form[start:end]
        if not self._nouns or (bare.isupper() and len(bare) > 1):
            bare = bare.lower()
        lemma = self._lemma(bare)
        return Entry(lemma if self._nouns else lemma.lower(), start, end)


def raw_forms(block: Block) -> list[str]:
    """All forms of a block of raw text."""
    return tokenizer(block.text).findall(block.text)


def names_in(block: Block, names: NameFinder) -> Iterator[str]:
    """The forms of a block that are names where they stand, as far as capitals tell."""
    text = block.text
    if text.islower():
        return
    for match in tokenizer(text).finditer(text):
        if text[match.start()].isupper() and names.is_name(block, match.start(), match.end()):
            yield match.group()


def occurrences(
    block: Block, names: NameFinder, wanted: Callable[[str], bool]
) -> Iterator[Occurrence]:
    """Where the wanted forms of a block of raw text stand."""
    text = block.text
    for match in tokenizer(text).finditer(text):
        form = match.group()
        if wanted(form):
            start, end = match.span()
            yield Occurrence(form, start, end, names.is_name(block, start, end))
