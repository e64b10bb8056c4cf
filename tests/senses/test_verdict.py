"""What is said about a word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.errors import InputError
from senseshift.senses import changes, count_shares, judge


def shares_of(*counts):
    """Of as many old and new usages of each sense."""
    table = np.array(counts)
    labels = np.concatenate([np.repeat(np.arange(len(counts)), column) for column in table.T])
    return count_shares(labels, np.repeat([0, 1], table.sum(axis=0)), senses=len(counts), number=2)


def said(*counts):
    shares = shares_of(*counts)
    return judge(shares, changes(shares, 0, 1).p)


@pytest.mark.parametrize(
    ("counts", "kind", "gained", "lost"),
    [
        ([(40, 20), (0, 20)], "gained", (1,), ()),
        ([(40, 38), (1, 20)], "gained", (1,), ()),
        ([(36, 6), (4, 40)], "gained", (1,), ()),  # from 10 % to 87 %: it was not there
        ([(38, 28), (2, 12)], "shifted", (), ()),  # from 5 % to 30 %: it was
        ([(40, 4), (5, 40)], "replaced", (1,), (0,)),
        ([(20, 40), (20, 0)], "lost", (), (1,)),
        ([(38, 1), (2, 39)], "replaced", (1,), (0,)),
        ([(20, 20), (20, 0), (0, 20)], "replaced", (2,), (1,)),
        # What was lost of the old senses is the smaller part of what they had to give.
        ([(4, 34), (25, 6), (11, 0)], "gained", (0,), (2,)),
        ([(34, 4), (6, 25), (0, 11)], "lost", (2,), (0,)),
        ([(30, 10), (10, 30)], "shifted", (), ()),
        ([(20, 22), (20, 18)], "unclear", (), ()),
        ([(40, 40)], "unclear", (), ()),
        ([(9, 0), (0, 40)], "few", (), ()),
        ([(0, 0), (0, 40)], "few", (), ()),
    ],
)
def test_every_kind(counts, kind, gained, lost):
    verdict = said(*counts)
    assert verdict.kind == kind
    assert (verdict.gained, verdict.lost) == (gained, lost)


def test_senses_that_stay_rise_and_fall():
    verdict = said((30, 10), (10, 30))
    assert (verdict.rose, verdict.fell) == ((1,), (0,))


def test_a_word_without_senses_has_too_few_usages():
    shares = count_shares(np.array([-1] * 30), np.arange(30) % 2)
    assert judge(shares, np.empty(0)).kind == "few"


def test_a_share_that_is_not_known_to_be_small_is_not_gained():
    # None of ten documents has the sense, which leaves a quarter of all documents possible.
    labels = np.concatenate([np.zeros(40, dtype=int), np.repeat([0, 1], 20)])
    documents = np.concatenate([np.arange(40) // 10, 100 + np.arange(40) // 10])
    shares = count_shares(labels, np.repeat([0, 1], 40), documents)
    assert judge(shares, [0.01, 0.01]).kind == "shifted"


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=5))
def test_the_contrary_is_said_of_time_reversed(counts):
    contrary = {"gained": "lost", "lost": "gained"}
    there, back = said(*counts), said(*[(new, old) for old, new in counts])
    assert back.kind == contrary.get(there.kind, there.kind)
    assert (back.gained, back.lost, back.rose, back.fell) == (
        there.lost, there.gained, there.fell, there.rose,
    )  # fmt: skip


def test_nothing_is_said_where_nothing_is_marked():
    assert judge(shares_of((40, 0), (0, 40)), [0.11, np.nan]).kind == "unclear"


def test_a_q_for_each_sense():
    with pytest.raises(InputError, match="2 senses and q of shape"):
        judge(shares_of((1, 2), (3, 4)), [0.1])
