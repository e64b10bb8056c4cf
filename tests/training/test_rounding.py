"""Rounding that knows its inputs."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def rounding(scripts):
    return scripts("rounding")


def lost(weight, whole, scale, covariance):
    """Expected squared error of the products."""
    error = weight - whole * scale[:, None]
    return np.einsum("oc,cd,od->", error, covariance, error)


@pytest.mark.parametrize("channels", [40, 300])
def test_inputs_that_go_together_lose_less(rounding, channels):
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(2000, 10)) @ rng.normal(size=(10, channels))
    inputs += 0.3 * rng.normal(size=inputs.shape)
    covariance = np.cov(inputs.T)
    weight = rng.normal(size=(20, channels)).astype(np.float32)
    plain = lost(weight, *rounding.nearest(weight, 63), covariance)
    whole, scale = rounding.rounded(weight, covariance, 63)
    assert lost(weight, whole, scale, covariance) < plain / 2
    assert np.abs(whole).max() <= 63
    np.testing.assert_array_equal(whole, np.round(whole))


def test_inputs_that_say_nothing_are_rounded_all_the_same(rounding):
    weight = np.linspace(-1, 1, 12, dtype=np.float32).reshape(2, 6)
    covariance = np.zeros((6, 6))
    covariance[0, 0] = 1.0  # All other channels were always the same.
    whole, scale = rounding.rounded(weight, covariance, 63)
    assert np.abs(whole[:, 0] * scale - weight[:, 0]).max() <= scale.max() / 2
    assert np.isfinite(whole).all()
