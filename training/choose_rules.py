"""When a word is said to have changed, and how a usage's use moved: by planted changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import false_discovery_control, spearmanr

from planted_words import Maker, Planted
from senseshift import senses
from senseshift.calibration import Calibration
from senseshift.senses.verdict import FEW, MARKED

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

LEAST_MOVED = (0.0, 0.08, 0.1, 0.12, 0.14, 0.16)
SHARES = np.round(np.arange(0.1, 0.901, 0.05), 2)  # of a gained sense, to see which are found
POWER = 0.8


@dataclass(frozen=True, eq=False)
class Judged:
    """A planted word with its induced senses, how they changed, and q over its study.

    ``own_q`` is that of each sense by itself, over all senses of the study.
    """

    word: Planted
    labels: Ints
    shares: senses.Shares
    changes: senses.Changes
    word_q: float
    own_q: Floats

    @property
    def enough(self) -> bool:
        """Whether there are usages enough to say anything."""
        return bool(self.shares.totals.min() >= FEW)


Rule = Callable[[Judged], Bools]


def by_own_q(word: Judged) -> Bools:
    """Each sense by itself, over all senses of the study: the rule there was before."""
    marked: Bools = word.own_q <= MARKED
    return marked


def by_movement(least: float) -> Rule:
    """The word first, then those senses that moved far enough."""

    def rule(word: Judged) -> Bools:
        q = senses.sense_q(word.word_q, word.changes.p)
        marked: Bools = (q <= MARKED) & (word.changes.moved >= least)
        return marked

    return rule


RULES: dict[str, Rule] = {
    "q of each sense": by_own_q,
    **{f"q of the word, moved ≥ {least:.2f}": by_movement(least) for least in LEAST_MOVED},
}


def induced(word: Planted, calibration: Calibration) -> tuple[Ints, senses.Shares, senses.Changes]:
    """Senses as a study has them, and how their shares differ."""
    assert calibration.cut is not None
    labels = senses.induce(word.units, calibration.cut)
    shares = senses.count_shares(labels, word.periods, number=2)
    between = senses.apart(word.units, labels, calibration)
    return labels, shares, senses.changes(shares, 0, 1, apart=between)


def judged(study: Sequence[Planted], calibration: Calibration) -> list[Judged]:
    """All words of one study."""
    found = [induced(word, calibration) for word in study]
    word_q = _corrected([np.array([changes.movement_p]) for *_, changes in found])
    own_q = _corrected([changes.p for *_, changes in found])
    return [
        Judged(word, *of, float(q[0]), own)
        for word, of, q, own in zip(study, found, word_q, own_q, strict=True)
    ]


@dataclass(frozen=True)
class Outcome:
    """How a rule does: of words, and of the directions of the senses that it marks."""

    precision: float
    recall: float
    direction: float
    marks: int

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.3f}  recall {self.recall:.3f}  "
            f"direction {self.direction:.3f} of {self.marks:,}"
        )


def outcome(words: Sequence[Judged], rule: Rule) -> Outcome:
    """A rule over the words of some studies."""
    marks = [rule(word) & word.enough for word in words]
    said = np.array([mark.any() for mark in marks])
    changed = np.array([word.word.kind != "none" for word in words])
    right = [
        same
        for word, mark in zip(words, marks, strict=True)
        for same in (_as_planted(word, k) for k in np.flatnonzero(mark).tolist())
    ]
    both = int((said & changed).sum())
    return Outcome(
        both / max(int(said.sum()), 1),
        both / max(int(changed.sum()), 1),
        float(np.mean(right)) if right else float("nan"),
        len(right),
    )


def _as_planted(word: Judged, sense: int) -> bool:
    """Whether the true sense that most usages of an induced one have moved as that did."""
    most = np.bincount(word.word.senses[word.labels == sense]).argmax()
    old, new = (shares[most] for shares in word.word.shares)
    return bool((new - old) * word.changes.difference[sense] > 0)


def log_ratios(words: Sequence[Judged], cut: float) -> Iterator[tuple[str, float, float]]:
    """Spearman with the true log ratio within each side, by whole senses and by membership."""
    true, whole, part, is_new = [], [], [], []
    for word in words:
        moved = senses.log_ratio(word.shares, 0, 1)
        if not moved.size:
            continue
        whole.append(np.append(moved, 0.0)[word.labels])  # nothing is known of a stray
        part.append(senses.membership(word.word.units, word.labels, cut) @ moved)
        with np.errstate(divide="ignore"):
            true.append(
                (np.log(word.word.shares[1]) - np.log(word.word.shares[0]))[word.word.senses]
            )
        is_new.append(word.word.is_new)
    gold, side = np.concatenate(true), np.concatenate(is_new)
    finite = gold[np.isfinite(gold)]  # what came or went counts as the most that is known
    gold = np.clip(gold, finite.min(), finite.max())
    for name, here in (("old", ~side), ("new", side)):
        scores = [
            float(spearmanr(np.concatenate(score)[here], gold[here]).statistic)
            for score in (whole, part)
        ]
        yield name, scores[0], scores[1]


def agreement(words: Sequence[Judged]) -> tuple[float, float]:
    """Of a true sense's usages how many the induced one has that has most, and of the others.

    The mean over all senses of the words, weighted by their usages: what ``detectable`` reckons
    with.
    """
    hits, false, weights = [], [], []
    for word in words:
        present = np.unique(word.word.senses)
        for sense in present if present.size > 1 else ():
            own = word.word.senses == sense
            table = [(word.labels == k) for k in range(word.labels.max() + 1)]
            rates = [(group[own].mean(), group[~own].mean()) for group in table]
            hit, other = max(rates, key=lambda rate: rate[0] - rate[1])
            hits.append(hit)
            false.append(other)
            weights.append(own.sum())
    return float(np.average(hits, weights=weights)), float(np.average(false, weights=weights))


def found_at(
    maker: Maker, calibration: Calibration, count: int, repeats: int, rule_at: float
) -> float:
    """The smallest share of a gained sense that is found with the power asked for; 1 if none."""
    rng = np.random.default_rng(count)
    several = [word for word, own in maker.senses.items() if len(own) > 1]
    for share in SHARES:
        hits = 0
        for number in range(repeats):
            name = several[number % len(several)]
            rest = np.zeros(len(maker.senses[name]))
            rest[0] = 1.0
            new = (1.0 - share) * rest
            new[1] += share
            sides = [
                maker.side(name, shares, count, k == 1, rng) for k, shares in enumerate((rest, new))
            ]
            units, true = (np.concatenate(part) for part in zip(*sides, strict=True))
            word = Planted(
                name, units, np.arange(2 * count) >= count, true, (rest, new), "gained", share
            )
            *_, changes = induced(word, calibration)
            q = senses.sense_q(changes.movement_p, changes.p)
            hits += bool(((q <= MARKED) & (changes.moved >= rule_at)).any())
        if hits >= POWER * repeats:
            return float(share)
    return 1.0


def _corrected(p: Sequence[Floats]) -> list[Floats]:
    q = false_discovery_control(np.nan_to_num(np.concatenate(p), nan=1.0))
    return np.split(q, np.cumsum([part.size for part in p])[:-1])
