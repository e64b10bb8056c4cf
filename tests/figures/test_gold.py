import numpy as np
import polars as pl
import pytest
from reading import usages_of
from scipy.stats import rankdata

from pictures import less_clearly, made_study
from senseshift import compare, figures
from senseshift.errors import InputError
from senseshift.evaluation import Gold


def spearman(x, y):
    return np.corrcoef(rankdata(x), rankdata(y))[0, 1]


# of 20 usages a side: 14 + 6 and 8 + 12; 20 + 0 and 8 + 12, infinite: the largest; one sense
TAU = {
    ("bank", "0"): np.log(8 / 14), ("bank", "1"): np.log(12 / 6),
    ("cell", "0"): np.log(8 / 20), ("cell", "1"): np.log(12 / 6),
    ("stone", "0"): 0.0,
}  # fmt: skip


def dots(figure):
    """What is drawn as dots in each panel: rows of score and τ*."""
    return [np.asarray(axes.collections[0].get_offsets()) for axes in figure.axes]


def with_senses(study, known):
    """The study with gold senses of some usages only."""
    instances = study.instances.with_columns(sense=pl.when(known).then("sense"))
    return type(study)(study.words, instances, study.arcs, study.vectors, study.about)


def test_dots_are_usages_and_triangles_their_means():
    study = made_study()
    tau = np.array([TAU[key] for key in study.instances.select("word", "sense").iter_rows()])
    figure = figures.against_gold(study)
    assert [text.get_text() for text in figure.legends[0].texts] == ["usage", "mean of a τ*"]
    for axes, column in zip(figure.axes, ("sus", "ldr"), strict=True):
        scores = study.instances[column].to_numpy()
        usages, triangles = axes.collections
        assert np.allclose(usages.get_offsets(), np.column_stack((scores, tau)))
        levels = sorted(set(tau))
        means = [scores[tau == level].mean() for level in levels]
        assert np.allclose(triangles.get_offsets(), np.column_stack((means, levels)))
        assert axes.get_title() == (
            f"Spearman: usages {spearman(tau, scores):.2f}, means {spearman(levels, means):.2f}"
        )


def test_usages_without_a_sense_are_left_out():
    study = made_study()
    sus, _ = dots(figures.against_gold(with_senses(study, pl.col("position") > 0)))
    expected = study.instances.filter(pl.col("position") > 0)
    assert np.allclose(sus[:, 0], expected["sus"])


def test_a_word_with_senses_in_one_period_only_is_left_out():
    study = made_study()
    known = (pl.col("word") != "cell") | (pl.col("period") == "new")
    sus, _ = dots(figures.against_gold(with_senses(study, known)))
    assert np.allclose(sus[:, 0], study.instances.filter(pl.col("word") != "cell")["sus"])
    with pytest.raises(InputError, match="in both periods"):
        figures.against_gold(with_senses(study, pl.col("period") == "new"))


def test_gold_of_another_origin_is_joined_by_identifier():
    study = made_study()
    rows = study.instances.select("word", "period", "id", tau=pl.col("position").cast(float))
    gold = Gold(pl.DataFrame(), rows.filter(pl.col("word") == "bank").reverse())
    sus, ldr = dots(figures.against_gold(study, gold))
    bank = study.instances.filter(pl.col("word") == "bank")
    assert np.allclose(sus, bank.select("sus", "position").to_numpy())
    assert np.allclose(ldr, bank.select("ldr", "position").to_numpy())


def test_of_several_pairs_of_periods_one_is_drawn():
    parts = [usages_of({"cell": (0.0, 0.5)}, periods=pair) for pair in (("1", "2"), ("3", "x"))]
    table = pl.concat([part.table for part in parts]).filter(pl.col("period") != "x")
    study = compare(type(parts[0])(table, ("1", "2", "3")), less_clearly)
    sus, _ = dots(figures.against_gold(study, periods=("2", "3")))
    assert np.allclose(sus[:, 0], study.instances.filter(new="3")["sus"])
    with pytest.raises(InputError, match="compared more than once"):
        figures.against_gold(study)


def test_it_takes_arrays_of_any_origin():
    figure = figures.tau_figure([0.0, 1.0, 1.0], {"mine": [0.1, 0.2, 0.4]}, width="column")
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("mine", "τ*")
    assert np.allclose(axes.collections[1].get_offsets(), [(0.1, 0.0), (0.3, 1.0)])
    flat = figures.tau_figure([0.5, 0.5], {"flat": [1.0, 2.0]})
    assert "usages –, means –" in flat.axes[0].get_title()  # no ranks, no number


def test_without_gold_it_says_so():
    study = made_study()
    bare = type(study)(
        study.words, study.instances.drop("sense"), study.arcs, study.vectors, study.about
    )
    with pytest.raises(InputError, match="gold senses in both"):
        figures.against_gold(bare)
    with pytest.raises(InputError, match="too few"):
        figures.tau_figure([1.0], {"SUS": [1.0]})
