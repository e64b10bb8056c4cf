import pytest

from pictures import made_study
from senseshift import figures
from senseshift.errors import InputError


def test_bars_are_the_shares_of_each_period():
    view = made_study().view("cell")
    old, new = figures.histograms(made_study(), "cell").axes
    for axes, is_new in ((old, False), (new, True)):
        values = view.sus[view.is_new == is_new]
        heights = [bar.get_height() for bar in axes.patches]
        assert sum(heights) == pytest.approx(1.0)
        weighted = sum(
            bar.get_height() * (bar.get_x() + bar.get_width() / 2) for bar in axes.patches
        )
        assert weighted == pytest.approx(values.mean(), abs=axes.patches[0].get_width())
        mean, variance = f"{values.mean():+.3f}".replace("-", "−"), f"{values.var():.2g}"
        assert axes.get_title("right") == f"mean {mean}   σ² {variance}"
    assert [axes.get_title("left") for axes in (old, new)] == ["old", "new"]
    assert old.get_xlim() == new.get_xlim()
    assert old.get_ylim() == new.get_ylim()


def test_several_words_stand_beside_each_other():
    figure = figures.histograms(made_study(), ["cell", "bank", "stone"], width="page")
    assert len(figure.axes) == 6
    assert [part.get_suptitle() for part in figure.subfigs] == ["cell", "bank", "stone"]
    with pytest.raises(InputError, match="at least one word"):
        figures.histograms(made_study(), [])
