import numpy as np
import polars as pl
import pytest
from scipy.stats import rankdata

from pictures import made_study
from senseshift import figures
from senseshift.errors import InputError
from senseshift.figures.gold import gold_tau


def spearman(x, y):
    return np.corrcoef(rankdata(x), rankdata(y))[0, 1]


def test_tau_is_the_log_ratio_of_shares_with_infinities_imputed_over_all_words():
    study = made_study()
    tau, rows = gold_tau(study)
    # of 20 usages a side: 14 + 6 and 8 + 12; 20 + 0 and 8 + 12; all of one sense
    expected = {
        ("bank", "0"): np.log(8 / 14), ("bank", "1"): np.log(12 / 6),
        ("cell", "0"): np.log(8 / 20), ("cell", "1"): np.log(12 / 6),  # infinite: the largest
        ("stone", "0"): 0.0,
    }  # fmt: skip
    found = study.instances[rows].select("word", "sense").iter_rows()
    assert tau == pytest.approx([expected[key] for key in found])
    assert sorted(rows) == list(range(study.instances.height))


def test_usages_without_a_sense_are_left_out():
    study = made_study()
    some = pl.when(pl.col("position") > 0).then("sense")
    changed = type(study)(
        study.words, study.instances.with_columns(sense=some), study.arcs, study.vectors,
        study.about,
    )  # fmt: skip
    _, rows = gold_tau(changed)
    assert (study.instances[rows]["position"] > 0).all()
    assert rows.size == 3 * 2 * 19


def test_a_word_with_senses_in_one_period_only_is_left_out():
    study = made_study()

    def only(known):
        instances = study.instances.with_columns(sense=pl.when(known).then("sense"))
        return type(study)(study.words, instances, study.arcs, study.vectors, study.about)

    _, rows = gold_tau(only((pl.col("word") != "cell") | (pl.col("period") == "new")))
    assert set(study.instances[rows]["word"]) == {"bank", "stone"}
    with pytest.raises(InputError, match="in both periods"):
        gold_tau(only(pl.col("period") == "new"))


def test_dots_are_usages_and_triangles_their_means():
    study = made_study()
    tau, rows = gold_tau(study)
    figure = figures.against_gold(study)
    assert [text.get_text() for text in figure.legends[0].texts] == ["usage", "mean of a τ*"]
    for axes, column in zip(figure.axes, ("sus", "ldr"), strict=True):
        scores = study.instances[rows][column].to_numpy()
        dots, triangles = axes.collections
        assert np.allclose(dots.get_offsets(), np.column_stack((tau, scores)))
        levels = sorted(set(tau))
        means = [scores[tau == level].mean() for level in levels]
        assert np.allclose(triangles.get_offsets(), np.column_stack((levels, means)))
        assert axes.get_title() == (
            f"Spearman: usages {spearman(tau, scores):.2f}, means {spearman(levels, means):.2f}"
        )


def test_it_takes_arrays_of_any_origin():
    figure = figures.tau_figure([0.0, 1.0, 1.0], {"mine": [0.1, 0.2, 0.4]}, width="column")
    (axes,) = figure.axes
    assert axes.get_ylabel() == "mine"
    assert np.allclose(axes.collections[1].get_offsets(), [(0.0, 0.1), (1.0, 0.3)])
    flat = figures.tau_figure([0.5, 0.5], {"flat": [1.0, 2.0]})
    assert "usages –, means –" in flat.axes[0].get_title()  # no ranks, no number


def test_without_gold_it_says_so():
    study = made_study()
    bare = type(study)(
        study.words, study.instances.drop("sense"), study.arcs, study.vectors, study.about
    )
    with pytest.raises(InputError, match="no gold senses"):
        figures.against_gold(bare)
    with pytest.raises(InputError, match="too few"):
        figures.tau_figure([1.0], {"SUS": [1.0]})
