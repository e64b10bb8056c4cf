"""Which word a form in running text is of, and where in the form it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from senseshift.corpus.blocks import Block
from senseshift.corpus.matching import REMEMBERED, lemmatizer
from senseshift.corpus.names import NameFinder
from senseshift.corpus.tokens import inner_words, tokenizer
from senseshift.errors import InputError

# A word of ASCII, as the tokenizer finds it, that begins with a capital.
_CAPITAL = re.compile(
    r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]['\-])[A-Z][A-Za-z0-9]*(?:['\-][A-Za-z0-9]+)*"
)
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
        self._words: dict[str, str] = {}  # without their spans, which most of the work needs
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

    def words(self, block: Block) -> list[str]:
        """The words of a block of raw text, one after the other."""
        forms, known = tokenizer(block.text).findall(block.text), self._words
        try:
            return list(map(known.__getitem__, forms))
        except KeyError:
            if len(known) > REMEMBERED:
                known.clear()
            known.update((form, self.entry(form).word) for form in set(forms).difference(known))
            return list(map(known.__getitem__, forms))

    def _looked_up(self, form: str) -> Entry:
        start, end = next(inner_words(form, self._language, False), (0, len(form)))
        bare = form[start:end]
        if not self._nouns or (bare.isupper() and len(bare) > 1):
            bare = bare.lower()
        lemma = self._lemma(bare)
        return Entry(lemma if self._nouns else lemma.lower(), start, end)


def names_in(block: Block, names: NameFinder) -> Iterator[str]:
    """The forms of a block that are names where they stand, as far as capitals tell."""
    text = block.text
    if text.isascii():  # to look at the capitals alone is much faster
        for match in _CAPITAL.finditer(text):
            if names.is_name(block, *match.span()):
                yield match.group()
        return
    for match in tokenizer(text).finditer(text):
        if text[match.start()].isupper() and names.is_name(block, match.start(), match.end()):
            yield match.group()


def occurrences(
    block: Block, names: NameFinder, lexicon: Lexicon, words: Container[str]
) -> Iterator[Occurrence]:
    """Where the forms of some words stand in a block of raw text."""
    text = block.text
    pattern = tokenizer(text)
    forms = {form for form in set(pattern.findall(text)) if lexicon.entry(form)[0] in words}
    if not forms:
        return
    for match in pattern.finditer(text):
        form = match.group()
        if form in forms:
            start, end = match.span()
            yield Occurrence(form, start, end, names.is_name(block, start, end))
