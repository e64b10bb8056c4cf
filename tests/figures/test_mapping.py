import numpy as np
import pytest
from matplotlib.colors import to_hex

from pictures import made_study
from senseshift import figures
from senseshift.colours import DIVERGING, SENSES, Scale, squash
from senseshift.errors import InputError
from senseshift.figures.mapping import COLOURS


def markers(axes):
    """The usages of a map: where they lie, their colours, whether they are squares."""
    old, new = axes.collections
    points = np.concatenate((old.get_offsets(), new.get_offsets()))
    axes.figure.canvas.draw()
    fills = [to_hex(c) for c in np.concatenate((old.get_facecolors(), new.get_facecolors()))]
    corners = [len(collection.get_paths()[0].vertices) for collection in (old, new)]
    return points, fills, corners


@pytest.mark.parametrize("colour", COLOURS)
def test_every_usage_has_a_marker_at_its_place(colour):
    study = made_study()
    (axes, *_) = figures.word_map(study, "cell", colour=colour).axes
    points, _, (circle, square) = markers(axes)
    places = study.view("cell").places
    assert np.allclose(sorted(map(tuple, points)), sorted(map(tuple, places)))
    assert [len(c.get_offsets()) for c in axes.collections] == [20, 20]
    assert circle > square == 5
    assert axes.get_title() == "cell"


@pytest.mark.parametrize("colour", ["sus", "ldr"])
def test_colours_follow_the_rule_of_the_paper(colour):
    study = made_study()
    view = study.view("cell")
    values = view.sus if colour == "sus" else squash(view.usages["ldr"].to_numpy())
    scale = Scale.over([values])
    points, fills, _ = markers(figures.word_map(study, "cell", colour=colour).axes[0])
    found = {tuple(point): fill for point, fill in zip(points, fills, strict=True)}
    shown = [found[tuple(place)] for place in view.places]
    for value, fill in zip(values, shown, strict=True):
        if abs(value) <= 0.98 * scale.low:
            assert fill == "#ffffff"
        elif abs(value) >= scale.high:
            assert fill == DIVERGING[-1 if value > 0 else 0]
        elif abs(value) > 1.05 * scale.low:
            red, blue = int(fill[1:3], 16), int(fill[5:7], 16)
            assert (red > blue) == (value > 0)
    assert len(set(shown)) > 5


def test_words_beside_each_other_have_one_scale():
    study = made_study()
    figure = figures.maps(study, ["bank", "cell", "stone"])
    scales = {c.norm.vmax for axes in figure.axes[:3] for c in axes.collections}
    scale = Scale.over([study.view(word).sus for word in ("bank", "cell", "stone")])
    assert scales == {scale.high}
    alone = figures.word_map(study, "stone").axes[0].collections[0].norm.vmax
    assert alone < scale.high
    beside = figures.word_map(study, "stone", alongside=["bank", "cell"])
    assert beside.axes[0].collections[0].norm.vmax == scale.high


def test_legends_say_what_is_what():
    study = made_study()
    figure = figures.word_map(study, "bank", colour="sense")
    assert [text.get_text() for text in figure.legends[0].texts] == ["old", "new"]
    assert [handle.get_marker() for handle in figure.legends[0].legend_handles] == ["o", "s"]
    senses = figure.axes[0].get_legend()
    assert [text.get_text() for text in senses.texts] == ["0: 14 → 8", "1: 6 → 12"]
    assert [h.get_markerfacecolor() for h in senses.legend_handles] == list(SENSES[:2])
    bar = figures.word_map(study, "bank").axes[-1]
    assert bar.get_xlabel() == "fell  ◂  SUS  ▸  rose"


def test_a_page_of_words_and_colourings_has_a_row_for_each_word():
    figure = figures.maps(made_study(), ["cell", "bank"], colours=COLOURS)
    panels = [axes for axes in figure.axes if len(axes.collections) == 2]
    assert [axes.get_title() for axes in panels[:3]] == ["SUS", "LDR", "gold sense"]
    assert [panels[0].get_ylabel(), panels[3].get_ylabel()] == ["cell", "bank"]
    assert figure.get_size_inches()[0] == pytest.approx(6.3)


def test_each_scale_stands_below_its_own_column():
    figure = figures.maps(made_study(), ["cell"], colours=("sense", "ldr", "sus"))
    figure.canvas.draw()
    panels = {axes.get_title(): axes.get_position() for axes in figure.axes if axes.get_title()}
    bars = {axes.get_xlabel(): axes.get_position() for axes in figure.axes if axes.get_xlabel()}
    for label, bar in bars.items():
        panel = panels["LDR" if "LDR" in label else "SUS"]
        assert panel.x0 <= bar.x0 < bar.x1 <= panel.x1


def test_what_cannot_be_drawn_is_told():
    study = made_study()
    with pytest.raises(InputError, match=r"'pos' is not one of .*sus, ldr.* sense"):
        figures.word_map(study, "cell", colour="pos")
    with pytest.raises(InputError, match="no word 'sell'"):
        figures.word_map(study, "sell")
    with pytest.raises(InputError, match="at least one word"):
        figures.maps(study, [])
    with pytest.raises(InputError, match="'poster' is not one of column, page"):
        figures.word_map(study, "cell", width="poster")


def test_rare_senses_share_a_colour_and_usages_without_one_stay_white():
    import polars as pl

    study = made_study()
    rare = pl.when(pl.col("position") < 9).then(pl.col("position").cast(pl.String))
    senses = rare.when(pl.col("position") == 9).then(None).otherwise(pl.lit("common"))
    changed = type(study)(
        study.words, study.instances.with_columns(sense=senses), study.arcs, study.vectors,
        study.about,
    )  # fmt: skip
    legend = figures.word_map(changed, "cell", colour="sense").axes[0].get_legend()
    labels = [text.get_text() for text in legend.texts]
    assert labels[0] == "common: 10 → 10"
    assert labels[-2:] == ["3 others: 3 → 3", "no sense: 1 → 1"]
    assert len(labels) == len(SENSES) + 2
