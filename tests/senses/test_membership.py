"""Usages between senses."""

import numpy as np
from made import CUT, usages

from senseshift.senses import induce, membership


def test_every_usage_belongs_to_its_own_sense_most_and_to_all_in_parts():
    vectors, senses = usages(30, 20, 10)
    parts = membership(vectors, senses, CUT)
    assert parts.shape == (60, 3)
    assert np.allclose(parts.sum(axis=1), 1.0)
    assert np.array_equal(parts.argmax(axis=1), senses)


def test_a_usage_between_two_senses_belongs_to_both():
    vectors, senses = usages(30, 30, spread=0.1)
    between = vectors[senses == 0] + vectors[senses == 1]
    parts = membership(np.vstack([vectors, between]), np.append(senses, [-1] * 30), CUT)
    assert parts[60:].min() > 0.1
    assert parts[:60].min(axis=1).max() < 0.1


def test_the_order_of_usages_does_not_matter_and_many_are_no_trouble():
    vectors, senses = usages(1_200, 300)
    order = np.random.default_rng(0).permutation(1_500)
    parts = membership(vectors, senses, CUT)
    assert np.allclose(parts[order], membership(vectors[order], senses[order], CUT))
    assert np.array_equal(parts.argmax(axis=1), senses)


def test_a_number_that_no_usage_has_draws_nothing():
    vectors, senses = usages(10, 10)
    parts = membership(vectors, 2 * senses, CUT)
    assert parts[:, 1].tolist() == [0.0] * 20


def test_strays_alone_belong_nowhere():
    vectors = np.vstack([np.eye(16), -np.eye(16)])
    assert membership(vectors, induce(vectors, CUT), CUT).shape == (32, 0)
