import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.errors import InputError
from senseshift.resampling.deals import Dealer, pair

usages = st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 5)), min_size=1, max_size=60)


@given(usages, st.integers(0, 2**40))
def test_every_deal_keeps_documents_together_and_their_number_in_each_period(rows, seed):
    periods, documents = np.array(rows).T
    dealer = Dealer(periods, documents, seed)
    for deal in dealer.draw(0, 5):
        owners = {}
        for block, period in zip(dealer.blocks, deal, strict=True):
            assert owners.setdefault(block, period) == period
        found, counts = np.unique(list(owners.values()), return_counts=True)
        assert dict(zip(found, counts, strict=True)) == dealer.counts


@given(usages)
def test_single_usages_keep_their_number_in_each_period(rows):
    periods = np.array(rows)[:, 0]
    for deal in Dealer(periods).draw(0, 5):
        assert np.array_equal(np.bincount(deal), np.bincount(periods))


@given(st.integers(0, 30), st.integers(0, 30))
def test_a_deal_does_not_depend_on_those_before(start, length):
    dealer = Dealer(np.arange(12) % 2, seed=(3, 7))
    whole = dealer.draw(0, start + length)
    assert np.array_equal(dealer.draw(start, start + length), whole[start:])


def test_another_word_or_seed_is_dealt_another_way():
    periods = np.arange(40) >= 20
    first = Dealer(periods, seed=(1, 5)).draw(0, 3)
    assert not np.array_equal(first, Dealer(periods, seed=(1, 6)).draw(0, 3))
    assert not np.array_equal(first, Dealer(periods, seed=(2, 5)).draw(0, 3))
    assert np.array_equal(first, Dealer(periods, seed=(1, 5)).draw(0, 3))


def test_documents_of_one_usage_are_dealt_as_usages_are():
    periods = np.arange(30) >= 12
    single = Dealer(periods, seed=4).draw(0, 4)
    assert np.array_equal(single, Dealer(periods, np.arange(30)[::-1], seed=4).draw(0, 4))
    assert np.array_equal(single, Dealer(periods, np.full(30, -1), seed=4).draw(0, 4))


def test_a_document_in_two_periods_is_two():
    dealer = Dealer([0, 0, 1, 1, 1], [7, 7, 7, 8, 8])
    assert dealer.blocks.tolist() == [0, 0, 1, 2, 2]
    assert dealer.counts == {0: 1, 1: 2}


def test_large_documents_are_dealt_among_large_ones():
    sizes = np.array([1] * 20 + [16] * 10)
    documents = np.repeat(np.arange(30), sizes)
    periods = (np.arange(30) % 2)[documents]
    for deal in Dealer(periods, documents).draw(0, 20):
        assert deal.sum() == 10 + 5 * 16  # each side keeps its ten small and its five large ones


def test_few_documents_have_few_deals_and_no_clear_p():
    documents = np.repeat(np.arange(6), 10)
    dealer = Dealer(documents >= 3, documents)
    assert dealer.distinct == 20
    assert dealer.enough
    assert dealer.floor(999) == pytest.approx(1 / 20)
    assert dealer.floor(9) == pytest.approx(1 / 10)
    fewer = Dealer(documents >= 4, documents)
    assert fewer.distinct == 15
    assert not fewer.enough


def test_every_different_deal_comes_up_about_as_often():
    documents = np.repeat(np.arange(5), [1, 2, 3, 9, 4])
    dealer = Dealer(documents >= 3, documents)
    _, counts = np.unique(dealer.draw(0, 3000), axis=0, return_counts=True)
    assert counts.size == dealer.distinct == 10
    assert counts.min() > 230
    assert counts.max() < 370


def test_of_three_periods_a_pair():
    rows, is_new = pair([2, 0, 1, 0, 2, 1], 0, 2)
    assert rows.tolist() == [0, 1, 3, 4]
    assert is_new.tolist() == [True, False, False, True]


def test_what_cannot_be_dealt_is_said():
    with pytest.raises(InputError, match="one whole number for each usage"):
        Dealer(np.array([0.5, 1.0]))
    with pytest.raises(InputError, match="3 documents for 2 usages"):
        Dealer([0, 1], [1, 2, 3])
