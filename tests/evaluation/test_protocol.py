import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from senseshift.evaluation.protocol import (
    Outcome,
    UsageGold,
    draw_splits,
    first_best,
    sense_means,
    spearman,
    tune_usages,
    tune_words,
)

few_values = st.integers(-3, 3).map(float)


@given(st.lists(st.tuples(few_values, few_values, few_values), min_size=2, max_size=30))
def test_correlations_are_spearmans(rows):
    gold, *scores = np.array(rows).T
    for found, row in zip(spearman(gold, np.array(scores)), scores, strict=True):
        if len(set(gold)) == 1 or len(set(row)) == 1:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(spearmanr(gold, row)[0], abs=1e-12)


@given(st.permutations(range(9)), st.permutations(range(9)), st.permutations(range(9)))
def test_the_order_of_words_does_not_change_a_bit(gold, scores, order):
    gold, scores, order = (np.array(x, dtype=float) for x in (gold, scores, order))
    at = order.astype(int)
    assert spearman(gold, scores) == spearman(gold[at], scores[at])


def test_one_word_cannot_be_ranked():
    assert np.isnan(spearman(np.array([1.0]), np.array([[2.0]]))).all()
    assert np.isnan(spearman(np.empty(0), np.empty((2, 0)))).all()


@pytest.mark.parametrize("words", [1, 2, 10, 46])
def test_splits_are_those_of_the_published_scripts(words):
    np.random.seed(42)  # noqa: NPY002
    for split in draw_splits(words, 20):
        drawn = np.random.choice(range(words), int(words * 0.8), replace=False)  # noqa: NPY002
        assert set(np.flatnonzero(split)) == set(drawn)
    assert draw_splits(0, 3).shape == (3, 0)


def test_of_equals_the_first_is_chosen():
    assert first_best(np.array([0.2, 0.7, 0.7])) == 1
    assert first_best(np.array([np.nan, -0.5, np.nan])) == 1
    assert first_best(np.array([np.nan, np.nan])) == -1
    assert first_best(np.array([np.nan])) == 0  # there is nothing to choose


def test_means_per_distinct_tau():
    tau, means = sense_means(np.array([1.0, -2.0, 1.0]), np.array([3.0, 5.0, 4.0]))
    assert tau.tolist() == [-2, 1]
    assert means.tolist() == [5, 3.5]


def test_a_parameter_is_chosen_on_validation_words_only():
    gold = np.arange(10.0)
    right_there = np.where(np.arange(10) < 8, gold, -gold)
    right_here = np.where(np.arange(10) < 8, -gold, gold)
    valid = np.arange(10) < 8
    outcome = tune_words(
        "f_SUS", (10.0, 20.0), gold, lambda _: np.array([right_here, right_there]), valid[None]
    )
    assert outcome.chosen.tolist() == [1]
    assert outcome.values["spearman"].tolist() == [-1]


def test_usages_that_cannot_be_ranked_are_left_out_or_count_as_asked():
    """The last word has usages of one τ* only; the first two words are stable."""
    gold = UsageGold(
        np.array([0.0, 1.0, 0.0, 2.0, 1.0, 1.0]), np.array([0, 0, 1, 1, 2, 2]),
        {"stable": np.array([True, True, False]), "changed": np.array([False, False, True])},
    )  # fmt: skip
    scores = np.array([[0.0, 1, 2, 3, 4, 5]])
    splits = np.array([[True, True, False], [False, True, True]])
    outcome = tune_usages("tau_SUS", (10.0,), gold, scores, splits)
    assert np.isnan(outcome.values["instance"]).tolist() == [True, False]
    assert outcome.values["sense"][1] == 1
    assert outcome.values["instance_stable"][1] == 1
    assert np.isnan(outcome.values["instance_changed"]).all()  # none there, or all alike
    published = tune_usages("tau_SUS", (10.0,), gold, scores, splits, undefined=0.0)
    assert published.values["instance"].tolist() == [0, 1]
    assert published.values["sense_changed"][0] == 0


def test_an_outcome_is_of_the_splits_that_have_one():
    outcome = Outcome(
        "f_SUS", (10.0, 20.0), np.array([1, 0, 1, -1]), {"spearman": np.array([0.5, 1, np.nan, 0])}
    )
    assert outcome.mean("spearman") == pytest.approx(0.5)
    assert outcome.spread("spearman") == pytest.approx(np.std([0.5, 1, 0]))
    assert outcome.counted("spearman") == 3
    assert outcome.selected == (20.0, 2)
    nothing = Outcome("f_OT", (None,), np.zeros(2, int), {"spearman": np.full(2, np.nan)})
    assert (nothing.mean("spearman"), nothing.spread("spearman")) == (None, None)
    assert nothing.selected == (None, 0)
