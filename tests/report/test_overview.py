import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.report.overview import BINS, HEIGHT, WIDTH, by_chance, histogram

BAR = re.compile(r"M([\d.]+) 18v(-?[\d.]+)h4v(-?[\d.]+)z")


def bars(outline):
    return [tuple(map(float, bar)) for bar in BAR.findall(outline)]


def test_new_usages_point_upwards_and_old_ones_downwards():
    some = np.array([True, False, False, False, False])
    outlines = histogram(np.full(5, -0.4), np.full(5, 0.4), 0.5, (some, some))
    fell, rose = bars(outlines["within"])
    assert fell[0] < WIDTH / 2 < rose[0]
    assert fell[1] == -rose[1] == HEIGHT / 2 - 1
    assert [bars(outlines[kind])[0][0] for kind in ("fell", "rose")] == [fell[0], rose[0]]
    assert abs(bars(outlines["rose"])[0][1]) == pytest.approx(-rose[1] / 5, abs=0.1)


@given(
    st.lists(st.floats(-1, 5), min_size=1, max_size=20),
    st.lists(st.floats(-5, 1), min_size=1, max_size=20), st.floats(0.01, 2),
)  # fmt: skip
def test_bars_stay_inside(old, new, end):
    outlines = histogram(np.array(old), np.array(new), end)
    found = bars(outlines["within"])
    assert outlines["fell"] == outlines["rose"] == ""  # nothing is marked without a reason
    assert "".join(outlines.values()).count("M") == len(found) <= 2 * BINS
    assert found
    for x, up, back in found:
        assert 0 <= x <= WIDTH - 4
        assert abs(up) <= HEIGHT / 2
        assert up == pytest.approx(-back)


def test_chance_is_outlined_on_the_scale_of_the_bars():
    even = np.linspace(-0.5, 0.5, 41).tolist()
    outline = by_chance([even, even], np.full(4, -0.4), np.full(4, 0.4), 0.5)
    assert by_chance(None, np.zeros(2), np.zeros(2), 0.5) == ""
    heights = [float(height) for height in re.findall(r"V([\d.]+)h", outline)]
    assert len(heights) == 2 * BINS
    # all usages are in one bar of each side: that of chance has one in so many of them
    down, up = set(heights[:BINS]), set(heights[BINS:])
    step = (HEIGHT / 2 - 1) / BINS
    assert list(down) == pytest.approx([HEIGHT / 2 + step], abs=0.06)
    assert list(up) == pytest.approx([HEIGHT / 2 - step], abs=0.06)
