"""When a word is said to have changed, and how a usage's use moved: by planted changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from movement import apart, moved, movement_p
from planted_words import Maker, Planted
from senseshift import senses
from senseshift.calibration import Calibration
from senseshift.findings.statement import CLEAR, MOVED
from senseshift.resampling import discrete_q_values, q_values
from senseshift.senses.manner import Manner
from senseshift.senses.verdict import FEW, MARKED

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

SHARES = np.round(np.arange(0.1, 0.901, 0.05), 2)  # of a gained sense, to see which are found
POWER = 0.8


@dataclass(frozen=True, eq=False)
class Judged:
    """A planted word with its induced senses, and how they changed.

    ``q`` is that of each sense over all senses of its study, ``moved`` how far each moved by
    :mod:`movement`, and ``moved_q`` that of the whole word over the words of its study.
    """

    word: Planted
    labels: Ints
    shares: senses.Shares
    changes: senses.Changes
    moved: Floats
    q: Floats
    moved_q: float

    @property
    def enough(self) -> bool:
        """Whether there are usages enough to say anything."""
        return bool(self.shares.totals.min() >= FEW)

    @property
    def surely(self) -> Floats:
        """The end of each difference's interval that is nearer to nothing."""
        return np.maximum(self.changes.low, -self.changes.high)


Rule = Callable[[Judged], Bools]

RULES: dict[str, Rule] = {
    "as it is: q ≤ .1, p ≤ .05, far": lambda word: _marked(word),
    "q of a sense ≤ .1, p ≤ .05": lambda word: _told(word),
    "q of a sense ≤ .05": lambda word: word.q <= 0.05,
    "q of a sense ≤ .01": lambda word: word.q <= 0.01,
    "and differs by .2": lambda word: _marked(word) & (abs(word.changes.difference) >= 0.2),
    "and surely by .05": lambda word: _marked(word) & (word.surely >= 0.05),
    "and surely by .1": lambda word: _marked(word) & (word.surely >= 0.1),
    "movement of the word": lambda word: _by_movement(word, 0.0),
    "and the sense moved by .08": lambda word: _by_movement(word, 0.08),
    "and the sense moved by .12": lambda word: _by_movement(word, 0.12),
}


def _told(word: Judged) -> Bools:
    told: Bools = (word.q <= MARKED) & (word.changes.p <= CLEAR)
    return told


def _marked(word: Judged) -> Bools:
    return _told(word) & (senses.moved(*word.shares.share.T) >= MOVED)


def _by_movement(word: Judged, least: float) -> Bools:
    told: Bools = (np.maximum(word.changes.p, word.moved_q) <= CLEAR) & (word.moved >= least)
    return told


def judged(study: Sequence[Planted], calibration: Calibration) -> list[Judged]:
    """All words of one study."""
    calibration = calibration.suited(Manner.of(word.units for word in study))
    assert calibration.cut is not None
    labels = [senses.induce(word.units, calibration.cut) for word in study]
    shares = [
        senses.count_shares(of, word.periods, number=2)
        for of, word in zip(labels, study, strict=True)
    ]
    changes = [senses.changes(of, 0, 1) for of in shares]
    between = [apart(w.units, of, calibration) for w, of in zip(study, labels, strict=True)]
    q = _corrected(shares, changes)
    moved_q = q_values([movement_p(*pair) for pair in zip(shares, between, strict=True)])
    return [
        Judged(
            word, labels[k], shares[k], changes[k],
            moved(np.nan_to_num(changes[k].difference), between[k]), q[k], float(moved_q[k]),
        )
        for k, word in enumerate(study)
    ]  # fmt: skip


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


def balance(words: Sequence[Judged]) -> float:
    """Twice the right verdicts, by the rule as it is, among those that are said and that ought."""
    of = outcome(words, next(iter(RULES.values())))
    return 2 * of.precision * of.recall / max(of.precision + of.recall, 1e-9)


def log_ratios(words: Sequence[Judged], cut: float) -> Iterator[tuple[str, float, float]]:
    """Spearman with the true log ratio within each side, by whole senses and by membership."""
    true, whole, part, is_new = [], [], [], []
    for word in words:
        ratio = senses.log_ratio(word.shares, 0, 1)
        if not ratio.size:
            continue
        whole.append(np.append(ratio, 0.0)[word.labels])  # nothing is known of a stray
        part.append(senses.membership(word.word.units, word.labels, cut) @ ratio)
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


def found_at(maker: Maker, calibration: Calibration, count: int, repeats: int) -> float:
    """The smallest share of a gained sense that is found with the power asked for; 1 if none."""
    rng = np.random.default_rng(count)
    several = [word for word, own in maker.senses.items() if len(own) > 1]
    rule = next(iter(RULES.values()))
    for share in SHARES.tolist():
        hits = 0
        for number in range(repeats):
            name = several[number % len(several)]
            rest = np.zeros(len(maker.senses[name]))
            rest[0] = 1.0
            new = (1.0 - share) * rest
            new[1] += share
            word = maker.sides(name, (rest, new), (count, count), "gained", share, rng)
            hits += bool(rule(judged([word], calibration)[0]).any())
        if hits >= POWER * repeats:
            return float(share)
    return 1.0


def _corrected(shares: Sequence[senses.Shares], changes: Sequence[senses.Changes]) -> list[Floats]:
    """The q of every sense of a study, as ``compare`` has it."""
    p = np.concatenate([of.p for of in changes])
    q = discrete_q_values(p, np.concatenate([of.margins(0, 1) for of in shares]))
    return np.split(q, np.cumsum([of.p.size for of in changes])[:-1])
