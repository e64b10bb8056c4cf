"""Methods that the paper has not: scores of a study as ``compare`` makes it, nothing to tune.

They are measured with the same gold on the same splits.  A new one is an entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.calibration import Calibration
from senseshift.comparing import compare
from senseshift.evaluation.methods import LEVELS, GoldKind
from senseshift.evaluation.scores import WordScores
from senseshift.progress import Progress
from senseshift.study import Study
from senseshift.usages import Usages

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PERMUTATIONS = 100
BASELINE = "baseline"  # the approach of what is measured only to be compared with
NO_SENSES = "left out, for the encoder has no calibration that senses could be induced by"


@dataclass(frozen=True)
class Own:
    """A method of ours.

    Attributes
    ----------
    name, gold, approach
        What it is called, what it is measured with, what it is based on.
    says
        What it is, in a few words.
    read
        Its scores: of a study's words, or of its instances where the gold is τ*.
    """

    name: str
    gold: GoldKind
    approach: str
    says: str
    read: Callable[[Study], pl.Series]


OURS = (
    Own("excess", "tau", "SUS-based", "SUS less what chance gives the usage on its side",
        lambda study: study.instances["excess"]),
    Own("tau_senses", "tau", "sense-based",
        "log ratio of the shares of the induced senses that the usage lies between",
        lambda study: study.instances["tau_senses"]),
    Own("period", "tau", BASELINE, "old 0, new 1: what a score has that knows nothing else",
        lambda study: (study.instances["period"] == study.instances["new"]).cast(pl.Float64)),
    Own("change", "f", "SUS-based", "how much worse than by chance usages are matched",
        lambda study: study.words["change"]),
    Own("f_senses", "f", "sense-based",
        "Jensen–Shannon distance between the shares of induced senses",
        lambda study: study.words["f_senses"]),
    Own("g_senses", "g", "sense-based",
        "difference of the entropies of the shares of induced senses",
        lambda study: study.words["g_senses"]),
)  # fmt: skip


def gold_of(method: str) -> GoldKind:
    """What a method is measured with, the paper's or ours."""
    kinds = {own.name: own.gold for own in OURS}
    kinds |= {name: kind for kind, names in LEVELS.items() for name in names}
    return kinds[method]


@dataclass(frozen=True, eq=False)
class OwnScores:
    """What our methods make of a data set.

    ``words`` has the scores of words by method; ``usages`` those of usages, by their rows, NaN
    where there is none.  ``notes`` say of each method what it is, or why it is not here.
    """

    words: Mapping[str, Mapping[str, float]]
    usages: Mapping[str, Floats]
    notes: tuple[tuple[str, str], ...]

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that can be had, in their order."""
        return tuple(own.name for own in OURS if own.name in {*self.words, *self.usages})

    def beside(
        self, scores: Mapping[str, WordScores], rows: Mapping[str, tuple[Ints, Ints]]
    ) -> dict[str, WordScores]:
        """The scores of all words with ours among them."""
        found = {}
        for word, known in scores.items():
            old, new = rows[word]
            values, usages = dict(known.values), dict(known.usages)
            values.update({(name, None): of[word] for name, of in self.words.items()})
            usages.update({name: {None: (of[old], of[new])} for name, of in self.usages.items()})
            found[word] = replace(known, values=values, usages=usages)
        return found


def own_scores(
    usages: Usages, study: Study, *, threads: int | None, progress: Progress | None
) -> OwnScores:
    """Our methods on the usages and vectors of a study, with the calibration of its encoder."""
    given: dict[str, Any] | None = study.about["calibration"]
    made = compare(
        usages, study.vectors, calibration=None if given is None else Calibration.from_dict(given),
        measures=["f_senses", "g_senses"], permutations=PERMUTATIONS,
        threads=threads, progress=progress,
    )  # fmt: skip
    cost = "cosine distance" if given is None else "calibrated cost"
    how = f" ({cost}, ρ = 1, {PERMUTATIONS} permutations)"
    words: dict[str, dict[str, float]] = {}
    of_usages: dict[str, Floats] = {}
    notes = []
    for own in OURS:
        if own.approach == "sense-based" and not made.senses.height:
            notes.append((own.name, NO_SENSES))
            continue
        numbers = own.read(made).cast(pl.Float64).fill_null(np.nan).to_numpy()
        if own.gold == "tau":
            of_usages[own.name] = np.full(len(usages), np.nan)
            of_usages[own.name][made.instances["usage"].to_numpy()] = numbers
        else:
            words[own.name] = dict(zip(made.words["word"], numbers.tolist(), strict=True))
        notes.append((own.name, own.says + (how if own.approach == "SUS-based" else "")))
    return OwnScores(words, of_usages, tuple(notes))
