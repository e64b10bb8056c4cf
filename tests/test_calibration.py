"""What a distance means."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from senseshift.calibration import Calibration, fit
from senseshift.encoders import load
from senseshift.errors import InputError
from senseshift.senses.manner import Manner

POSITIVE = st.floats(0.02, 2.0)
KNOWN = Calibration(0.4, 0.1, 0.33, 0.66)


def said(words, apart):
    """So many words, every two of them so far apart."""
    own = np.sqrt(apart) * np.eye(words + 1)[1:]
    own[:, 0] = np.sqrt(1.0 - apart)
    return Manner.of(own[:, None])


@given(POSITIVE, POSITIVE, st.lists(st.floats(0.0, 2.0), min_size=1))
def test_it_rises_from_nothing_and_is_a_chance(middle, width, distances):
    cost = Calibration(middle, width).cost(np.sort(distances))
    assert ((cost >= 0.0) & (cost <= 1.0)).all()
    assert (np.diff(cost) >= -1e-12).all()
    assert Calibration(middle, width).cost([0.0])[0] == 0.0


def test_the_distances_given_stay_as_they_are():
    distances = np.array([[0.1, 0.9], [0.4, -1e-17]])
    kept = distances.copy()
    cost = Calibration(0.4, 0.1).cost(distances)
    assert np.array_equal(distances, kept)
    assert cost.shape == (2, 2)
    assert cost[1, 1] == 0.0


@given(POSITIVE, POSITIVE, st.none() | POSITIVE, st.none() | POSITIVE)
def test_it_is_written_and_read_again(middle, width, cut, apart):
    calibration = Calibration(middle, width, cut, apart)
    assert Calibration.from_dict(json.loads(json.dumps(calibration.to_dict()))) == calibration


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"form": "isotonic", "middle": 0.4, "width": 0.1}, "the form 'logistic', not 'isotonic'"),
        ({"middle": 0.4}, "has not both"),
        ({"middle": 0.4, "width": 0.1, "slope": 3}, "has also 'slope'"),
        ({"middle": "0.4", "width": 0.1}, "middle of a calibration must be a number"),
        ({"middle": 0.4, "width": 0.0}, "width of a calibration must be a number above 0"),
        ({"middle": 0.4, "width": 0.1, "cut": True}, "cut of a calibration must be a number"),
        ({"middle": 0.4, "width": 0.1, "apart": "far"}, "apart of a calibration must be a number"),
        (
            {"middle": 0.4, "width": 0.1, "apart": 0},
            "apart of a calibration must be a number above",
        ),
        ({"middle": float("nan"), "width": 0.1}, "middle of a calibration"),
    ],
)
def test_what_is_no_calibration_is_told(settings, match):
    with pytest.raises(InputError, match=match):
        Calibration.from_dict(settings)


def test_the_curve_that_made_the_pairs_is_found_again():
    rng = np.random.default_rng(0)
    true = Calibration(0.45, 0.08)
    distances = rng.uniform(0.0, 1.0, 40_000)
    found = fit(distances, rng.random(40_000) < true.cost(distances))
    assert found.middle == pytest.approx(0.45, abs=0.01)
    assert found.width == pytest.approx(0.08, abs=0.005)


def test_far_from_zero_it_is_the_logistic_regression():
    rng = np.random.default_rng(1)
    distances = rng.normal(1.0, 0.2, 5_000)
    different = rng.random(5_000) < 1.0 / (1.0 + np.exp((1.0 - distances) / 0.1))
    plain = LogisticRegression(C=1e9).fit(distances[:, None], different)
    found = fit(distances, different)
    assert found.width == pytest.approx(1.0 / plain.coef_[0, 0], rel=0.01)
    assert found.middle == pytest.approx(-plain.intercept_[0] / plain.coef_[0, 0], rel=0.01)


def test_words_count_the_same_however_many_pairs_they_have():
    rng = np.random.default_rng(2)
    distances = rng.uniform(0.0, 1.0, 400)
    different = rng.random(400) < Calibration(0.5, 0.1).cost(distances)
    words = np.repeat(["few", "many"], 200)
    # The second word's pairs ten times over.
    again = np.concatenate([np.arange(400), np.tile(np.arange(200, 400), 9)])
    once = fit(distances, different, words)
    often = fit(distances[again], different[again], words[again])
    assert often.middle == pytest.approx(once.middle, abs=1e-3)
    assert fit(distances[again], different[again]).middle != pytest.approx(once.middle, abs=1e-3)


@pytest.mark.parametrize(
    ("distances", "different", "match"),
    [
        ([0.1, 0.2], [True, True], "no pairs of usages of one sense"),
        ([0.1, 0.2], [False, False], "no pairs of usages that differ in sense"),
        ([], [], "no pairs of usages"),
        ([0.1], [True, False], "as many distances as answers"),
        ([0.1, np.nan], [True, False], "finite distances"),
    ],
)
def test_pairs_that_tell_nothing_are_refused(distances, different, match):
    with pytest.raises(InputError, match=match):
        fit(distances, different)


def test_the_bundled_encoder_has_one():
    calibration = load("bundled").calibration
    near, far = calibration.cost([0.2, 0.8])
    assert near < 0.2
    assert far > 0.8
    assert calibration.cut is not None
    assert calibration.apart is not None


@given(st.integers(2, 60), st.floats(0.6, 0.75))
def test_the_cut_goes_with_how_far_apart_words_lie_where_they_are_near(words, apart):
    whole = 0.33 * min(apart / 0.66, 1.0)
    found = KNOWN.suited(said(words, apart))
    assert found.cut == pytest.approx((0.33 + (words - 1) * whole) / words, abs=0.0006)
    assert (found.middle, found.width, found.apart) == (0.4, 0.1, 0.66)


def test_two_words_move_the_cut_half_as_far_as_very_many():
    two, many = (KNOWN.suited(said(words, 0.62)).cut for words in (2, 500))
    assert (two, many) == (0.32, 0.31)


@given(st.floats(0.0, 1.0))
def test_by_one_word_or_none_the_cut_stays(apart):
    assert KNOWN.suited(said(1, apart)) == KNOWN
    assert KNOWN.suited(Manner.of([])) == KNOWN


@given(st.integers(2, 60), st.floats(0.0, 1.0), POSITIVE, POSITIVE)
def test_no_texts_move_the_cut_far(words, apart, cut, usual):
    found = Calibration(0.4, 0.1, cut, usual).suited(said(words, apart)).cut
    assert 0.895 * cut <= found <= 1.005 * cut  # but for what is rounded
    assert KNOWN.suited(said(60, 0.01)).cut == 0.297
    assert KNOWN.suited(said(60, 0.99)).cut == 0.33


@pytest.mark.parametrize("known", [Calibration(0.4, 0.1, 0.33), Calibration(0.4, 0.1, apart=0.6)])
def test_without_a_cut_or_what_it_is_for_nothing_is_suited(known):
    assert known.suited(said(9, 0.4)) == known


def test_a_cut_of_an_encoder_that_puts_everything_close_stays_a_cut():
    found = Calibration(0.0005, 0.0001, 0.0004, 0.0008).suited(said(60, 0.00076)).cut
    assert found == pytest.approx(0.0004 * 0.951, abs=0.000001)
