import numpy as np
import pytest

from pictures import made_study, overlaps
from senseshift import Study, figures


def without(study, *columns):
    instances = study.instances.drop(columns, strict=False)
    return Study(study.words, instances, study.arcs, study.vectors, study.about)


def test_lines_are_the_means_of_senses_on_either_side():
    study = made_study()
    found, view = study.path("bank"), study.view("bank")
    upper, lower = figures.path_figure(study, "bank").axes
    assert upper.lines[0].get_ydata() == pytest.approx(found.words["f_SUS"].to_numpy())
    assert list(upper.lines[1].get_xdata()) == [0.5, 0.5]  # the penalty of the study
    drawn = [line.get_ydata() for line in lower.lines if len(line.get_xdata()) > 2]
    senses = np.array(view.senses)
    expected = [
        found.sus[:, (senses == sense) & (view.is_new == side)].mean(axis=1)
        for sense in ("0", "1")
        for side in (False, True)
    ]
    assert len(drawn) == len(expected)
    for line in expected:
        assert any(np.allclose(line, other) for other in drawn)


def test_without_senses_there_is_a_line_for_each_side():
    bare = without(made_study(), "sense", "induced_sense")
    found = bare.path("cell", [4, 1, 2])
    figure = figures.path_figure(bare, "cell", rhos=[4, 1, 2])
    lines = [line for line in figure.axes[1].lines if len(line.get_xdata()) > 2]
    assert [list(line.get_xdata()) for line in lines] == [[1, 2, 4]] * 2  # however they were given
    means = found.words.sort("rho")
    assert lines[0].get_ydata() == pytest.approx(means["old_sus"].to_numpy())
    assert lines[1].get_ydata() == pytest.approx(means["new_sus"].to_numpy())
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["old", "new"]


@pytest.mark.parametrize("width", ["column", "page"])
def test_nothing_covers_anything(width):
    assert overlaps(figures.path_figure(made_study(), "bank", width=width)) == []
