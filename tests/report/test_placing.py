import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.projection import positions
from senseshift.report.placing import curve_order, many_positions


@pytest.mark.parametrize("threads", [1, 2])
def test_maps_of_many_words_are_those_of_each(threads):
    rng = np.random.default_rng(0)
    vectors = [rng.normal(size=(n, 5)).astype(np.float32) for n in (9, 4, 12, 3, 5, 6, 7, 8)]
    found = many_positions(iter(vectors), len(vectors), threads)
    for one, other in zip(found, vectors, strict=True):
        assert np.array_equal(one, positions(other))


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_the_curve_steps_from_neighbour_to_neighbour(bits):
    side = 2**bits
    x, y = (axis.ravel() / (side - 1) for axis in np.mgrid[0:side, 0:side])
    order = np.argsort(curve_order(x, y, bits))
    steps = np.abs(np.diff(x[order])) + np.abs(np.diff(y[order]))
    assert steps * (side - 1) == pytest.approx(1.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_every_usage_has_a_rank_of_its_own(points):
    x, y = np.array(points).T
    assert sorted(curve_order(x, y)) == list(range(len(points)))
