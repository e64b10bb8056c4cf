"""Which words tell a group of usages from the word's other usages.

The words near the target, counted in usages, are compared by log-odds with a Dirichlet prior
(Monroe, Colaresi and Quinn 2008) and ranked by these and by how many usages of the group have
them. Function words are kept out in every language without a list of them: they are what is
frequent near the study's other words too, in either period. That comparison also keeps out what
is typical of a period and not of the target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from unicodedata import name

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.stats import hypergeom

from senseshift.corpus.tokens import fold, split_words

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Usage = tuple[str, int, int]  # a text and the span of its target

NEAR = 12  # words on either side of the target
PRIOR = 10.0  # usages that the prior is worth
COMMON = 0.01  # share of the usages elsewhere from which on a word tells nothing
COMMON_HERE = 0.1  # the same, of the word's own other usages, where there is no elsewhere
TIMES = 4.0  # how much more frequent than elsewhere a telling word is, at least
CHANCE = 0.2  # probability that it is so frequent in the group by chance, at most
LEAST, LEAST_SHARE = 2, 0.04  # usages of the group it must occur in
UNSPACED = ("CJK ", "HIRAGANA", "KATAKANA", "THAI", "LAO ", "KHMER", "MYANMAR")


@dataclass(frozen=True)
class Background:
    """How frequent words are in a period, near whatever target."""

    usages: int
    counts: Mapping[str, int]

    @classmethod
    def of(cls, usages: Iterable[Usage]) -> Background:
        """From usages of all the words of a study in one period."""
        counts: Counter[str] = Counter()
        number = 0
        for usage in usages:
            counts.update(near(*usage).keys())
            number += 1
        return cls(number, counts)


@dataclass(frozen=True, eq=False)
class Contexts:
    """The words near the target in every usage of a word.

    Attributes
    ----------
    vocabulary
        The words, as they are spelt most often.
    occurs
        Usages × words: 1 where the word is near the target.
    is_new
        Which usages are new.
    elsewhere
        How frequent each word is near other targets, in the period where it is more so; None in
        a study of one word, where there are no others.
    """

    vocabulary: list[str]
    occurs: csr_array
    is_new: Bools
    elsewhere: Floats | None

    @classmethod
    def of(
        cls, usages: Iterable[Usage], is_new: Bools, backgrounds: tuple[Background, Background]
    ) -> Contexts:
        """From the usages of a word, and the backgrounds of the two periods."""
        rows: list[dict[str, str]] = []
        forms: set[str] = set()
        for text, start, end in usages:
            forms.update(dict(_words(text[start:end])))
            rows.append(near(text, start, end))
        vocabulary = sorted({word for row in rows for word in row} - forms)
        spelt: dict[str, Counter[str]] = {word: Counter() for word in vocabulary}
        for row in rows:
            for word, spelling in row.items():
                if word in spelt:
                    spelt[word][spelling] += 1
        column = {word: k for k, word in enumerate(vocabulary)}
        found = [[column[word] for word in row if word in column] for row in rows]
        columns = np.array([k for row in found for k in row], dtype=np.int64)
        ends = np.cumsum([0, *map(len, found)])
        occurs = csr_array(
            (np.ones(columns.size), columns, ends), shape=(len(rows), len(vocabulary))
        )
        shares = [
            _elsewhere(vocabulary, _sum(occurs, side), int(side.sum()), background)
            for side, background in zip((~is_new, is_new), backgrounds, strict=True)
        ]
        old, new = shares
        elsewhere = None if old is None or new is None else np.maximum(old, new)
        spellings = [spelt[word].most_common(1)[0][0] for word in vocabulary]
        return cls(spellings, occurs, is_new, elsewhere)

    def telling(self, group: Bools, count: int = 6) -> list[str]:
        """The words that tell a group of usages best, the most telling first."""
        if not self.vocabulary or not group.any():
            return []
        here, there = _sum(self.occurs, group), _sum(self.occurs, ~group)
        inside, outside = int(group.sum()), int((~group).sum())
        prior = PRIOR * (here + there) / group.size
        odds = _log_odds(here + prior, inside + PRIOR) - _log_odds(there + prior, outside + PRIOR)
        chance = hypergeom.sf(here - 1, group.size, here + there, inside)
        elsewhere, common = self.elsewhere, COMMON
        if elsewhere is None:
            elsewhere, common = there / max(outside, 1), COMMON_HERE
        fit = (here >= max(LEAST, LEAST_SHARE * inside)) & (chance <= CHANCE)
        fit &= (elsewhere <= common) & (here >= TIMES * elsewhere * inside)
        score = here * odds
        order = np.lexsort((np.array(self.vocabulary), elsewhere, -score))
        return [self.vocabulary[k] for k in order[fit[order]][:count]]


def near(text: str, start: int, end: int) -> dict[str, str]:
    """The words near a target, folded, each with its spelling there."""
    return dict(_words(text[:start])[-NEAR:] + _words(text[end:])[:NEAR])


def _elsewhere(
    vocabulary: list[str], own: Floats, usages: int, background: Background
) -> Floats | None:
    """Shares of the usages of other targets that have each word nearby.

    The background holds the word's own usages too, which are taken out.
    """
    others = background.usages - usages
    if others < usages:
        return None
    counts = np.array([background.counts.get(word, 0) for word in vocabulary], dtype=np.float64)
    shares: Floats = np.maximum(counts - own, 0.0) / others
    return shares


def _sum(occurs: csr_array, rows: Bools) -> Floats:
    return np.asarray(occurs[np.flatnonzero(rows)].sum(axis=0), dtype=np.float64).ravel()


def _log_odds(count: Floats, total: float) -> Floats:
    odds: Floats = np.log(count) - np.log(np.maximum(total - count, 1e-9))
    return odds


def _words(text: str) -> list[tuple[str, str]]:
    """The words of a text, folded and as spelt; pairs of letters where a script has no spaces.

    Single letters and numbers tell nothing.

    >>> _words("Die Zelle 12")
    [('die', 'Die'), ('zelle', 'Zelle')]
    >>> _words("細胞分裂")
    [('細胞', '細胞'), ('胞分', '胞分'), ('分裂', '分裂')]
    """
    words: list[str] = []
    for word in split_words(text):
        if len(word) == 1 or not any(map(str.isalpha, word)):
            continue
        if len(word) > 2 and not word.isascii() and name(word[0], "").startswith(UNSPACED):
            words += [word[k : k + 2] for k in range(len(word) - 1)]
        else:
            words.append(word)
    return [(fold(word, fold_case=True), word) for word in words]
