import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reading import read_senses, usages_of

from senseshift import compare, measures
from senseshift.errors import InputError
from senseshift.study.word_view import bins


@pytest.fixture(scope="module")
def study(usages):
    return compare(usages, read_senses, measures=["f_SUS", "f_OT"])


def test_a_view_has_the_old_usages_and_then_the_new_ones(study):
    view = study.view("cell")
    assert (view.word, view.old, view.new) == ("cell", "old", "new")
    assert view.is_new.tolist() == [False] * 20 + [True] * 20
    assert sorted(view.usages["id"]) == sorted(
        f"{p}-{k}" for p in ("old", "new") for k in range(20)
    )
    for row, vector in zip(view.usages.iter_rows(named=True), view.vectors, strict=True):
        alone = read_senses([row["text"]], [(row["start"], row["end"])])[0]
        assert vector == pytest.approx(alone, abs=1e-6)
    assert view.places.shape == (40, 2)
    assert view is study.view("cell")  # its map is made once


def test_plans_are_those_of_the_study_and_of_balanced_transport(study):
    view = study.view("cell")
    word = measures.Comparison(view.vectors[:20], view.vectors[20:])
    plan, solved = dense(view.plan), word.transport  # ties leave the plan open, not what it moves
    assert np.allclose(plan.sum(axis=1), solved.old_mass, atol=1e-7)
    assert np.allclose(plan.sum(axis=0), solved.new_mass, atol=1e-7)
    assert (plan * word.cost).sum() == pytest.approx(solved.cost, abs=1e-7)
    balanced = dense(view.balanced)
    assert balanced.sum(axis=0) == pytest.approx(np.full(20, 0.05))
    assert (balanced * word.cost).sum() == pytest.approx(
        study.words.filter(pl.col("word") == "cell")["f_OT"].item()
    )


def dense(arcs):
    plan = np.zeros((20, 20))
    np.add.at(plan, (arcs.rows, arcs.columns), arcs.mass)
    return plan


def test_usages_are_ordered_by_sense_and_then_from_left_to_right(study):
    view = study.view("bank")
    for order, groups, is_new in zip(view.order, view.group_order, (False, True), strict=True):
        rows = np.flatnonzero(view.is_new == is_new)[order]
        assert groups == sorted(groups)
        keys = [(view.senses[row], view.places[row, 0]) for row in rows]
        assert keys == sorted(keys)


def test_without_gold_senses_clusters_order_and_without_them_the_map(usages):
    bare = type(usages)(usages.table.drop("sense"), usages.periods)
    clustered = compare(bare, read_senses, measures=["f_SUS", "f_WiDiD"]).view("cell")
    assert clustered.senses is None
    assert clustered.groups[0] == "cluster"
    plain = compare(bare, read_senses, measures=["f_SUS"]).view("bank")
    assert plain.groups == ("map", [None] * 40)
    assert np.all(np.diff(plain.places[~plain.is_new][plain.order[0], 0]) >= 0)


def test_of_several_pairs_of_periods_one_must_be_named():
    parts = [
        usages_of({"cell": (0.0, 0.5)}, periods=pair) for pair in (("1800", "1900"), ("2000", "x"))
    ]
    table = pl.concat([part.table for part in parts]).filter(pl.col("period") != "x")
    usages = type(parts[0])(table, ("1800", "1900", "2000"))
    study = compare(usages, read_senses, measures=["f_SUS"])
    with pytest.raises(InputError, match=r"1800 → 1900, 1900 → 2000.*periods"):
        study.view("cell")
    view = study.view("cell", ("1900", "2000"))
    assert set(view.usages["period"]) == {"1900", "2000"}
    assert view.sus.tolist() != study.view("cell", ["1800", "1900"]).sus.tolist()
    with pytest.raises(InputError, match="not compared 1800 → 2000"):
        study.view("cell", ("1800", "2000"))
    with pytest.raises(InputError, match="no word 'sell'"):
        study.view("sell")


SCORES = arrays(float, st.integers(1, 60), elements=st.floats(-1, 1, allow_subnormal=False))


@given(SCORES)
def test_bins_hold_every_score_and_part_at_zero(scores):
    edges = bins(scores)
    assert 2 <= edges.size <= 33
    assert np.histogram(scores, edges)[0].sum() == scores.size
    assert np.allclose(np.diff(edges), edges[1] - edges[0])
    if edges[0] < 0 < edges[-1]:
        assert np.abs(edges).min() < 1e-9 * (edges[1] - edges[0])
