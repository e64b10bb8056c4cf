"""Names: capitalised words inside a sentence, which are no usages of the word they look like.

*Miss Rivers* is no river and *Matching Priory* no match. A capital says so only where a sentence
does not begin, a passage is not all in capitals, and the text does not capitalise its nouns, as
German does and as English did in the eighteenth century.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Literal

from senseshift.corpus.blocks import Block
from senseshift.corpus.tokens import tokenizer

Names = Literal["out", "in"]

# Nouns begin with a capital in German and its neighbours, whatever they are.
CAPITAL_NOUNS = ("de", "lb", "nds", "gsw")
# Where of the words inside sentences more than this begin with a capital, nouns do, too: about a
# third in German, hardly more than a tenth in English of our days.
_MANY, _ENOUGH = 0.2, 200
_BEGINNING = 50_000  # characters of a file by which that is told

_OPENING = "\"'“‘„«»‹›([{¿¡"
# A mark after a blank opens, whether or not another blank follows, as in tokenised text.
_OPENED = re.compile(rf"(?:^|[\s—–-])[{re.escape(_OPENING)}]+[\s*_]*$")
# What may stand between the end of a sentence and the next word.
_BETWEEN = _OPENING + "”’)]}*_-–—•· \t\n\r\xa0"
_ENDING = ".!?…:։؟।॥"
# A full stop after these ends no sentence.
_TITLES = (
    "mr mrs ms messrs mme mlle mm dr drs st ste ss sr sra srta jr prof rev revd hon gen col capt "
    "cpt lt lieut sgt serg maj gov sen rep pres supt adm fr bro sig dott hr frl dhr mevr mej ds"
)
_SHORT = frozenset(f"{_TITLES} vs no nos vol cap ch pp fig sec viz cf mt ft".split())
_LOOK = 100  # characters before a word that are looked at


class NameFinder:
    """Tells names by their capitals, in one file after the other; ``kept`` if they are usages."""

    def __init__(self, language: str, names: Names) -> None:
        self.kept = names == "in"
        self._nouns = language in CAPITAL_NOUNS
        self._begin: list[Block] = []
        self._capitals: bool | None = None

    def watched(self, blocks: Iterator[Block]) -> Iterator[Block]:
        """The blocks of a file, its beginning held so that its habits can be told."""
        self._begin, self._capitals, size = [], None, 0
        if self._nouns:
            return blocks
        for block in blocks:
            self._begin.append(block)
            size += len(block.text)
            if size > _BEGINNING:
                break
        return chain(self._begin, blocks)

    def is_name(self, block: Block, start: int, end: int) -> bool:
        """Whether what stands there is a name, as far as capitals tell."""
        text = block.text
        if self._nouns or block.tokens is not None or not text[start].isupper():
            return False
        if begins_sentence(text, start) or _shouted(text, start, end):
            return False
        if self._capitals is None:
            self._capitals = capitalises_nouns(block.text for block in self._begin)
        return not self._capitals


def begins_sentence(text: str, at: int) -> bool:
    """Whether a sentence, a quotation or a bracket begins at a word.

    >>> [begins_sentence("He saw St. John Rivers. Rivers flow.", at) for at in (11, 24)]
    [False, True]
    """
    before = text[max(at - _LOOK, 0) : at]
    if _OPENED.search(before):
        return True
    bare = before.rstrip(_BETWEEN)
    if not bare or before.count("\n", len(bare)) > 1:
        return True
    if bare[-1] != ".":
        return bare[-1] in _ENDING
    word = bare[bare.rfind(" ") + 1 : -1].lower().lstrip(_OPENING)
    return not (word in _SHORT or (len(word) == 1 and word.isalpha()))


def _shouted(text: str, start: int, end: int) -> bool:
    """Whether a word in capitals has a neighbour in capitals: a heading, or loud speech."""
    if not text[start:end].isupper() or end - start < 2:
        return False
    before, after = text[max(start - _LOOK, 0) : start], text[end : end + _LOOK]
    near = tokenizer(before).findall(before)[-1:] + tokenizer(after).findall(after)[:1]
    return any(len(word) > 1 and word.isupper() for word in near)


def capitalises_nouns(texts: Iterable[str]) -> bool:
    """Whether so many words inside sentences are capitalised that they cannot all be names."""
    inside = capital = 0
    for text in texts:
        for match in tokenizer(text).finditer(text):
            word = match[0]
            if len(word) < 2 or not word[0].isalpha() or word.isupper():
                continue
            if word[0].islower():
                inside += 1
            elif not begins_sentence(text, match.start()):
                inside += 1
                capital += 1
    return inside >= _ENOUGH and capital > _MANY * inside
