import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from senseshift import figures, transport
from senseshift.figures.illustration import COST, CROSSING, RHO


def test_it_shows_transports_that_were_computed():
    balanced, unbalanced = figures.method_figure().axes
    arrows = {
        axes: [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
        for axes in (balanced, unbalanced)
    }
    solved = transport.solve(COST, rho=RHO)
    assert len(arrows[balanced]) == transport.solve(COST, method="balanced").arcs.mass.size
    assert len(arrows[unbalanced]) == solved.arcs.mass.size
    # balanced, half of the mass goes to the other sense; unbalanced, none does
    crossing = [to_hex(arrow.get_edgecolor()) == CROSSING for arrow in arrows[balanced]]
    assert crossing == [False, False, True, True]
    assert CROSSING not in {to_hex(arrow.get_edgecolor()) for arrow in arrows[unbalanced]}
    said = [text.get_text() for text in unbalanced.texts]
    for sus in (*solved.sus_old, *solved.sus_new):
        assert any(f"{sus:+.2f}".replace("-", "−") in text for text in said)


def test_usages_are_filled_by_what_is_transported():
    balanced, unbalanced = figures.method_figure().axes
    for axes, solved in (
        (balanced, transport.solve(COST, method="balanced")),
        (unbalanced, transport.solve(COST, rho=RHO)),
    ):
        circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
        levels = [p for p in axes.patches if isinstance(p, Rectangle) and p.get_zorder() == 3]
        assert len(circles) == 4
        filled = np.array([level.get_height() for level in levels]) / (2 * circles[0].radius)
        moved = np.concatenate((solved.old_mass / solved.a, solved.new_mass / solved.b))
        assert filled == pytest.approx(np.minimum(moved, 1.0))
