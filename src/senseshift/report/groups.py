"""What rose and what fell: usages that shifted beyond chance, in groups that belong together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from senseshift.findings.telling import Contexts
from senseshift.vectors import unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Kind = Literal["rose", "fell"]

MOST_GROUPS = 3  # that rose, and that fell
LEAST = 3  # usages beyond chance that make a group
LEAST_SHARE = 0.1  # of all that rose, or fell, in each group it is split into
APART = 0.3  # mean silhouette from which on groups are told apart
MOST_FOR_SILHOUETTE = 2_000
TYPICAL = 3
SHOWN = 0.05  # share of the usages that is shown where none shifted beyond chance


@dataclass(frozen=True, eq=False)
class Group:
    """Usages that rose, or fell, together.

    Attributes
    ----------
    kind
        Whether they rose or fell.
    beyond
        Whether beyond chance; if not, these are merely the usages that did most.
    members
        The rows of the usages that did so beyond chance, and of all that are more like them than
        like any other group.
    sus
        Their mean SUS.
    old_share, new_share
        Which share of the old and of the new usages they are.
    words
        The words that tell them from the other usages, the most telling first.
    typical
        The rows of those nearest to their middle.
    """

    kind: Kind
    beyond: bool
    members: Ints
    sus: float
    old_share: float
    new_share: float
    words: list[str]
    typical: Ints


def shifted(sus: Floats, chance: float) -> tuple[Bools, Bools]:
    """Which usages rose and which fell beyond chance."""
    return sus > chance, sus < -chance


def groups(
    sus: Floats, vectors: Floats, texts: list[str], contexts: Contexts, chance: float
) -> list[Group]:
    """The groups of usages that rose, then those that fell, the largest change first."""
    units, is_new = unit(vectors, "vectors"), contexts.is_new
    found = []
    for kind, beyond, members in _members(sus, units, chance):
        inside = np.zeros(sus.size, bool)
        inside[members] = True
        found.append(
            Group(
                kind, beyond, members, float(sus[members].mean()),
                float(inside[~is_new].mean()), float(inside[is_new].mean()),
                contexts.telling(inside), _typical(units, members, texts),
            )
        )  # fmt: skip
    return sorted(found, key=lambda g: (g.kind == "fell", -abs(g.new_share - g.old_share)))


def _members(sus: Floats, units: Floats, chance: float) -> list[tuple[Kind, bool, Ints]]:
    """Groups that shifted beyond chance and what lies with them; else what did most."""
    kinds: tuple[Kind, ...] = ("rose", "fell")
    cores: list[tuple[Kind, Ints]] = []
    most: list[tuple[Kind, bool, Ints]] = []
    for kind, beyond in zip(kinds, shifted(sus, chance), strict=True):
        rows = np.flatnonzero(beyond)
        if rows.size >= LEAST:
            cores += [(kind, rows[part]) for part in _parts(units[rows])]
        else:
            order = np.argsort(-sus if kind == "rose" else sus, kind="stable")
            count = max(min(LEAST, sus.size), round(SHOWN * sus.size))
            most.append((kind, False, np.sort(order[:count])))
    regions = _regions(units, [core for _, core in cores])
    return [
        (kind, True, region) for (kind, _), region in zip(cores, regions, strict=True)
    ] + most  # fmt: skip


def _regions(units: Floats, cores: list[Ints]) -> list[Ints]:
    """Each core with the other usages that are more like it than like all the rest."""
    rest = np.ones(len(units), bool)
    for core in cores:
        rest[core] = False
    middles = [units[core].mean(axis=0) for core in cores]
    if rest.any():
        middles.append(units[rest].mean(axis=0))
    if not middles:
        return []
    centres = np.array(middles)
    centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-12)
    nearest = (units @ centres.T).argmax(axis=1)
    for k, core in enumerate(cores):
        nearest[core] = k
    return [np.flatnonzero(nearest == k) for k in range(len(cores))]


def _parts(units: Floats) -> list[Ints]:
    """Rows that belong together, in as many parts as are told apart best."""
    best, apart = [np.arange(len(units))], APART
    distinct = len(np.unique(units.round(9), axis=0))
    if len(units) < 2 * LEAST or distinct < 3:
        return best
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    least = max(LEAST, LEAST_SHARE * len(units))
    sample = MOST_FOR_SILHOUETTE if len(units) > MOST_FOR_SILHOUETTE else None
    for count in range(2, min(MOST_GROUPS, distinct - 1) + 1):
        labels = KMeans(count, n_init=4, random_state=0).fit_predict(units)
        parts = [np.flatnonzero(labels == label) for label in range(count)]
        if min(part.size for part in parts) < least:
            continue
        score = silhouette_score(units, labels, metric="cosine", sample_size=sample, random_state=0)
        if score > apart:
            best, apart = parts, score
    return best


def _typical(units: Floats, rows: Ints, texts: list[str]) -> Ints:
    """The rows nearest to the middle of all, each with a text of its own."""
    near = rows[np.argsort(-(units[rows] @ units[rows].mean(axis=0)), kind="stable")]
    seen: dict[str, int] = {}
    for row in near:
        seen.setdefault(texts[row], int(row))
    return np.array(list(seen.values())[:TYPICAL], dtype=np.int64)
