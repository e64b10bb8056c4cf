import json

import numpy as np
import polars as pl
import pytest

from pictures import made_study
from senseshift import Study
from senseshift.colours import SENSES, Scale, squash
from senseshift.errors import InputError
from senseshift.formats import signed

HOSTILE = "<script>alert('x')</script> <b>it</b> cost $5 & $6 &lt; </td>"


@pytest.fixture
def hostile():
    """A study in which all that comes from outside tries to be markup."""
    study = made_study()
    text = pl.concat_str(pl.lit(HOSTILE), "text", pl.lit(HOSTILE)).alias("text")
    shift = len(HOSTILE)
    names = {
        "word": pl.lit("<a>") + pl.col("word"),
        "old": pl.col("old") + "<s>",
        "new": pl.col("new") + "<s>",
    }
    instances = study.instances.with_columns(
        text, pl.col("start") + shift, pl.col("end") + shift, sense=pl.lit("<i>$s$"),
        date=pl.lit("<u>1800"), period=pl.col("period") + "<s>", **names,
    )  # fmt: skip
    words, arcs = study.words.with_columns(**names), study.arcs.with_columns(**names)
    return Study(words, instances, arcs, study.vectors, study.about)


@pytest.mark.parametrize("colour", ["sus", "ldr"])
def test_a_map_has_every_usage_as_circle_or_square_in_its_colour(colour):
    view = made_study().view("cell")
    old, new = made_study().map("cell", colour=colour).data
    assert [old.marker.symbol, new.marker.symbol] == ["circle", "square"]
    places = np.column_stack((np.concatenate((old.x, new.x)), np.concatenate((old.y, new.y))))
    assert np.allclose(places, view.places)
    values = view.sus if colour == "sus" else squash(view.usages["ldr"].to_numpy())
    assert np.allclose(np.concatenate((old.marker.color, new.marker.color)), values)
    assert old.marker.cmax == -old.marker.cmin == new.marker.cmax == Scale.over([values]).high
    assert old.marker.showscale
    assert not new.marker.showscale


def test_senses_have_names_and_colours():
    traces = made_study().map("bank", colour="sense").data
    assert [trace.name for trace in traces] == ["sense 0", "sense 1"]
    assert [trace.marker.color for trace in traces] == list(SENSES[:2])
    assert [len(trace.x) for trace in traces] == [22, 18]
    assert list(traces[1].marker.symbol) == ["circle"] * 6 + ["square"] * 12
    clusters = made_study().map("bank", colour="cluster").data
    assert sum(len(trace.x) for trace in clusters) == 40


def test_the_pointer_shows_the_usage():
    usage = made_study().view("cell").usages.row(0, named=True)
    said = made_study().map("cell").data[0].hovertext[0]
    assert "<b>cell</b>" in said
    assert f"SUS {signed(usage['sus'])}" in said
    assert "sense 0" in said


def test_histograms_are_shares_of_their_period():
    view = made_study().view("cell")
    old, new = made_study().histogram("cell").data
    assert [old.name, new.name] == ["old", "new"]
    assert sum(old.y) == pytest.approx(1)
    assert sum(new.y) == pytest.approx(1)
    counts = np.histogram(view.sus[view.is_new], view.bins)[0]
    assert np.allclose(new.y, counts / 20)


def test_a_plan_has_both_transports_and_shaded_blocks():
    view = made_study().view("bank")
    figure = made_study().plan("bank")
    unbalanced, balanced = figure.data
    assert unbalanced.visible is not False
    assert balanced.visible is False
    assert np.allclose(unbalanced.marker.size, view.plan.mass)
    assert np.allclose(balanced.marker.size, view.balanced.mass)
    assert [(s.x0, s.x1, s.y0, s.y1) for s in figure.layout.shapes] == [
        (-0.5, 7.5, -0.5, 13.5),
        (7.5, 19.5, 13.5, 19.5),
    ]
    senses = np.array(view.senses)
    for x, y, row, column in zip(
        unbalanced.x, unbalanced.y, view.plan.rows, view.plan.columns, strict=True
    ):
        assert view.group_order[0][y] == senses[~view.is_new][row]
        assert view.group_order[1][x] == senses[view.is_new][column]


def test_text_from_outside_is_never_markup_nor_mathematics(hostile):
    def strings(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for part in value.values():
                yield from strings(part)
        elif isinstance(value, list):
            for part in value:
                yield from strings(part)

    word = "<a>cell"
    for figure in (
        hostile.map(word), hostile.map(word, colour="sense"), hostile.histogram(word),
        hostile.plan(word),
    ):  # fmt: skip
        for text in strings(json.loads(figure.to_json())):
            bare = text.replace("<br>", "").replace("<b>cell</b>", "")
            assert "<" not in bare
            assert "$" not in bare
    assert "&lt;script&gt;" in hostile.map(word).data[0].hovertext[0]


def test_what_cannot_be_shown_is_told():
    with pytest.raises(InputError, match=r"'pos' is not one of .*sus, ldr.* sense.* cluster"):
        made_study().map("cell", colour="pos")
    study = made_study()
    bare = Study(study.words, study.instances.drop("sense"), study.arcs, study.vectors, study.about)
    with pytest.raises(InputError, match="no sense to colour by"):
        bare.map("cell", colour="sense")
    with pytest.raises(InputError, match="no word 'sell'"):
        study.plan("sell")
