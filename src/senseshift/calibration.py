"""What a cosine distance means: the chance that two usages so far apart differ in sense.

Encoders spread usages each in their own way, so that .4 is near for one and far for another.
A calibration says it in a unit that they share. It is fitted on usages whose senses are known, of
words that the encoder was not trained on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError

Floats = NDArray[np.float64]

FORM = "logistic"
FIELDS = ("middle", "width", "cut", "apart")
LEAST = 0.9  # how far texts move the cut: no farther than labelled ones did, and never up


class Texts(Protocol):
    """What is to be known of texts, as :class:`senseshift.senses.manner.Manner` has it."""

    @property
    def words(self) -> int:
        """By how many words."""

    @property
    def apart(self) -> float:
        """How far apart their usages lie."""


@dataclass(frozen=True)
class Calibration:
    """A logistic curve through zero: usages with one vector do not differ.

    Attributes
    ----------
    middle, width
        Where the curve ``1 / (1 + exp((middle − d) / width))`` is one half, and how slowly it
        rises there. It is shifted and stretched a little, to be 0 at 0 and 1 far away.
    cut
        The distance at which :mod:`senseshift.senses` keeps two groups of usages apart, by this
        encoder; None where nobody chose one.
    apart
        How far apart usages of different words lie in texts for which the cut is right, as
        :class:`senseshift.senses.manner.Manner` has it; None where that is not known.
    """

    middle: float
    width: float
    cut: float | None = None
    apart: float | None = None

    def __post_init__(self) -> None:
        for name in FIELDS:
            value = getattr(self, name)
            if value is None and name in ("cut", "apart"):
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 9:
                raise InputError(
                    f"The {name} of a calibration must be a number above 0 and below 9, "
                    f"not {str(value)[:40]}."
                )

    def cost(self, distances: ArrayLike) -> Floats:
        """The chance that two usages differ in sense, for each of their cosine distances.

        >>> Calibration(0.44, 0.11).cost([0.0, 0.44, 0.8]).round(2)
        array([0.  , 0.49, 0.96])
        """
        from scipy.special import expit

        chance = np.array(distances, dtype=np.float64)  # the one copy; all else is in place
        chance -= self.middle
        chance /= self.width
        expit(chance, out=chance)
        least = float(expit(-self.middle / self.width))
        chance -= least
        chance /= 1.0 - least
        result: Floats = np.maximum(chance, 0.0, out=chance)  # a distance rounded below zero
        return result

    def suited(self, manner: Texts) -> Calibration:
        """The same with the cut for some texts: nearer ones have a smaller one, in proportion.

        Where words lie farther apart than in those that the cut is for, it stays: short written
        sentences, the farthest that were labelled, had the cut of running text. What was known
        before counts as one word: with a single one the cut stays as well. It is rounded, so that
        it does not hang on the last digit of a vector.
        """
        if self.cut is None or self.apart is None or manner.words < 2:
            return self
        times = 1.0 + (1.0 - 1.0 / manner.words) * (manner.apart / self.apart - 1.0)
        cut = self.cut * min(max(times, LEAST), 1.0)
        return replace(self, cut=float(f"{cut:.3g}"))  # not to 3 places: a small one stays above 0

    def to_dict(self) -> dict[str, str | float]:
        """As ``senseshift.json`` keeps it."""
        known = {name: getattr(self, name) for name in FIELDS}
        return {"form": FORM} | {name: v for name, v in known.items() if v is not None}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Calibration:
        """Read what :meth:`to_dict` wrote."""
        form = settings.get("form", FORM)
        if form != FORM:
            raise InputError(f"A calibration has the form {FORM!r}, not {str(form)[:40]!r}.")
        values = {name: value for name, value in settings.items() if name != "form"}
        unknown = sorted(values.keys() - set(FIELDS))
        if unknown or not {"middle", "width"} <= values.keys():
            named = f"also {unknown[0][:40]!r}" if unknown else "not both"
            raise InputError(
                "A calibration has middle and width, and may have cut and apart; "
                f"this one has {named}."
            )
        return cls(**values)


def read_calibration(path: Path) -> Calibration:
    """The calibration in a JSON file, as ``senseshift calibrate`` writes it."""
    try:
        settings = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read as a calibration: {error}.") from None
    if not isinstance(settings, dict):
        raise InputError(f"{path} cannot be read as a calibration: it holds no object.")
    return Calibration.from_dict(settings)


def fit(distances: ArrayLike, different: ArrayLike, words: ArrayLike | None = None) -> Calibration:
    """The most likely curve by pairs of usages, without a cut.

    Parameters
    ----------
    distances, different
        Cosine distance of each pair, and whether its two usages differ in sense.
    words
        Which word each pair is of, so that every word counts the same however many pairs it has.
    """
    from scipy.optimize import minimize

    d, y = np.asarray(distances, dtype=np.float64), np.asarray(different, dtype=bool)
    if d.shape != y.shape or d.ndim != 1:
        raise InputError(
            "A calibration needs as many distances as answers, in two rows; "
            f"these have the shapes {d.shape} and {y.shape}."
        )
    if not np.isfinite(d).all():
        raise InputError("A calibration needs finite distances: encode these usages again.")
    if y.all() or not y.any():
        kind = "of one sense" if y.size and y.all() else "that differ in sense"
        raise InputError(
            f"There are no pairs of usages {kind} to calibrate by: "
            "give words with two senses and several usages of each."
        )
    weights = _equally(words, d.size)

    def loss(parameters: Floats) -> float:
        curve = Calibration(*np.exp(np.clip(parameters, -9.0, 2.0)).tolist())
        chance = np.clip(curve.cost(d), 1e-6, 1.0 - 1e-6)
        return float(-(weights * np.log(np.where(y, chance, 1.0 - chance))).sum())

    start = np.log([max(float(d.mean()), 1e-3), max(float(d.std()), 1e-3)])
    found = minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-5, "fatol": 1e-10})
    middle, width = np.exp(np.clip(found.x, -9.0, 2.0)).tolist()
    return Calibration(middle, width)


def _equally(words: ArrayLike | None, pairs: int) -> Floats:
    """Weights of total 1, the same for every word."""
    if words is None:
        return np.full(pairs, 1.0 / pairs)
    _, place, sizes = np.unique(np.asarray(words), return_inverse=True, return_counts=True)
    if place.size != pairs:
        raise InputError(f"There are {pairs} pairs of usages and words for {place.size} of them.")
    weights: Floats = 1.0 / (sizes[place] * sizes.size)
    return weights
