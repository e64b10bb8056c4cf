import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.report.summary import Figures, percent, sense_shares, sentences, verdict


def plain(said):
    return [re.sub("[\u2068\u2069]", "", text).replace("\u00a0", " ") for text in said]


def test_a_word_that_broadened():
    figures = Figures(0.8, 0.31, 0.01, ["pilot", "airport", "landed"], ["flat"])
    assert plain(sentences(figures)) == [
        "Broadened: 31 % of the new usages have no counterpart in the old; "
        "they centre on ‘pilot’, ‘airport’ and ‘landed’."
    ]


def test_a_word_that_narrowed_is_told_from_what_it_lost():
    figures = Figures(-1.2, 0.08, 0.25, [], ["oats", "corn"])
    assert plain(sentences(figures)) == [
        "Narrowed: 25 % of the old usages have no counterpart in the new; "
        "they centre on ‘oats’ and ‘corn’.",
        "8 % of the new usages have no counterpart in the old.",
    ]


def test_a_word_that_hardly_changed():
    assert plain(sentences(Figures(0.9, 0.01, 0.02))) == [
        "Hardly changed: nearly all usages have counterparts in the other period."
    ]


def test_what_chance_does_as_often_is_no_change():
    assert plain(sentences(Figures(-0.9, 0.0, 0.05, p_value=0.71))) == [
        "Hardly changed: dealt to the periods at random, "
        "its usages differ as much 71 % of the time."
    ]


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        (Figures(0.5, 0.01, 0.3), "Changed"),  # no gain to speak of: not broadened
        (Figures(-0.5, 0.3, 0.01), "Changed"),
        (Figures(float("nan"), 0.3, 0.3), "Changed"),
        (Figures(0.0, 0.3, 0.3), "Changed"),
        (Figures(-0.02, 0.4, 0.5), "Changed"),  # one sense for another: as wide as before
        (Figures(0.5, 0.3, 0.0, p_value=0.01), "Broadened"),
        (Figures(0.5, 0.3, 0.0, p_value=0.2), "Hardly changed"),
        (Figures(float("inf"), 0.3, 0.3), "Broadened"),
    ],
)
def test_the_verdict_agrees_with_the_sentence_that_follows(figures, expected):
    assert verdict(figures) == expected


def test_gold_senses_that_changed_share_are_named():
    figures = Figures(
        0.8, 0.31, 0.0, senses=[("a", 0.9, 0.4), ("b", 0.02, 0.55), ("c", 0.08, 0.05)]
    )
    assert plain(sentences(figures))[-1] == (
        "Of the gold senses, ‘b’ rose from 2 % to 55 % and ‘a’ fell from 90 % to 40 %."
    )
    assert len(sentences(Figures(0.8, 0.3, 0.0, senses=[("a", 0.5, 0.55), ("b", 0.5, 0.45)]))) == 1


def test_shares_of_senses_leave_out_usages_without_one():
    is_new = np.array([False, False, True, True, True])
    assert sense_shares(["a", "b", None, "a", "a"], is_new) == [("a", 0.5, 1.0), ("b", 0.5, 0.0)]


@given(st.floats(0, 1))
def test_a_share_is_nothing_or_all_only_if_it_is(share):
    said = percent(share)
    assert (said == "0\u00a0%") == (share == 0)
    assert (said == "100\u00a0%") == (share == 1)


@given(
    st.floats(allow_nan=True, allow_infinity=True), st.floats(0, 1), st.floats(0, 1),
    st.lists(st.text(min_size=1, max_size=5), max_size=6),
)  # fmt: skip
def test_every_sentence_is_one(scope, gained, lost, words):
    for sentence in sentences(Figures(scope, gained, lost, words, words)):
        assert sentence[0].isupper() or sentence[0].isdigit() or sentence[0] in "<>"
        assert sentence.endswith(".")
