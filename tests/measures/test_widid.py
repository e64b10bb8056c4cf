import warnings

import numpy as np
import pytest
from scipy.spatial.distance import canberra
from sklearn.cluster import AffinityPropagation
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import cosine_similarity

from senseshift.errors import InputError
from senseshift.measures import cluster_periods, f_apdp, f_widid, g_widid
from senseshift.measures.widid import _affinity_propagation, _relabel


def usages(seed, shares, d=16, n=40):
    rng = np.random.default_rng(seed)
    senses = np.eye(d)[: len(shares)]
    chosen = np.repeat(np.arange(len(shares)), np.round(np.multiply(shares, n)).astype(int))
    x = senses[chosen] + 0.05 * rng.normal(size=(chosen.size, d))
    return x / np.linalg.norm(x, axis=1, keepdims=True), chosen


def purity(labels, truth):
    return sum(np.bincount(truth[labels == k]).max() for k in np.unique(labels)) / truth.size


def test_clusters_follow_the_senses_over_periods():
    periods = [usages(1, (0.5, 0.5, 0)), usages(2, (0.5, 0, 0.5)), usages(3, (0.2, 0.4, 0.4))]
    found = cluster_periods([x for x, _ in periods])
    assert [len(labels) for labels in found] == [len(truth) for _, truth in periods]
    assert purity(np.concatenate(found), np.concatenate([truth for _, truth in periods])) > 0.95


@pytest.mark.parametrize("damping", [0.5, 0.7, 0.9])
def test_two_periods_follow_the_description(dwug_vectors, damping):
    """Written out once more with plain loops, on real usages."""
    for word in ("record_nn", "ball_nn"):
        old, new = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in dwug_vectors[word])

        def run(x):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model = AffinityPropagation(
                    damping=damping, max_iter=200, convergence_iter=15,
                    affinity="precomputed", random_state=42,
                ).fit(x @ x.T)  # fmt: skip
            return list(model.labels_), list(model.cluster_centers_indices_)

        first, centres = run(old)
        assert len(set(first)) > 1
        second, _ = run(np.array([old[c] for c in centres] + list(new)))
        expected_old = [second[label] for label in first]
        expected_new = second[len(centres) :]
        found_old, found_new = cluster_periods([old, new], damping)
        assert list(found_old) == expected_old
        assert list(found_new) == expected_new


def test_published_relabelling_merges_what_it_should_not():
    labels, moved = np.array([0, 0, 1, 1]), np.array([1, 0])
    assert list(_relabel(labels, moved, compat=False)) == [1, 1, 0, 0]
    assert list(_relabel(labels, moved, compat=True)) == [0, 0, 0, 0]
    assert list(labels) == [0, 0, 1, 1]


def test_without_clusters_the_most_central_usage_stands_for_all_and_as_published_the_first():
    x, _ = usages(4, (0.4, 0.6))
    central = x[(x @ x.T).sum(axis=1).argmax()]
    slow = 0.999  # not converged after its 200 iterations
    for compat, exemplar in ((False, central), (True, x[0])):
        labels, centres = _affinity_propagation(x, slow, compat)
        assert set(labels) == {0}
        assert (centres == exemplar).all()


@pytest.mark.parametrize("damping", [0.5, 0.9])
def test_published_clusters_follow_the_description(dwug_vectors, damping):
    """Raw vectors, scikit-learn's cosines, labels given in place one after the other."""
    for word in ("record_nn", "ball_nn", "graft_nn"):

        def run(x):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                return AffinityPropagation(
                    damping=damping, affinity="precomputed", random_state=42
                ).fit(cosine_similarity(x))

        old, new = dwug_vectors[word]
        first = run(old)
        second = run(np.vstack((old[first.cluster_centers_indices_], new)))
        expected = first.labels_.copy()
        for place in range(len(first.cluster_centers_indices_)):
            expected[expected == place] = second.labels_[place]
        found_old, found_new = cluster_periods([old, new], damping, compat=True)
        assert list(found_old) == list(expected)
        assert list(found_new) == list(second.labels_[len(first.cluster_centers_indices_) :])


def test_usages_all_alike_are_one_cluster():
    x = np.tile(np.eye(4)[:1], (6, 1))
    for labels in cluster_periods([x, x[:3]]):
        assert set(labels) == {0}


def test_one_usage_a_period_is_enough():
    found = cluster_periods([np.eye(3)[:1], np.eye(3)[1:2], np.eye(3)[:1]])
    assert [len(labels) for labels in found] == [1, 1, 1]


def test_measures_follow_the_formula():
    old, new = np.array([0, 0, 0, 2]), np.array([0, 2, 5, 5])
    p, q = np.array([0.75, 0.25, 0]), np.array([0.25, 0.25, 0.5])
    middle = (p + q) / 2
    divergence = sum(
        sum(a * np.log2(a / m) for a, m in zip(side, middle, strict=True) if a > 0) / 2
        for side in (p, q)
    )
    assert f_widid(old, new) == pytest.approx(np.sqrt(divergence))
    entropy = [-sum(a * np.log(a) for a in side if a > 0) for side in (p, q)]
    assert g_widid(old, new) == pytest.approx(entropy[1] - entropy[0])


def test_prototypes_are_compared_by_canberra_distance():
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=(6, 4)), rng.normal(size=(5, 4))
    old, new = np.array([0, 0, 3, 3, 3, 1]), np.array([1, 1, 4, 4, 4])
    distances = [
        canberra(u[old == k].mean(0), v[new == j].mean(0)) for k in (0, 1, 3) for j in (1, 4)
    ]
    assert f_apdp(u, v, old, new) == pytest.approx(np.mean(distances))


@pytest.mark.parametrize("damping", [0.4, 1.0])
def test_wrong_damping_is_told(damping):
    with pytest.raises(InputError, match="damping"):
        cluster_periods([np.eye(3), np.eye(3)], damping)


def test_no_period_is_told():
    with pytest.raises(InputError, match="at least one period"):
        cluster_periods([])
