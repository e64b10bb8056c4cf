"""Which usages mean alike."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import CUT, usages
from sklearn.metrics import adjusted_rand_score

from senseshift.errors import InputError
from senseshift.senses import STRAY, choose_cut, induce
from senseshift.senses.induction import alone


def test_senses_are_found_and_numbered_by_size():
    vectors, senses = usages(20, 50, 30)
    labels = induce(vectors, CUT)
    assert adjusted_rand_score(senses, labels) == 1.0
    assert np.bincount(labels).tolist() == [50, 30, 20]


@given(st.integers(0, 2**16), st.integers(1, 40), st.sampled_from([0.5, 1.0, 1.5]))
@settings(deadline=None, max_examples=30)
def test_the_order_of_usages_does_not_matter(seed, count, spread):
    vectors, _ = usages(count, 10, 3, spread=spread, seed=seed)
    order = np.random.default_rng(seed).permutation(len(vectors))
    assert np.array_equal(induce(vectors, CUT)[order], induce(vectors[order], CUT))


@given(st.integers(1, 30), st.integers(1, 4), st.sampled_from([0.0, 0.3, 3.0]), st.integers(0, 99))
@settings(deadline=None, max_examples=50)
def test_labels_count_from_the_largest_sense(count, directions, spread, seed):
    rng = np.random.default_rng(seed)
    vectors = np.eye(5)[rng.integers(directions, size=count)]
    vectors = vectors + spread * rng.normal(size=vectors.shape)
    labels = induce(vectors, CUT)
    sizes = np.bincount(labels[labels != STRAY])
    assert labels.min() >= STRAY
    assert (sizes > 0).all()
    assert (np.diff(sizes) <= 0).all()


def test_one_usage_is_a_sense():
    assert induce([[1.0, 2.0]], CUT).tolist() == [0]


def test_two_usages_are_one_sense_or_two():
    assert induce([[1.0, 0.0], [1.0, 0.1]], CUT).tolist() == [0, 0]
    assert sorted(induce([[1.0, 0.0], [-1.0, 0.1]], CUT).tolist()) == [0, 1]


def test_usages_all_alike_are_one_sense():
    assert induce(np.ones((50, 8)), CUT).tolist() == [0] * 50


def test_lengths_of_vectors_do_not_matter():
    vectors, _ = usages(15, 15)
    lengths = np.random.default_rng(0).integers(1, 9, size=(30, 1)) * 2.0
    assert np.array_equal(induce(vectors, CUT), induce(vectors * lengths, CUT))


def test_a_usage_far_from_all_is_a_stray():
    vectors, _ = usages(20, 20)
    labels = induce(np.vstack([vectors, -10.0 * vectors.mean(axis=0)]), CUT)
    assert labels[-1] == STRAY
    assert (labels[:-1] != STRAY).all()


def test_usages_without_any_group_are_all_strays():
    assert (induce(np.vstack([np.eye(16), -np.eye(16)]), CUT) == STRAY).all()


@pytest.mark.parametrize("most", [60, 1_000])
def test_of_many_usages_a_sample_is_clustered_and_the_others_join(most):
    vectors, senses = usages(2_500, 1_500, 1_000)
    labels = induce(vectors, CUT, most=most)
    assert adjusted_rand_score(senses, labels) > 0.99
    assert np.bincount(labels).tolist() == [2_500, 1_500, 1_000]
    order = np.random.default_rng(0).permutation(len(vectors))
    assert np.array_equal(labels[order], induce(vectors[order], CUT, most=most))


def test_what_joins_must_be_near():
    vectors, _ = usages(300, 300)
    far = -vectors[:2].sum(axis=0, keepdims=True) - vectors[-2:].sum(axis=0)
    labels = induce(np.vstack([vectors, far]), CUT, most=100)
    assert labels[-1] == STRAY


def test_every_stray_is_alone_when_agreement_is_measured():
    assert alone(np.array([0, -1, 1, -1, 0])).tolist() == [0, 2, 1, 3, 0]
    assert alone(np.array([-1, -1])).tolist() == [0, 1]


def test_a_cut_is_chosen_by_known_senses():
    words = [usages(12, 12, 12, seed=seed) for seed in range(4)]
    cut = choose_cut(words)
    for vectors, senses in words:
        assert adjusted_rand_score(senses, induce(vectors, cut)) == 1.0


@pytest.mark.parametrize("cut", [0.0, -1.0, 2.0, float("nan")])
def test_a_cut_that_cannot_be_is_refused(cut):
    with pytest.raises(InputError, match="cosine distance above 0 and below 2"):
        induce(np.eye(3), cut)


def test_a_cut_needs_words():
    with pytest.raises(InputError, match="there are none"):
        choose_cut([])
