"""Pieces of a corpus: what every reader yields and everything else works on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import is_normalized, normalize


class Token(NamedTuple):
    """A word of a corpus that was annotated.

    ``tag`` is the universal part of speech; empty for a word that has none, None where the corpus
    does not say.
    """

    start: int
    end: int
    form: str
    lemma: str
    tag: str | None


@dataclass(frozen=True, slots=True)
class Block:
    """A line, paragraph, sentence or row of a corpus.

    Attributes
    ----------
    text
        In Unicode normal form C, to which all offsets refer.
    line
        Where it is in its file.
    offset
        How much of the same line, or of the paragraph that begins there, came before.
    document
        Blocks of the same document that follow each other are context of one another.
    whole
        Whether it is one context, rather than text to split into sentences.
    tokens
        Its words, if the corpus was annotated.
    source
        The document it is in, where that is not the file.
    extra
        What else the corpus says of it, told on demand.
    """

    text: str
    line: int
    document: int = 0
    whole: bool = True
    tokens: tuple[Token, ...] | None = None
    date: str | None = None
    source: str | None = None
    offset: int = 0
    extra: Callable[[], Mapping[str, str]] | None = None


def nfc(text: str) -> str:
    """Unicode normal form C, fast where the text has it already."""
    if text.isascii() or is_normalized("NFC", text):
        return text
    return normalize("NFC", text)
