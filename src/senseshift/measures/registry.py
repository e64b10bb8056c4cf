"""All measures in one list, which studies, tables, the command line, notebooks and pages read.

A new measure is an entry here and a function that computes it; nothing else names measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from numpy.typing import ArrayLike

from senseshift.errors import InputError
from senseshift.measures import form, frequencies, scores, vmf, widid
from senseshift.measures.comparison import Comparison, Floats, Scores

Kind = Literal["SUS-based", "form-based", "sense-based"]
Level = Literal["instance", "magnitude", "scope"]
Needs = Literal["cost", "vectors", "senses"]
Value = TypeVar("Value", float, Scores)


@dataclass(frozen=True)
class Measure(Generic[Value]):
    """A measure: what it is called, what it says, how it is computed and how it is shown.

    Attributes
    ----------
    name, symbol
        What it is called in tables and by options, and in headings.
    kind, level, needs
        What it is based on, what it tells of, and what it is computed from.
    says
        What it is, in a few words.
    compute
        From one word alone.
    digits
        Decimals that a table shows.
    headline
        Whether it is shown first where not all can be.
    """

    name: str
    symbol: str
    kind: Kind
    level: Level
    needs: Needs
    says: str
    compute: Callable[[Comparison], Value]
    digits: int = 4
    headline: bool = False

    @property
    def slow(self) -> bool:
        """Whether it waits for affinity propagation, which takes longer than all the rest."""
        return self.kind == "sense-based" and self.needs == "vectors"

    @property
    def signed(self) -> bool:
        """Whether it points in one of two directions."""
        return self.level != "magnitude"


@dataclass(frozen=True)
class WordMeasure(Measure[float]):
    """A number for a word.

    ``beyond`` computes it from the SUS of the old and the new usages and a threshold θ that a
    study takes over all its words.
    """

    beyond: Callable[[Floats, Floats, float], float] | None = None


@dataclass(frozen=True)
class UsageMeasure(Measure[Scores]):
    """A number for every usage.

    ``raw`` is what a study computes for each word where ``over_all`` completes the scores of all
    words at once, such as infinities that become the largest of all.  Scores that span orders of
    magnitude are ``squashed`` before they are coloured; ``ends`` says what lies at either end.
    """

    raw: Callable[[Comparison], Scores] | None = None
    over_all: Callable[[Sequence[Floats]], list[Floats]] | None = None
    squashed: bool = False
    ends: tuple[str, str] = ("old", "new")

    @property
    def scale_name(self) -> str:
        """What its colours stand for."""
        return f"sgn({self.symbol}) · log(1 + |{self.symbol}|)" if self.squashed else self.symbol

    @property
    def raw_name(self) -> str:
        """The column of a study for what is known before all words are."""
        return f"{self.name}_raw" if self.over_all else self.name


def _of_senses(word: Comparison, compute: Callable[[ArrayLike, ArrayLike], float]) -> float:
    found = word.sense_frequencies
    return float("nan") if found is None else compute(found.old, found.new)


INSTANCE: list[UsageMeasure] = [
    UsageMeasure(
        "sus", "SUS", "SUS-based", "instance", "cost",
        "share of a usage's weight that found no partner: its use rose (+) or fell (−)",
        lambda word: word.sus,
        digits=3, ends=("fell", "rose"),
    ),
    UsageMeasure(
        "ldr", "LDR", "form-based", "instance", "vectors",
        "log-density ratio of two von Mises–Fisher distributions",
        lambda word: word.ldr,
        digits=2, squashed=True,
    ),
    UsageMeasure(
        "widid", "τ_WiDiD", "sense-based", "instance", "vectors",
        "log ratio of the shares of the usage's cluster",
        lambda word: word.widid,
        digits=2, raw=lambda word: word.cluster_tau, over_all=frequencies.impute,
        ends=("fell", "rose"),
    ),
    UsageMeasure(
        "representativeness", "R", "form-based", "instance", "vectors",
        "LDR without its constant: ranks a word's usages, has no sign",
        lambda word: vmf.representativeness(*word.units),
        digits=1, squashed=True,
    ),
]  # fmt: skip

WORD: list[WordMeasure] = [
    WordMeasure(
        "f_SUS", "f_SUS", "SUS-based", "magnitude", "cost",
        "distance between the mean SUS of old and of new usages",
        lambda word: scores.mean_difference(*word.sus),
        headline=True,
    ),
    WordMeasure(
        "f_1", "f₁", "SUS-based", "magnitude", "cost",
        "sum of all |SUS|",
        lambda word: scores.f_1(*word.sus),
    ),
    WordMeasure(
        "f_2", "f₂", "SUS-based", "magnitude", "cost",
        "sum of the |SUS| beyond a threshold: old usages lost, new ones gained",
        lambda word: scores.f_2(*word.sus, word.threshold),
        beyond=scores.f_2,
    ),
    WordMeasure(
        "f_3", "f₃", "SUS-based", "magnitude", "cost",
        "cost of the unbalanced transport",
        lambda word: word.transport.cost,
    ),
    WordMeasure(
        "f_OT", "f_OT", "form-based", "magnitude", "cost",
        "cost of the balanced transport",
        lambda word: word.balanced.cost,
    ),
    WordMeasure(
        "f_APD", "f_APD", "form-based", "magnitude", "cost",
        "average pairwise cosine distance",
        lambda word: form.f_apd(*word.units) if word.has_vectors else float(word.cost.mean()),
        headline=True,
    ),
    WordMeasure(
        "f_LDR", "f_LDR", "form-based", "magnitude", "vectors",
        "distance between the mean LDR of old and of new usages",
        lambda word: scores.mean_difference(*word.ldr),
    ),
    WordMeasure(
        "f_WiDiD", "f_WiDiD", "sense-based", "magnitude", "vectors",
        "Jensen–Shannon distance between the shares of the clusters",
        lambda word: widid.f_widid(*word.clusters, compat=word.compat),
        headline=True,
    ),
    WordMeasure(
        "f_senses", "f_senses", "sense-based", "magnitude", "senses",
        "Jensen–Shannon distance between the shares of the senses",
        lambda word: _of_senses(word, frequencies.jsd),
        headline=True,
    ),
    WordMeasure(
        "f_APDP", "f_APDP", "sense-based", "magnitude", "vectors",
        "average Canberra distance between sense prototypes",
        lambda word: widid.f_apdp(*word.vectors, *word.clusters),
    ),
    WordMeasure(
        "f_PRT", "f_PRT", "form-based", "magnitude", "vectors",
        "cosine distance between the mean vectors",
        lambda word: form.f_prt(*word.vectors),
    ),
    WordMeasure(
        "g_SUS", "g_SUS", "SUS-based", "scope", "cost",
        "log ratio of the variances of SUS: broadened (+) or narrowed (−)",
        lambda word: scores.log_variance_ratio(*word.sus),
        headline=True,
    ),
    WordMeasure(
        "g_1", "g₁", "SUS-based", "scope", "cost",
        "SUS gained beyond a threshold less SUS lost beyond it",
        lambda word: scores.g_1(*word.sus, word.threshold),
        beyond=scores.g_1,
    ),
    WordMeasure(
        "g_vMF", "g_vMF", "form-based", "scope", "vectors",
        "log ratio of the concentrations, Nagata's coverage",
        lambda word: vmf.g_vmf(*word.units),
    ),
    WordMeasure(
        "g_LDR", "g_LDR", "form-based", "scope", "vectors",
        "log ratio of the variances of LDR",
        lambda word: scores.log_variance_ratio(*word.ldr),
    ),
    WordMeasure(
        "g_WiDiD", "g_WiDiD", "sense-based", "scope", "vectors",
        "difference of the entropies of the clusters' shares",
        lambda word: widid.g_widid(*word.clusters, compat=word.compat),
    ),
    WordMeasure(
        "g_senses", "g_senses", "sense-based", "scope", "senses",
        "difference of the entropies of the senses' shares",
        lambda word: _of_senses(word, frequencies.entropy_difference),
    ),
]  # fmt: skip


def _only_by_permutation(word: Comparison) -> Scores:
    raise InputError("The excess follows from permutations, which compare(…) makes.")


# Shown with the measures of usages wherever a study has it, though no word alone tells it.
EXCESS = UsageMeasure(
    "excess", "excess", "SUS-based", "instance", "cost",
    "SUS less what permutation gives such a usage on its side",
    _only_by_permutation, digits=3, ends=("fell", "rose"),
)  # fmt: skip


def every_measure() -> dict[str, UsageMeasure | WordMeasure]:
    """All measures by name, of usages first."""
    return {m.name: m for m in INSTANCE} | {m.name: m for m in WORD}


def measure(word: Comparison, names: Iterable[str] | None = None) -> dict[str, float]:
    """Word-level measures by name, all of them by default."""
    return {m.name: m.compute(word) for m in chosen(WORD, names)}


def measure_usages(word: Comparison, names: Iterable[str] | None = None) -> dict[str, Scores]:
    """Instance-level measures by name, all by default: pairs of old and new scores."""
    return {m.name: m.compute(word) for m in chosen(INSTANCE, names)}


AnyMeasure = TypeVar("AnyMeasure", bound=Measure)  # type: ignore[type-arg]


def chosen(measures: Sequence[AnyMeasure], names: Iterable[str] | None) -> list[AnyMeasure]:
    """Measures by their names, all of them by default."""
    if names is None:
        return list(measures)
    known = {m.name: m for m in measures}
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name not in known:
            raise InputError(f"There is no measure {name!r} here; there are {', '.join(known)}.")
    return [known[name] for name in wanted]
