"""Which words tell a group of usages from the word's other usages, and how often they do.

The words near the target, inflections merged, and those right beside it are counted in usages and
compared by log-odds with a Dirichlet prior (Monroe, Colaresi and Quinn 2008). What is told has to
be more frequent in the group than chance has it (hypergeometric, at a false discovery rate), and to
stand in several usages and documents. Function words are kept out in every language without a list
of them: they are what is frequent near the study's other words too, in any period. That comparison
also keeps out what is typical of a period and not of the target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from senseshift.corpus.names import CAPITAL_NOUNS
from senseshift.corpus.spelling import folded
from senseshift.corpus.tokens import is_unspaced, split_words

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Usage = tuple[str, int, int]  # a text and the span of its target

NEAR = 12  # words on either side of the target
PRIOR = 10.0  # usages that the prior is worth
COMMON = 0.01  # share of the usages elsewhere from which on a word tells nothing
COMMON_HERE = 0.1  # the same, of the word's own other usages, where there is no elsewhere
TIMES = 4.0  # how much more frequent than elsewhere a telling word is, at least
CHANCE = 0.1  # share of the telling words that may be so by chance
LEAST_USAGES, LEAST_DOCUMENTS = 3, 2  # of the group it must stand in
MOSTLY = 0.8  # share of a word's usages right beside the target from which on both are one
CAPITAL = 0.9  # share of capitals from which on a word is a name
FRAGMENT = 4  # letters up to which a word in no dictionary may be a piece of another
BEFORE, AFTER = "\x02", "\x03"  # marks a word right before or after the target


@dataclass(frozen=True)
class Term:
    """A word that tells a group of usages.

    Attributes
    ----------
    text
        As it is spelt most often; with the target where it stands right beside it.
    inside, outside
        In how many usages of the group and of the others it stands.
    documents
        In how many documents of the group; 0 where documents are not known.
    flag
        Why to doubt it: ``name``, ``fragment`` or nothing.
    usages
        Which usages of the group have it, by their places.
    """

    text: str
    inside: int
    outside: int
    documents: int
    flag: str = ""
    usages: tuple[int, ...] = ()


class Reader:
    """Reads the words near a target, in a language whose inflections it knows or in any other."""

    def __init__(self, language: str | None = None) -> None:
        from simplemma import is_known, lemmatize

        self._language = language or ""
        # Where nouns have capitals, a capital says more of a form than that it may be a name.
        self._nouns = language in CAPITAL_NOUNS
        self._lemma: Callable[[str], str] | None = None
        self._known: Callable[[str], bool] | None = None
        try:
            is_known("a", language or "")
        except ValueError:  # no dictionary: forms are compared as they are
            return
        self._lemma = lru_cache(100_000)(lambda word: lemmatize(word, language or ""))
        self._known = lru_cache(100_000)(lambda word: is_known(word, language or ""))

    def near(self, text: str, start: int, end: int) -> dict[str, str]:
        """What is near a target, by lemma, each with its spelling there."""
        before, after = _words(text[:start])[-NEAR:], _words(text[end:])[:NEAR]
        found = {self.key(word): word for word in (*before, *after)}
        if before:
            found[BEFORE + self.key(before[-1])] = before[-1]
        if after:
            found[AFTER + self.key(after[0])] = after[0]
        return found

    def key(self, word: str) -> str:
        """What the forms of a word have in common."""
        plain = folded(word, self._language, True)
        if self._lemma is None:
            return plain
        return self._lemma(word if self._nouns else plain).casefold()

    def flag(self, word: str, spellings: Counter[str]) -> str:
        """Why a word may tell of something else than meaning."""
        capitals = sum(n for spelling, n in spellings.items() if spelling[:1].isupper())
        known = self._known is None or self._known(folded(word, self._language, True))
        if not known and len(word) <= FRAGMENT:
            return "fragment"
        named = not known and not self._nouns and capitals >= CAPITAL * spellings.total()
        return "name" if named else ""


@dataclass(frozen=True)
class Background:
    """How frequent words are in a period, near whatever target."""

    usages: int
    counts: Mapping[str, int]

    @classmethod
    def of(cls, usages: Iterable[Usage], reader: Reader) -> Background:
        """From all the usages of a study in one period."""
        counts: Counter[str] = Counter()
        number = 0
        for usage in usages:
            counts.update(reader.near(*usage).keys())
            number += 1
        return cls(number, counts)


@dataclass(frozen=True, eq=False)
class Contexts:
    """The words near the target in every usage of a word.

    Attributes
    ----------
    keys
        What is counted: lemmas, and neighbours with a mark.
    spelt
        How often each is spelt in which way.
    occurs
        Usages × words: 1 where the word is near the target.
    documents
        The document of every usage as a number, if known.
    elsewhere
        How frequent each word is near other targets, in the period where it is most so; None in
        a study of one word, where there are no others.
    target, reader
        The word itself as it is spelt most often, and what read its usages.
    """

    keys: list[str]
    spelt: list[Counter[str]]
    occurs: csr_array
    documents: Ints | None
    elsewhere: Floats | None
    target: str
    reader: Reader = field(default_factory=Reader)

    @classmethod
    def of(
        cls,
        usages: Iterable[Usage],
        periods: Sequence[str],
        backgrounds: Mapping[str, Background],
        reader: Reader,
        documents: Ints | None = None,
    ) -> Contexts:
        """From the usages of a word, their periods, and the backgrounds of these."""
        rows: list[dict[str, str]] = []
        targets: Counter[str] = Counter()
        for text, start, end in usages:
            targets[text[start:end]] += 1
            rows.append(reader.near(text, start, end))
        own = {reader.key(word) for target in targets for word in _words(target)}
        keys = sorted({key for row in rows for key in row if key.lstrip(BEFORE + AFTER) not in own})
        spelt: dict[str, Counter[str]] = {key: Counter() for key in keys}
        for row in rows:
            for key, spelling in row.items():
                if key in spelt:
                    spelt[key][spelling] += 1
        column = {key: k for k, key in enumerate(keys)}
        found = [[column[key] for key in row if key in column] for row in rows]
        columns = np.array([k for row in found for k in row], dtype=np.int64)
        ends = np.cumsum([0, *map(len, found)])
        occurs = csr_array((np.ones(columns.size), columns, ends), shape=(len(rows), len(keys)))
        labels = np.array(periods, dtype=object)
        shares = [
            _elsewhere(keys, _sum(occurs, here), background, int(here.sum()))
            for period, background in backgrounds.items()
            if (here := labels == period).any()
        ]
        known = [share for share in shares if share is not None]
        elsewhere = np.max(known, axis=0) if known and len(known) == len(shares) else None
        target = targets.most_common(1)[0][0] if targets else ""
        return cls(keys, [spelt[k] for k in keys], occurs, documents, elsewhere, target, reader)

    def telling(self, group: Bools, count: int = 6) -> list[Term]:
        """What tells a group of usages best, the most telling first."""
        from scipy.stats import false_discovery_control, hypergeom

        inside, outside = int(group.sum()), int((~group).sum())
        if not self.keys or not inside:
            return []
        here, there = _sum(self.occurs, group), _sum(self.occurs, ~group)
        both = here + there
        elsewhere, common = self.elsewhere, COMMON
        fit = both >= LEAST_USAGES
        if elsewhere is None:
            elsewhere, common = there / max(outside, 1), COMMON_HERE
            fit &= self._plain  # nothing tells that "the" stands before every noun
        # What can tell at all, whichever the group: so few words that chance is easily beaten.
        fit &= (elsewhere <= common) & (both >= TIMES * elsewhere * group.size)
        if not fit.any():
            return []
        chance = hypergeom.sf(here[fit] - 1, group.size, both[fit], inside)
        fit[fit] = false_discovery_control(chance) <= CHANCE
        fit &= here >= LEAST_USAGES
        documents = self._documents(group)
        if documents is not None:
            fit &= documents >= LEAST_DOCUMENTS
        prior = PRIOR * both / group.size
        odds = _log_odds(here + prior, inside + PRIOR) - _log_odds(there + prior, outside + PRIOR)
        order = np.lexsort((np.array(self.keys), elsewhere, -here * odds))
        chosen = self._distinct(order[fit[order]], here)[:count]
        return [
            Term(
                self._text(k), int(here[k]), int(there[k]),
                0 if documents is None else int(documents[k]),
                self.reader.flag(self._spelling(k), self.spelt[k]), self._usages(k, group),
            )
            for k in chosen
        ]  # fmt: skip

    def _usages(self, k: int, group: Bools) -> tuple[int, ...]:
        has = self.occurs[:, [k]].toarray().ravel() > 0
        return tuple(np.flatnonzero(has & group).tolist())

    def _documents(self, group: Bools) -> Ints | None:
        """In how many documents of the group each word stands."""
        if self.documents is None:
            return None
        rows = np.flatnonzero(group)
        cells = self.occurs[rows].tocoo()
        pairs = {
            (int(self.documents[rows[row]]), int(k))
            for row, k in zip(cells.row, cells.col, strict=True)
        }
        return np.bincount([k for _, k in pairs], minlength=len(self.keys))

    def _distinct(self, order: Ints, here: Floats) -> list[int]:
        """Each word once: alone, or with the target where it mostly stands right beside it."""
        place = {self.keys[k]: int(k) for k in order}
        chosen = []
        for k in order:
            key = self.keys[k]
            plain = key.lstrip(BEFORE + AFTER)
            beside = [place[mark + plain] for mark in (BEFORE, AFTER) if mark + plain in place]
            if plain not in place:  # as a particle, which tells something only beside the target
                chosen.append(int(k))
                continue
            best = max(beside, key=lambda other: here[other], default=None)
            joined = best is not None and here[best] >= MOSTLY * here[place[plain]]
            if (key == plain and not joined) or (joined and k == best):
                chosen.append(int(k))
        return chosen

    @property
    def _plain(self) -> Bools:
        return np.array([key[0] not in BEFORE + AFTER for key in self.keys])

    def _spelling(self, k: int) -> str:
        return self.spelt[k].most_common(1)[0][0]

    def _text(self, k: int) -> str:
        mark, word = self.keys[k][0], self._spelling(k)
        if mark == BEFORE:
            return f"{word} {self.target}"
        return f"{self.target} {word}" if mark == AFTER else word


def _elsewhere(keys: list[str], own: Floats, background: Background, usages: int) -> Floats | None:
    """Shares of the usages of other targets that have each word nearby.

    The background holds the word's own usages too, which are taken out.
    """
    others = background.usages - usages
    if others < usages:
        return None
    counts = np.array([background.counts.get(key, 0) for key in keys], dtype=np.float64)
    shares: Floats = np.maximum(counts - own, 0.0) / max(others, 1)
    return shares


def _sum(occurs: csr_array, rows: Bools) -> Floats:
    return np.asarray(occurs[np.flatnonzero(rows)].sum(axis=0), dtype=np.float64).ravel()


def _log_odds(count: Floats, total: float) -> Floats:
    odds: Floats = np.log(np.maximum(count, 1e-9)) - np.log(np.maximum(total - count, 1e-9))
    return odds


def _words(text: str) -> list[str]:
    """The words of a text; pairs of letters where a script has no spaces.

    Single letters and numbers tell nothing.

    >>> _words("Die Zelle 12")
    ['Die', 'Zelle']
    >>> _words("細胞分裂")
    ['細胞', '胞分', '分裂']
    """
    words: list[str] = []
    for word in split_words(text):
        if len(word) == 1 or not any(map(str.isalpha, word)):
            continue
        if len(word) > 2 and is_unspaced(word[0]):
            words += [word[k : k + 2] for k in range(len(word) - 1)]
        else:
            words.append(word)
    return words
