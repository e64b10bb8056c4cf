"""How sure a usage's sense is."""

import numpy as np
import pytest
from made import CUT, usages

from senseshift.errors import InputError
from senseshift.senses import confidence, induce


def test_plain_senses_are_sure():
    vectors, _ = usages(30, 30)
    assert confidence(vectors, induce(vectors, CUT), CUT).min() == 1.0


def test_a_usage_in_the_wrong_sense_is_less_sure_than_the_others():
    vectors, senses = usages(30, 30)
    senses[0] = 1
    sure = confidence(vectors, senses, CUT)
    assert sure[0] < 0.2
    assert sure[1:].min() > 0.9


def test_it_is_the_same_in_any_order():
    vectors, _ = usages(20, 20, 20, spread=1.0)
    labels = induce(vectors, CUT)
    order = np.random.default_rng(0).permutation(60)
    assert np.array_equal(
        confidence(vectors, labels, CUT)[order], confidence(vectors[order], labels[order], CUT)
    )


def test_a_single_usage_has_none():
    assert np.isnan(confidence([[1.0, 0.0]], np.array([0]), CUT)).all()


def test_strays_are_confirmed_as_strays():
    vectors, _ = usages(20, 20)
    vectors = np.vstack([vectors, -10.0 * vectors.mean(axis=0)])
    labels = induce(vectors, CUT)
    assert labels[-1] == -1
    assert confidence(vectors, labels, CUT)[-1] > 0.9


def test_labels_must_be_of_these_usages():
    with pytest.raises(InputError, match=r"3 usages and labels of shape \(2,\)"):
        confidence(np.eye(3), np.array([0, 1]), CUT)
