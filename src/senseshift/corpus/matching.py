"""Where the targets are in a block of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from senseshift.corpus.blocks import Block, Token
from senseshift.corpus.spelling import folded, lemmas_of, lowered
from senseshift.corpus.targets import By, Target
from senseshift.corpus.tokens import inner_words, tokenizer
from senseshift.errors import InputError

# Forms remembered as no target's; forgotten all at once so that memory stays bounded.
REMEMBERED = 500_000


class Match(NamedTuple):
    """A target found in a block: its number among the targets and its span."""

    target: int
    start: int
    end: int


class _Part(NamedTuple):
    """A word inside a token that targets may consist of, under all names it may be sought by."""

    start: int
    end: int
    names: frozenset[str]


class Matcher:
    """Finds targets, and counts running words; looks at each distinct form of a word once.

    Raw text is cut into words and most blocks are dismissed by two set operations on them; only
    blocks that hold the first word of a target are looked at word by word.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        by: By,
        language: str,
        *,
        fold_case: bool = True,
        compounds: bool = False,
    ) -> None:
        self.by, self.language = by, language
        self._fold_case, self._compounds = fold_case, compounds
        self._patterns = [(k, t.pattern) for k, t in enumerate(targets) if t.pattern is not None]
        self._phrases = [tuple(map(self._fold, t.words)) for t in targets]
        self._tags = [t.tag for t in targets]
        self._sought = frozenset(word for phrase in self._phrases for word in phrase)
        self._by_first: dict[str, list[int]] = {}
        for number, phrase in enumerate(self._phrases):
            if phrase:
                self._by_first.setdefault(phrase[0], []).append(number)
        self.tokens = 0
        self._lemmatize: Callable[[str], str] | None = None
        self._known: set[str] = set()
        self._parts: dict[str, tuple[_Part, ...]] = {}
        self._firsts: set[str] = set()

    def match(self, block: Block) -> Iterable[Match]:
        """All targets in a block, in their order in the text; ``tokens`` says how many words."""
        tokens = tokenizer(block.text).findall(block.text)
        self.tokens = len(tokens)
        if self.by == "regex":
            return self._expressions(block.text)
        if block.tokens is not None:
            return self._annotated(block.tokens)
        if not self._known.issuperset(tokens):
            self._learn(tokens)
        if self._firsts.isdisjoint(tokens):
            found: Iterable[Match] = ()
        else:
            found = self._raw(block.text, tokens)
        if not self._patterns:
            return found
        # Words of scripts without spaces, inside what else is one long word.
        return sorted({*found, *self._expressions(block.text)}, key=lambda m: (m.start, m.end))

    @property
    def lemmatizes(self) -> bool:
        """Whether raw text was met, for which lemmas had to be found."""
        return self._lemmatize is not None

    def lemma(self, form: str) -> str:
        """The lemma of a form by simplemma."""
        if self._lemmatize is None:
            self._lemmatize = lemmatizer(self.language)
        return self._lemmatize(form)

    def _fold(self, word: str) -> str:
        return folded(word, self.language, self._fold_case)

    def _expressions(self, text: str) -> list[Match]:
        found = (
            Match(number, *match.span())
            for number, pattern in self._patterns
            for match in pattern.finditer(text)
            if match.end() > match.start()
        )
        return sorted(found, key=lambda match: match.start)

    def _learn(self, tokens: Iterable[str]) -> None:
        if len(self._known) > REMEMBERED:
            self._known = set(self._parts)
        for token in set(tokens).difference(self._known):
            self._known.add(token)
            parts = tuple(self._parts_of(token))
            if parts:
                self._parts[token] = parts
                if any(name in self._by_first for part in parts for name in part.names):
                    self._firsts.add(token)

    def _parts_of(self, token: str) -> Iterator[_Part]:
        spelt = self._fold(token)
        inner = [
            _Part(start, end, names)
            for start, end in inner_words(token, self.language, self._compounds)
            if (names := self._names(token[start:end]))
        ]
        yield from inner
        if spelt in self._sought:
            yield _Part(0, len(token), frozenset([spelt]) if inner else self._names(token))
        elif not inner and (names := self._names(token)):
            yield _Part(0, len(token), names)

    def _names(self, form: str) -> frozenset[str]:
        """What a form may be sought by, as far as anyone does: itself and its lemma."""
        names = {self._fold(form)}
        if self.by == "lemma":
            # In capitals a form has lemmas of its own: DR is a drive, CP a camp, in addresses.
            shouted = form.isupper() and len(form) > 1
            small = lowered(form, self.language)
            spelt = (small, form[:1] + small[1:]) if shouted else (form,)
            if self._fold_case or not shouted:
                for each in spelt:
                    names.update(map(self._fold, lemmas_of(each, self.language, self.lemma)))
        return self._sought & names

    def _raw(self, text: str, tokens: list[str]) -> Iterator[Match]:
        words = []
        sought = map(self._parts.__contains__, tokens)
        for match in compress(tokenizer(text).finditer(text), sought):
            at, parts = match.start(), self._parts[match[0]]
            words.append([_Part(at + start, at + end, names) for start, end, names in parts])
        # Only white space between two words means that they are whole and none is left out.
        yield from self._sequences(
            words, lambda left, right: text[left:right].isspace(), lambda k, number: True
        )

    def _annotated(self, tokens: Sequence[Token]) -> Iterator[Match]:
        words = []
        for token in tokens:
            word = token.lemma if self.by == "lemma" else token.form
            name = self._fold(word)
            hit = [_Part(token.start, token.end, frozenset([name]))] if name in self._sought else []
            words.append(hit)

        def tagged(k: int, number: int) -> bool:
            tag = self._tags[number]
            return tag is None or tokens[k].tag is None or tokens[k].tag == tag

        yield from self._sequences(words, lambda left, right: True, tagged)

    def _sequences(
        self,
        words: Sequence[Sequence[_Part]],
        adjoining: Callable[[int, int], bool],
        allowed: Callable[[int, int], bool],
    ) -> Iterator[Match]:
        """Targets as runs of words, each of which may be found by several names."""
        for k, parts in enumerate(words):
            found = set()
            for part in parts:
                for name in part.names:
                    for number in self._by_first.get(name, ()):
                        rest = self._phrases[number][1:]
                        end = self._end(words, k, part, rest, adjoining) if rest else part.end
                        # A phrase has the part of speech of its last word.
                        last = k + len(self._phrases[number]) - 1
                        if end is not None and allowed(last, number):
                            found.add(Match(number, part.start, end))
            yield from sorted(found)

    @staticmethod
    def _end(
        words: Sequence[Sequence[_Part]],
        k: int,
        part: _Part,
        rest: tuple[str, ...],
        adjoining: Callable[[int, int], bool],
    ) -> int | None:
        """Where a phrase ends whose first word is ``part``; None if it does not go on."""
        for name in rest:
            k += 1
            follow = (
                next((p for p in words[k] if name in p.names), None) if k < len(words) else None
            )
            if follow is None or not adjoining(part.end, follow.start):
                return None
            part = follow
        return part.end


def lemmatizer(language: str) -> Callable[[str], str]:
    """The lemmatizer of simplemma for a language it has a dictionary of."""
    from simplemma import Lemmatizer

    # Each distinct form is asked for once, so a cache would only take memory.
    known = Lemmatizer(cache_max_size=0)
    try:
        known.lemmatize("a", language)
    except ValueError:
        raise InputError(
            f"There is no dictionary of the language {language!r} to find inflected forms with: "
            "give the two-letter code of another, such as en or de, or look for words "
            "with by='form' or by='regex'."
        ) from None
    return lambda form: known.lemmatize(form, language)
