"""How far apart usages of different words lie."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.senses.manner import Manner

SEEDS = st.integers(0, 2**16)
SIZES = st.lists(st.integers(1, 6), min_size=2, max_size=5)


def words_of(sizes, seed, leaning=0.5):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(size, 4)) + leaning for size in sizes]


def by_all_pairs(words):
    """The mean over every two words of the mean over every two of their usages."""

    def distance(one, other):
        return 1.0 - one @ other / np.linalg.norm(one) / np.linalg.norm(other)

    return np.mean(
        [
            np.mean([distance(one, other) for one in first for other in second])
            for first, second in combinations(words, 2)
        ]
    )


@given(SIZES, SEEDS, st.sampled_from([0.0, 0.5, 5.0]))
def test_it_is_the_mean_distance_over_all_pairs_of_different_words(sizes, seed, leaning):
    words = words_of(sizes, seed, leaning)
    found = Manner.of(words)
    assert found.words == len(sizes)
    assert found.apart == pytest.approx(by_all_pairs(words), abs=1e-12)


@given(SIZES, SEEDS, st.lists(st.integers(0, 5), max_size=4))
def test_parts_put_together_are_the_whole(sizes, seed, cuts):
    words = words_of(sizes, seed)
    ends = sorted(min(cut, len(words)) for cut in cuts)
    parts = [
        Manner.of(words[start:end])  # some of which have no word
        for start, end in zip([0, *ends], [*ends, len(words)], strict=True)
    ]
    whole, together = Manner.of(words), Manner.together(parts)
    assert together.words == whole.words
    assert together.apart == pytest.approx(whole.apart, abs=1e-12)


@given(SIZES, SEEDS)
def test_neither_the_order_of_words_and_usages_nor_lengths_of_vectors_matter(sizes, seed):
    words, rng = words_of(sizes, seed), np.random.default_rng(seed)
    others = [
        rng.permutation(words[k]) * 10.0 ** rng.integers(-200, 200, size=(sizes[k], 1))
        for k in rng.permutation(len(words))
    ]
    assert Manner.of(others).apart == pytest.approx(Manner.of(words).apart, abs=1e-12)


@given(SIZES, SEEDS, st.integers(2, 9))
def test_a_word_counts_the_same_however_many_usages_it_has(sizes, seed, times):
    first, *rest = words_of(sizes, seed)
    often = [np.tile(first, (times, 1)), *rest]
    assert Manner.of(often).apart == pytest.approx(Manner.of([first, *rest]).apart, abs=1e-12)


@given(SIZES, SEEDS, st.sampled_from([0.0, np.nan, np.inf, -np.inf]))
def test_usages_without_a_direction_and_words_without_usages_say_nothing(sizes, seed, broken):
    words = words_of(sizes, seed)
    row = np.zeros((1, 4))
    row[0, 2] = broken
    more = [np.vstack([row, word, row]) for word in words]
    found = Manner.of([row, *more, np.empty((0, 4)), np.vstack([row, row])])
    assert found.words == len(words)
    assert found.apart == pytest.approx(Manner.of(words).apart, abs=1e-12)


def test_vectors_of_less_precision_are_reckoned_with_in_full():
    halves = [word.astype(np.float16) for word in words_of([300, 300], 0, leaning=9.0)]
    assert Manner.of(halves).apart == pytest.approx(by_all_pairs(np.float64(halves)), abs=1e-12)


@pytest.mark.parametrize(
    ("words", "count"),
    [([], 0), ([np.empty((0, 3))], 0), ([np.zeros((2, 3))], 0), ([np.eye(3)], 1)],
)
def test_by_one_word_or_none_nothing_is_told(words, count):
    for found in (Manner.of(words), Manner.together([Manner.of([]), Manner.of(words)])):
        assert found.words == count
        assert np.isnan(found.apart)
    assert np.isnan(Manner.together([]).apart)


def test_words_that_are_all_one_are_not_apart():
    assert Manner.of([np.ones((k, 8)) for k in (1, 2, 3)]).apart == pytest.approx(0.0, abs=1e-12)
