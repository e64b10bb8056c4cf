"""Every kind of figure against a picture of it that was looked at.

To draw the pictures anew, which are then to be looked at before they are committed::

    PYTHONPATH=tests:tests/study python tests/figures/test_golden.py
"""

from io import BytesIO
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from pictures import PICTURES, overlaps
from senseshift.figures.style import house_style

GOLDEN = Path(__file__).with_name("golden")
DPI = 90
BLOCK = 5  # pixels: letters may be drawn a little differently by another version of matplotlib
TOLERANCE = 0.02


def png(name):
    with house_style():
        file = BytesIO()
        PICTURES[name]().savefig(file, format="png", dpi=DPI, metadata={"Software": None})
    return file.getvalue()


def blurred(png_bytes):
    pixels = matplotlib.image.imread(BytesIO(png_bytes))[..., :3]
    height, width = (length // BLOCK * BLOCK for length in pixels.shape[:2])
    blocks = pixels[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3)
    return blocks.mean(axis=(1, 3))


def difference(one, other):
    if one.shape != other.shape:
        return np.inf
    return float(np.sqrt(np.mean((one - other) ** 2)))


@pytest.mark.parametrize("name", PICTURES)
def test_it_looks_as_it_did_when_it_was_looked_at(name):
    golden = blurred((GOLDEN / f"{name}.png").read_bytes())
    assert difference(blurred(png(name)), golden) < TOLERANCE


def test_the_tolerance_tells_figures_apart():
    """Two colourings of one map differ by more than another version of a font could."""
    sus, ldr, sense = (
        blurred((GOLDEN / f"map-{colour}.png").read_bytes()) for colour in ("sus", "ldr", "sense")
    )
    assert difference(sus, ldr) > TOLERANCE
    assert difference(sus, sense) > TOLERANCE


@pytest.mark.parametrize("name", PICTURES)
def test_no_text_is_cut_off_or_covers_another(name):
    assert overlaps(PICTURES[name]()) == []


if __name__ == "__main__":
    for picture in PICTURES:
        (GOLDEN / f"{picture}.png").write_bytes(png(picture))
