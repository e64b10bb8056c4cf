from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from senseshift.errors import InputError
from senseshift.measures import (
    entropy_difference,
    impute,
    jsd,
    sense_frequencies,
    tau,
    usage_tau,
)

labels = st.lists(st.integers(-1, 6), min_size=1, max_size=40)
counts = st.lists(st.integers(0, 30), min_size=2, max_size=8).filter(any)


@given(labels, labels)
def test_frequencies_are_counts_by_label_whatever_gaps_there_are(old, new):
    found = sense_frequencies(old, new, unknown=-1)
    for sense, x, y in zip(found.senses, found.old, found.new, strict=True):
        assert x == Counter(old)[sense]
        assert y == Counter(new)[sense]
    assert set(found.senses) == (set(old) | set(new)) - {-1}


def test_senses_may_be_words():
    found = sense_frequencies(["dance", "toy"], ["toy", "toy"])
    assert list(found.senses) == ["dance", "toy"]
    assert list(found.old_share) == [0.5, 0.5]
    assert list(found.new_share) == [0.0, 1.0]


@given(
    st.integers(2, 8).flatmap(
        lambda k: st.tuples(*[st.lists(st.integers(0, 30), min_size=k, max_size=k).filter(any)] * 2)
    )
)
def test_divergence_and_entropy_follow_the_formula(pair):
    x, y = pair
    p, q = np.array(x) / sum(x), np.array(y) / sum(y)

    def kl(u, v):
        return sum(a * log(a / b) for a, b in zip(u, v, strict=True) if a > 0)

    def entropy(u):
        return -sum(a * log(a) for a in u if a > 0)

    middle = (p + q) / 2
    naive = sqrt(max((kl(p, middle) + kl(q, middle)) / 2 / log(2), 0))
    assert jsd(x, y) == pytest.approx(naive, abs=1e-7)
    assert jsd(x, y) == pytest.approx(jensenshannon(p, q, 2), abs=1e-7)
    assert jsd(x, y, base=np.e) == pytest.approx(jsd(x, y) * sqrt(log(2)), abs=1e-9)
    assert 0 <= jsd(x, y) <= 1 + 1e-12
    assert entropy_difference(x, y) == pytest.approx(entropy(q) - entropy(p), abs=1e-12)


def test_the_gold_change_of_dwug_is_this_distance(dwug_vectors):
    import ast
    import csv

    from support import DATA

    with (DATA / "dwug_en/stats/opt/stats_groupings.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            x, y = (ast.literal_eval(row[f"cluster_freq_dist{k}"]) for k in (1, 2))
            assert jsd(x, y) == pytest.approx(float(row["change_graded"]), abs=1e-6)


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=8), st.sampled_from([1e-16, 1e-12]))
def test_shares_almost_alike_are_hardly_apart(shares, noise):
    wiggled = [x * (1 + noise * (-1) ** k * k) for k, x in enumerate(shares)]
    assert 0 <= jsd(shares, wiggled) <= 1e-7


def test_no_counts_are_an_error():
    for bad in ([0, 0], [-1, 2], [np.nan, 1], [np.inf, 1]):
        with pytest.raises(InputError, match="at least one above zero"):
            jsd(bad, [1, 2])
    with pytest.raises(InputError, match="one label for each usage"):
        sense_frequencies([[1]], [1])


def test_tau_is_the_log_ratio_of_shares():
    found = sense_frequencies([0, 0, 0, 7], [0, 7, 7, 9])
    assert tau(found) == pytest.approx([log(0.25 / 0.75), log(0.5 / 0.25), np.inf])
    old, new = usage_tau([0, 0, 0, 7, -1], [0, 7, 7, 9], unknown=-1)
    assert old[:4] == pytest.approx([log(1 / 3)] * 3 + [log(2)])
    assert np.isnan(old[4])
    assert new == pytest.approx([log(1 / 3), log(2), log(2), np.inf])


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 9), st.integers(1, 9))
def test_senses_that_changed_alike_have_the_very_same_tau(x, y, times, more):
    """Also in words with other numbers of usages: the sense level of the paper joins them."""

    def first_tau(*counts):
        (x, y), rest = counts[0], counts[1:]
        old = [0] * x + [k for k, (n, _) in enumerate(rest, 1) for _ in range(n)]
        new = [0] * y + [k for k, (_, n) in enumerate(rest, 1) for _ in range(n)]
        return tau(sense_frequencies(old, new))[0]

    small = first_tau((x, y), (more, more))
    large = first_tau((x * times, y * times), (more * times, more * times))
    assert small == large


def test_published_tau_takes_labels_for_places():
    """Labels 0, 2, 5 are the places 0, 1, 2: label 2 gets τ of label 5, and 5 is beyond them."""
    old, new = usage_tau([0, 0, 2, 5], [0, 2, 2, 5, 5, 5], compat=True)
    share = [log((1 / 6) / (1 / 2)), log((2 / 6) / (1 / 4)), log((3 / 6) / (1 / 4))]
    assert old[:3] == pytest.approx([share[0], share[0], share[2]])
    assert np.isnan(old[3])
    assert new[:3] == pytest.approx([share[0], share[2], share[2]])
    assert np.isnan(new[3:]).all()


def test_published_tau_is_right_where_labels_have_no_gaps():
    old, new = [0, 1, 1, 2], [2, 2, 0]
    for published, right in zip(usage_tau(old, new, compat=True), usage_tau(old, new), strict=True):
        assert published == pytest.approx(right, abs=1e-15)


def test_without_any_known_sense_nothing_is_known():
    old, new = usage_tau([-1, -1], [-1], unknown=-1)
    assert np.isnan(old).all()
    assert np.isnan(new).all()


def test_infinities_become_the_extremes_over_all_words():
    one, two = impute([np.array([np.inf, 0.5, -0.2]), np.array([-np.inf, 1.5, np.nan])])
    assert one == pytest.approx([1.5, 0.5, -0.2])
    assert two[:2] == pytest.approx([-0.2, 1.5])
    assert np.isnan(two[2])


def test_infinities_keep_their_sign():
    assert impute([np.array([np.inf, -0.4])])[0] == pytest.approx([0.0, -0.4])
    assert impute([np.array([np.inf, -np.inf])])[0] == pytest.approx([1.0, -1.0])
    assert impute([]) == []


def test_published_infinities_lose_their_sign():
    assert impute([np.array([np.inf, -0.4])], compat=True)[0] == pytest.approx([-0.4, -0.4])
    assert list(impute([np.array([np.inf, -np.inf])], compat=True)[0]) == [0.0, 0.0]
