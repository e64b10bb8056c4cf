import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.resampling.dispersion import disperse


@given(st.lists(st.integers(-1, 6), min_size=1, max_size=40))
def test_bounds(documents):
    found = disperse(documents)
    assert found.usages == len(documents)
    assert 1 - 1e-12 <= found.effective <= found.documents + 1e-9
    assert 0 <= found.dp <= 1 + 1e-12
    assert 1 / found.documents <= found.largest_share + 1e-12
    assert "usages in" in str(found)


def test_a_novel_with_a_miss_rivers_in_it():
    found = disperse(np.concatenate([np.full(68, 7), np.arange(100, 182)]))
    assert (found.largest, found.documents) == (7, 83)
    assert found.largest_share == pytest.approx(68 / 150)
    assert found.carried
    assert found.effective == pytest.approx(1 / ((68 / 150) ** 2 + 82 / 150**2))
    assert "one document carries it" in str(found)


def test_evenly_spread_usages():
    found = disperse(np.arange(60) % 20)
    assert not found.carried
    assert not found.narrow
    assert found.effective == pytest.approx(20)
    assert found.dp == pytest.approx(0)


def test_usages_without_a_document_stand_alone():
    found = disperse(np.full(30, -1))
    assert found.documents == 30
    assert not found.carried


def test_one_text_and_no_text():
    assert disperse(np.zeros(9, dtype=int)).dp == 0.0
    assert disperse(np.zeros(9, dtype=int)).carried
    assert not disperse([3]).carried
    assert disperse(np.zeros(0, dtype=int)).usages == 0
