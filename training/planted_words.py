"""Words whose change is known, made from written usages that were held out of all training.

A held-out word has some thirty usages, too few for two periods.  A made usage is the centre of a
sense, what a usage of this sense has beside it, and what one of any other word's has: so a word
can have as many usages as wanted, no two alike, and shares of its senses that are known.  The old
side is written in the old manner, the new in the new one, and they drift apart by as much as the
manners are measured to within one sense, beyond what a handful of usages differ by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senseshift.encoders import Encoder

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

OWN = 0.8  # how much of a made usage's deviation is its sense's: senses are as hard as real ones
FEWEST = 4  # usages of a sense to make others from
SIDES = (20, 100)  # usages a side, evenly in their logarithm
POINTS = (0.2, 0.4, 0.6)  # by which shares change
KINDS = ("gained", "lost", "shifted")
LEAST_DEALT, MOST_DEALT = 8, 0.6  # usages of a sense that is dealt to one side, and their share
# Real words changed where a sense has so little on one side and so much on the other, or moved so.
ABSENT, THERE, MOVED = 0.04, 0.16, 0.2


@dataclass(frozen=True, eq=False)
class Held:
    """The held-out usages: of each its word and sense, whether in the new manner, its vector."""

    words: NDArray[np.str_]
    senses: NDArray[np.str_]
    is_new: Bools
    units: Floats

    @classmethod
    def read(cls, path: Path, encoder: Encoder) -> Held:
        """Read ``lemma.pos|sense|manner|text with its [target]`` and encode it."""
        lines = path.read_text("utf-8").splitlines()
        rows = [line.split("|", 3) for line in lines if line.strip() and line[0] != "#"]
        texts = [row[3].replace("[", "", 1).replace("]", "", 1) for row in rows]
        spans = [(row[3].index("["), row[3].index("]") - 1) for row in rows]
        vectors = np.asarray(encoder.encode(texts, spans), dtype=np.float64)
        words, senses, manners = (np.array([row[k] for row in rows]) for k in range(3))
        return cls(words, senses, manners == "n", unit(vectors))

    def each(self) -> Iterator[tuple[str, Ints, Ints]]:
        """Every word with the places of its usages and their senses as numbers."""
        for word in dict.fromkeys(self.words.tolist()):
            at = np.flatnonzero(self.words == word)
            yield word, at, np.unique(self.senses[at], return_inverse=True)[1]


@dataclass(frozen=True, eq=False)
class Sense:
    """What usages of a sense are made from; ``by_manner`` are the rows of both manners."""

    centre: Floats
    away: Floats
    by_manner: tuple[Ints, Ints]


@dataclass(frozen=True, eq=False)
class Planted:
    """A made word.

    Attributes
    ----------
    units, is_new, senses
        Vector, side and true sense of every usage.
    shares
        Of the senses on the old and on the new side, as planted.
    kind, points
        What was planted: ``none`` or a kind of change, and by how much of the usages.
    """

    word: str
    units: Floats
    is_new: Bools
    senses: Ints
    shares: tuple[Floats, Floats]
    kind: str
    points: float

    @property
    def periods(self) -> Ints:
        """The side of every usage as a number."""
        return self.is_new.astype(np.int64)


class Maker:
    """Makes words of held-out usages.

    ``drift`` is how much the manners drift apart: 1 as much as they do by ``manner``, the part of
    the difference between the usages of two manners of a sense that is not chance.  ``mains`` are
    shares of words' main senses to draw from; without them shares are as uneven as by chance.
    """

    def __init__(
        self,
        held: Held,
        drift: float = 1.0,
        own: float = OWN,
        *,
        mains: Floats | None = None,
        counts: tuple[int, int] = SIDES,
    ) -> None:
        self.own, self.mains, self.counts = own, mains, counts
        self.senses: dict[str, list[Sense]] = {}
        for word, at, numbers in held.each():
            for number in range(numbers.max() + 1):
                rows = at[numbers == number]
                if rows.size >= FEWEST:
                    self.senses.setdefault(word, []).append(
                        _sense(held.units[rows], held.is_new[rows])
                    )
        every = [sense for senses in self.senses.values() for sense in senses]
        self.manner = _manner(every)
        self._chosen = min(1.0, drift * self.manner)
        # Deviations of all words, by manner, each half of its mean drift away from the other.
        self._others = [np.concatenate([s.away[s.by_manner[m]] for s in every]) for m in (0, 1)]
        self._others = [part - (1 - min(drift, 1.0)) * part.mean(axis=0) for part in self._others]

    def side(
        self, word: str, shares: Floats, count: int, new: bool, rng: np.random.Generator
    ) -> tuple[Floats, Ints]:
        """So many usages of one side, with their senses."""
        senses = np.sort(rng.choice(shares.size, count, p=shares))
        made = np.empty((count, self._others[0].shape[1]))
        borrowed = self._others[new][rng.integers(len(self._others[new]), size=count)]
        for number, sense in enumerate(self.senses[word]):
            rows = np.flatnonzero(senses == number)
            of_manner = sense.by_manner[new]
            kernel = rng.integers(len(sense.away), size=rows.size)
            styled = rng.random(rows.size) < self._chosen
            if of_manner.size:
                kernel[styled] = rng.choice(of_manner, int(styled.sum()))
            made[rows] = sense.centre + self.own * sense.away[kernel]
        made += np.sqrt(1.0 - self.own**2) * borrowed
        return unit(made), senses

    def word(self, word: str, kind: str, points: float, rng: np.random.Generator) -> Planted:
        """A word with a planted change, its sides of any size."""
        shares = planted_shares(len(self.senses[word]), kind, points, rng, self.mains)
        low, high = np.log(self.counts)
        old, new = np.exp(rng.uniform(low, high, 2)).round().astype(int).tolist()
        return self.sides(word, shares, (old, new), kind, points, rng)

    def sides(
        self,
        word: str,
        shares: tuple[Floats, Floats],
        counts: tuple[int, int],
        kind: str,
        points: float,
        rng: np.random.Generator,
    ) -> Planted:
        """A word with these shares and numbers of usages on its two sides."""
        sides = [self.side(word, shares[k], counts[k], k == 1, rng) for k in (0, 1)]
        units, senses = (np.concatenate(part) for part in zip(*sides, strict=True))
        return Planted(
            word, units, np.arange(senses.size) >= counts[0], senses, shares, kind, points
        )

    def study(self, seed: int) -> list[Planted]:
        """Every word once: half of those with several senses as they were, half changed."""
        rng = np.random.default_rng(seed)
        made = []
        for word, senses in self.senses.items():
            changed = len(senses) > 1 and rng.random() < 0.5
            kind = str(rng.choice(KINDS)) if changed else "none"
            points = float(rng.choice(POINTS)) if changed else 0.0
            made.append(self.word(word, kind, points, rng))
        return made


def dealt(words: Sequence[tuple[Floats, Ints]], seed: int) -> list[Planted]:
    """Real usages of words, dealt to two sides: as they are, or one sense to one side alone.

    They are all of one time, so nothing drifts; but they are as far apart as usages are in texts.
    """
    rng, made = np.random.default_rng(seed), []
    for number, (units, senses) in enumerate(words):
        is_new = rng.permutation(senses.size) % 2 == 1
        sizes = np.bincount(senses)
        fit = np.flatnonzero((sizes >= LEAST_DEALT) & (sizes <= MOST_DEALT * senses.size))
        kind = (
            str(rng.choice(("none", "gained", "lost"), p=(0.4, 0.3, 0.3))) if fit.size else "none"
        )
        if kind != "none":
            is_new[senses == rng.choice(fit)] = kind == "gained"
        old, new = (
            np.bincount(senses[side], minlength=sizes.size) / side.sum()
            for side in (~is_new, is_new)
        )
        points = float(abs(new - old).max())
        made.append(Planted(str(number), units, is_new, senses, (old, new), kind, points))
    return made


def as_they_are(words: Sequence[tuple[Floats, Ints]], sides: Sequence[Bools]) -> list[Planted]:
    """Real usages of words, old and new as they are; their kind is what their labels say."""
    made = []
    for number, ((units, senses), is_new) in enumerate(zip(words, sides, strict=True)):
        old, new = (
            np.bincount(senses[side], minlength=senses.max() + 1) / max(side.sum(), 1)
            for side in (~is_new, is_new)
        )
        points = float(abs(new - old).max())
        came = ((np.minimum(old, new) <= ABSENT) & (np.maximum(old, new) >= THERE)).any()
        kind = "changed" if came or points >= MOVED else "none"
        made.append(Planted(str(number), units, is_new, senses, (old, new), kind, points))
    return made


def planted_shares(
    senses: int,
    kind: str,
    points: float,
    rng: np.random.Generator,
    mains: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Uneven shares before and after; a sense comes, goes, or moves by so many points.

    Where a main sense has its share of some words', it is not the one that comes or goes.
    """
    base = rng.dirichlet(np.ones(senses))
    if mains is not None and senses > 1:
        main = max(float(rng.choice(mains)), 1.0 / senses)
        base = rng.permutation(np.append((1.0 - main) * rng.dirichlet(np.ones(senses - 1)), main))
    if kind == "none":
        return base, base
    one = int(rng.integers(senses))
    if mains is not None and kind != "shifted":
        one = int(base.argmin())
    rest = np.delete(base, one)
    # The only sense of a word leaves its share to all others.
    rest = rest / rest.sum() if rest.any() else np.full(senses - 1, 1.0 / (senses - 1))
    first = 0.0 if kind in ("gained", "lost") else float(rng.uniform(0.05, 0.95 - points))
    before, after = (np.insert((1 - s) * rest, one, s) for s in (first, first + points))
    backwards = kind == "lost" or (kind == "shifted" and rng.random() < 0.5)
    return (after, before) if backwards else (before, after)


def unit(vectors: Floats) -> Floats:
    """The vectors at length one."""
    lengths: Floats = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


def _sense(units: Floats, is_new: Bools) -> Sense:
    centre = units.mean(axis=0)
    # A mean of few usages lies too near to them.
    away = (units - centre) * np.sqrt(len(units) / (len(units) - 1))
    return Sense(centre, away, (np.flatnonzero(~is_new), np.flatnonzero(is_new)))


def _manner(senses: list[Sense]) -> float:
    """Which part of the distance between the means of two manners is not chance."""
    found, chance = 0.0, 0.0
    for sense in senses:
        if min(rows.size for rows in sense.by_manner) < 2:
            continue
        sides = [sense.away[rows] for rows in sense.by_manner]
        found += float(((sides[1].mean(axis=0) - sides[0].mean(axis=0)) ** 2).sum())
        chance += sum(float(side.var(axis=0, ddof=1).sum()) / len(side) for side in sides)
    return float(np.sqrt(max(found - chance, 0.0) / found)) if found else 0.0
