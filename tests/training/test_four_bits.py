"""Embeddings in four bits lose little, and nothing that was in four bits before."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def four_bits(scripts):
    return scripts("four_bits")


def plainly(matrix):
    """Each block's largest number is the largest of four bits."""
    blocks = matrix.reshape(len(matrix), -1, 32)
    scale = np.abs(blocks).max(axis=2, keepdims=True) / 7
    return (np.rint(blocks / np.where(scale == 0, 1, scale)) * scale).reshape(matrix.shape)


@given(st.integers(0, 10_000), st.sampled_from([1e-3, 1.0, 50.0]), st.booleans())
def test_no_more_is_lost_than_by_plain_rounding(four_bits, seed, size, outlier):
    rng = np.random.default_rng(seed)
    matrix = (size * rng.normal(size=(5, 64))).astype(np.float32)
    matrix[4, 32:] = 0  # a block of nothing
    if outlier:
        matrix[0, 3] *= 40
    made = four_bits.in_four_bits(matrix).floats()
    assert (made[4, 32:] == 0).all()
    lost, plain = (np.square(other - matrix).sum() for other in (made, plainly(matrix)))
    assert lost <= plain * (1 + 1e-6)


def test_normal_numbers_lose_a_fifth_less(four_bits):
    matrix = np.random.default_rng(0).normal(size=(5000, 32)).astype(np.float32)
    made = four_bits.in_four_bits(matrix).floats()
    lost, plain = (np.square(other - matrix).mean() for other in (made, plainly(matrix)))
    assert lost < 0.8 * plain


@given(st.integers(0, 10_000))
def test_what_was_in_four_bits_comes_back(four_bits, seed):
    rng = np.random.default_rng(seed)
    four = rng.integers(0, 16, size=(4, 64)).astype(np.uint8)
    four[:, ::32] = 0  # The end of the scale is used.
    scale = rng.uniform(-0.2, 0.2, size=(4, 2)).astype(np.float16)
    matrix = four_bits.Table(scale, four).floats()
    np.testing.assert_array_equal(four_bits.in_four_bits(matrix).floats(), matrix)


def test_rows_that_are_not_whole_blocks_are_refused(four_bits):
    with pytest.raises(ValueError, match="40 numbers"):
        four_bits.in_four_bits(np.zeros((2, 40), dtype=np.float32))
