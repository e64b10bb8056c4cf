"""All measures in one list, which tables, the command line and reports read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from senseshift.errors import InputError
from senseshift.measures import form, scores, vmf, widid
from senseshift.measures.comparison import Comparison, Scores

Kind = Literal["SUS-based", "form-based", "sense-based"]
Level = Literal["instance", "magnitude", "scope"]
Needs = Literal["cost", "vectors"]
Value = TypeVar("Value", float, Scores)


@dataclass(frozen=True)
class Measure(Generic[Value]):
    """A measure: what it is called, what it says, and how it is computed."""

    name: str
    symbol: str
    kind: Kind
    level: Level
    needs: Needs
    says: str
    compute: Callable[[Comparison], Value]


INSTANCE: list[Measure[Scores]] = [
    Measure(
        "sus", "SUS", "SUS-based", "instance", "cost",
        "share of a usage's weight that found no partner: its use rose (+) or fell (−)",
        lambda word: word.sus,
    ),
    Measure(
        "ldr", "LDR", "form-based", "instance", "vectors",
        "log-density ratio of two von Mises–Fisher distributions",
        lambda word: word.ldr,
    ),
    Measure(
        "widid", "τ_WiDiD", "sense-based", "instance", "vectors",
        "log ratio of the shares of the usage's cluster",
        lambda word: word.widid,
    ),
    Measure(
        "representativeness", "R", "form-based", "instance", "vectors",
        "LDR without its constant: ranks a word's usages, has no sign",
        lambda word: vmf.representativeness(*word.units),
    ),
]  # fmt: skip

WORD: list[Measure[float]] = [
    Measure(
        "f_SUS", "f_SUS", "SUS-based", "magnitude", "cost",
        "distance between the mean SUS of old and of new usages",
        lambda word: scores.mean_difference(*word.sus),
    ),
    Measure(
        "f_1", "f₁", "SUS-based", "magnitude", "cost",
        "sum of all |SUS|",
        lambda word: scores.f_1(*word.sus),
    ),
    Measure(
        "f_2", "f₂", "SUS-based", "magnitude", "cost",
        "sum of the |SUS| beyond a threshold: old usages lost, new ones gained",
        lambda word: scores.f_2(*word.sus, word.threshold),
    ),
    Measure(
        "f_3", "f₃", "SUS-based", "magnitude", "cost",
        "cost of the unbalanced transport",
        lambda word: word.transport.cost,
    ),
    Measure(
        "f_OT", "f_OT", "form-based", "magnitude", "cost",
        "cost of the balanced transport",
        lambda word: word.balanced.cost,
    ),
    Measure(
        "f_APD", "f_APD", "form-based", "magnitude", "cost",
        "average pairwise cosine distance",
        lambda word: form.f_apd(*word.units) if word.has_vectors else float(word.cost.mean()),
    ),
    Measure(
        "f_LDR", "f_LDR", "form-based", "magnitude", "vectors",
        "distance between the mean LDR of old and of new usages",
        lambda word: scores.mean_difference(*word.ldr),
    ),
    Measure(
        "f_WiDiD", "f_WiDiD", "sense-based", "magnitude", "vectors",
        "Jensen–Shannon distance between the shares of the clusters",
        lambda word: widid.f_widid(*word.clusters, compat=word.compat),
    ),
    Measure(
        "f_APDP", "f_APDP", "sense-based", "magnitude", "vectors",
        "average Canberra distance between sense prototypes",
        lambda word: widid.f_apdp(*word.vectors, *word.clusters),
    ),
    Measure(
        "f_PRT", "f_PRT", "form-based", "magnitude", "vectors",
        "cosine distance between the mean vectors",
        lambda word: form.f_prt(*word.vectors),
    ),
    Measure(
        "g_SUS", "g_SUS", "SUS-based", "scope", "cost",
        "log ratio of the variances of SUS: broadened (+) or narrowed (−)",
        lambda word: scores.log_variance_ratio(*word.sus),
    ),
    Measure(
        "g_1", "g₁", "SUS-based", "scope", "cost",
        "SUS gained beyond a threshold less SUS lost beyond it",
        lambda word: scores.g_1(*word.sus, word.threshold),
    ),
    Measure(
        "g_vMF", "g_vMF", "form-based", "scope", "vectors",
        "log ratio of the concentrations, Nagata's coverage",
        lambda word: vmf.g_vmf(*word.units),
    ),
    Measure(
        "g_LDR", "g_LDR", "form-based", "scope", "vectors",
        "log ratio of the variances of LDR",
        lambda word: scores.log_variance_ratio(*word.ldr),
    ),
    Measure(
        "g_WiDiD", "g_WiDiD", "sense-based", "scope", "vectors",
        "difference of the entropies of the clusters' shares",
        lambda word: widid.g_widid(*word.clusters, compat=word.compat),
    ),
]  # fmt: skip

REGISTRY: dict[str, Measure[Scores] | Measure[float]] = {
    **{m.name: m for m in INSTANCE},
    **{m.name: m for m in WORD},
}


def measure(word: Comparison, names: Iterable[str] | None = None) -> dict[str, float]:
    """Word-level measures by name, all of them by default."""
    return {m.name: m.compute(word) for m in _chosen(WORD, names)}


def measure_usages(word: Comparison, names: Iterable[str] | None = None) -> dict[str, Scores]:
    """Instance-level measures by name, all by default: pairs of old and new scores."""
    return {m.name: m.compute(word) for m in _chosen(INSTANCE, names)}


def _chosen(measures: list[Measure[Value]], names: Iterable[str] | None) -> list[Measure[Value]]:
    if names is None:
        return measures
    known = {m.name: m for m in measures}
    wanted = list(names)
    for name in wanted:
        if name not in known:
            raise InputError(f"There is no measure {name!r} here; there are {', '.join(known)}.")
    return [known[name] for name in wanted]
