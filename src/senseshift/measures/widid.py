"""Sense-based measures: WiDiD's senses by a-posteriori affinity propagation (Periti et al. 2022).

The first period is clustered.  Then the exemplars of its clusters are clustered together with the
vectors of the next period, and every earlier usage follows its exemplar; and so on.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from senseshift.errors import InputError
from senseshift.measures.frequencies import entropy_difference, jsd, sense_frequencies

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

DAMPING = 0.9  # of the grid 0.5 … 0.9 the value that converges most often


def cluster_periods(
    periods: Sequence[Floats], damping: float = DAMPING, *, compat: bool = False
) -> list[Labels]:
    """Cluster the vectors of two or more periods in sequence.

    Parameters
    ----------
    periods
        Unit vectors, one matrix for each period, in order of time; with ``compat`` vectors as they
        were encoded.
    damping
        Of affinity propagation, from 0.5 up to but not including 1.
    compat
        Relabel earlier usages as the published code does: in place and one label after the other,
        which merges clusters where old and new numbers overlap.  And where affinity propagation
        finds no clusters, the first usage stands for all, not the most central one.

    Returns
    -------
    One array of cluster labels for each period.
    """
    if not periods:
        raise InputError("Clustering needs the vectors of at least one period.")
    labels, exemplars = _affinity_propagation(periods[0], damping, compat)
    found = [labels]
    for vectors in periods[1:]:
        pooled = np.concatenate((exemplars, vectors))
        labels, centres = _affinity_propagation(pooled, damping, compat)
        moved, fresh = labels[: len(exemplars)], labels[len(exemplars) :]
        found = [_relabel(earlier, moved, compat) for earlier in found]
        found.append(fresh)
        exemplars = centres
    return found


def _affinity_propagation(vectors: Floats, damping: float, compat: bool) -> tuple[Labels, Floats]:
    """Labels, and one exemplar for each label; a single cluster where none was found."""
    from sklearn.cluster import AffinityPropagation
    from sklearn.exceptions import ConvergenceWarning

    if not 0.5 <= damping < 1.0:
        raise InputError(f"The damping is {damping}: it must be at least 0.5 and below 1.")
    similarity = _similarity(vectors, compat)
    if vectors.shape[0] > 1:
        with warnings.catch_warnings():
            # Not converging, and usages that are all alike, have their answer below.
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.filterwarnings("ignore", message="All samples have mutually equal")
            model = AffinityPropagation(
                damping=damping, max_iter=200, convergence_iter=15,
                affinity="precomputed", random_state=42,
            ).fit(similarity)  # fmt: skip
        labels = np.asarray(model.labels_, dtype=np.int64)
        if np.unique(labels).size > 1:
            return labels, vectors[model.cluster_centers_indices_]
    exemplar = 0 if compat else int(similarity.sum(axis=1).argmax())
    return np.zeros(vectors.shape[0], np.int64), vectors[[exemplar]]


def _similarity(vectors: Floats, compat: bool) -> Floats:
    """Cosines, with ``compat`` to the last bit as published: some clusterings depend on it."""
    if not compat:
        return vectors @ vectors.T
    from sklearn.metrics.pairwise import cosine_similarity

    published: Floats = cosine_similarity(vectors)
    return published


def _relabel(labels: Labels, moved: Labels, compat: bool) -> Labels:
    """Give every usage the new label of its old cluster's exemplar."""
    if not compat:
        return moved[labels]
    labels = labels.copy()
    for old_label, new_label in enumerate(moved):
        labels[labels == old_label] = new_label
    return labels


def f_widid(old: Labels, new: Labels, *, compat: bool = False) -> float:
    """f_WiDiD, the Jensen–Shannon distance (base 2) between the shares of the clusters.

    With ``compat`` to base e, as published.
    """
    return jsd(*_distributions(old, new, compat), base=np.e if compat else 2.0)


def g_widid(old: Labels, new: Labels, *, compat: bool = False) -> float:
    """g_WiDiD = H(Q̂) − H(P̂) of the shares of the clusters."""
    return entropy_difference(*_distributions(old, new, compat))


def _distributions(
    old: Labels, new: Labels, compat: bool
) -> tuple[NDArray[np.number], NDArray[np.number]]:
    """The clusters' numbers of usages; with ``compat`` shares, whose rounding breaks ties."""
    found = sense_frequencies(old, new)
    return (found.old_share, found.new_share) if compat else (found.old, found.new)


def f_apdp(
    old_vectors: Floats, new_vectors: Floats, old_labels: Labels, new_labels: Labels
) -> float:
    """f_APDP, the average Canberra distance between old and new sense prototypes μ_k and ν_k."""
    from scipy.spatial.distance import cdist

    return float(
        cdist(
            _prototypes(old_vectors, old_labels), _prototypes(new_vectors, new_labels), "canberra"
        ).mean()
    )


def _prototypes(vectors: Floats, labels: Labels) -> Floats:
    return np.stack([vectors[labels == label].mean(axis=0) for label in np.unique(labels)])
