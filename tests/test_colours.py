import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib.colors import to_rgb

from senseshift.colours import DIVERGING, OTHER_SENSES, SENSES, Scale, sense_colours, squash

WORDS = st.lists(
    arrays(float, st.integers(1, 40), elements=st.floats(-1, 1, allow_subnormal=False)),
    min_size=1, max_size=4,
)  # fmt: skip

# Linear RGB as it is seen without one kind of cone (Machado, Oliveira and Fernandes 2009).
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


def seen(colour, blindness="none"):
    """A colour in CIELAB, as seen with some kind of colour blindness."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(BLINDNESS[blindness]) @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]]
    )
    ratio = (to_xyz @ linear) / to_xyz.sum(axis=1)
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@given(WORDS)
def test_the_rule_of_the_paper(words):
    scale = Scale.over(words)
    highs = [np.quantile(np.abs(word), 0.95) for word in words]
    lows = [np.quantile(np.abs(word), 0.30) for word in words]
    if max(highs) > 1e-9:
        assert scale.high == max(highs)
        assert scale.low == (min(lows) if min(lows) < max(highs) else 0.0)
    else:
        assert scale == Scale(0.0, 1.0)  # nothing shifted: all is white
    assert 0 <= scale.low < scale.high
    places, colours = zip(*scale.stops, strict=True)
    assert colours == DIVERGING
    assert places[0] == 0.0
    assert places[-1] == 1.0
    assert list(places) == sorted(places)
    # what lies between −low and +low is white
    value = (2 * np.array(places) - 1) * scale.high
    white = value[[colour == "#ffffff" for colour in colours]]
    assert white == pytest.approx([-scale.low, scale.low])


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_rose_and_fell_are_told_apart_by_everybody(blindness):
    half = len(DIVERGING) // 2
    for fell, rose in zip(DIVERGING[:half], DIVERGING[::-1], strict=False):
        if fell != "#ffffff":
            assert np.linalg.norm(seen(fell, blindness) - seen(rose, blindness)) > 25
    assert np.linalg.norm(seen(DIVERGING[0], blindness) - seen(DIVERGING[-1], blindness)) > 80


def test_lightness_falls_evenly_and_alike_on_both_sides():
    lightness = np.array([seen(colour)[0] for colour in DIVERGING])
    fell, rose = lightness[:5], lightness[:4:-1]
    assert fell == pytest.approx(rose, abs=4)
    assert np.diff(fell) == pytest.approx(np.diff(fell).mean(), abs=3)


def test_frequent_senses_have_colours_of_their_own():
    senses = [str(k) for k in range(10) for _ in range(10 - k)] + [None]
    colours = sense_colours(senses)
    assert [colours[str(k)] for k in range(len(SENSES))] == list(SENSES)
    assert {colours[str(k)] for k in range(len(SENSES), 10)} == {OTHER_SENSES}
    assert None not in colours


@given(st.floats(-1e6, 1e6))
def test_squashing_keeps_sign_and_order(score):
    assert np.sign(squash(score)) == np.sign(score)
    assert abs(squash(score)) <= abs(score)
    assert squash(score + 1.0) > squash(score)
