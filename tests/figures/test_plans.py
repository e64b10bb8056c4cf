import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from pictures import made_study
from senseshift import figures
from senseshift.colours import SAME_SENSE
from senseshift.figures.plans import between_groups


@pytest.fixture
def panels():
    return figures.plans(made_study(), "bank").axes


def test_dots_are_the_arcs_in_order_of_sense(panels):
    view = made_study().view("bank")
    for axes, arcs in zip(panels, (view.balanced, view.plan), strict=True):
        dots = axes.collections[0]
        assert len(dots.get_offsets()) == arcs.mass.size
        old_groups, new_groups = view.group_order
        labels = np.array(view.senses)
        for (x, y), row, column in zip(dots.get_offsets(), arcs.rows, arcs.columns, strict=True):
            assert old_groups[int(y)] == labels[~view.is_new][row]
            assert new_groups[int(x)] == labels[view.is_new][column]
        areas = dots.get_sizes()
        assert np.argmax(areas) == np.argmax(arcs.mass)


def test_blocks_of_one_sense_are_shaded(panels):
    for axes in panels:
        blocks = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        # 14 old and 8 new usages of the one sense, 6 and 12 of the other
        assert [(b.get_xy(), b.get_width(), b.get_height()) for b in blocks] == [
            ((0, 0), 8, 14),
            ((8, 14), 12, 6),
        ]
        assert {to_hex(block.get_facecolor()) for block in blocks} == {SAME_SENSE}
        assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "1"]


def test_the_share_that_crosses_senses_is_told(panels):
    view = made_study().view("bank")
    senses = np.array(view.senses)
    same = senses[~view.is_new][:, None] == senses[view.is_new][None]
    for axes, arcs, name in zip(panels, (view.balanced, view.plan), ("OT", "UOT"), strict=True):
        plan = np.zeros(same.shape)
        plan[arcs.rows, arcs.columns] = arcs.mass
        crossing = plan[~same].sum() / plan.sum()
        assert between_groups(view, arcs) == pytest.approx(crossing)
        assert axes.get_title() == f"{name}, {plan.sum():.0%} moved\n{crossing:.0%} between senses"
    # 70 % of the old usages have the sense that 40 % of the new ones have
    assert between_groups(view, view.balanced) == pytest.approx(0.3)
    assert between_groups(view, view.plan) < 0.05


def test_usages_without_senses_are_neither_shaded_nor_counted():
    import polars as pl

    study = made_study()
    nothing = study.instances.with_columns(sense=pl.lit(None, pl.String)).drop("cluster")
    bare = type(study)(study.words, nothing, study.arcs, study.vectors, study.about)
    for axes in figures.plans(bare, "bank").axes:
        assert not axes.patches
        assert "between" not in axes.get_title()
        assert not axes.get_yticks().size
