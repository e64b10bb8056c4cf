from math import log, sqrt

import numpy as np
import polars as pl
import pytest
from making import make_wug

from senseshift import read
from senseshift.evaluation import Gold
from support import DATA

# Sense 0 falls from 3/4 to 1/3, sense 1 rises from 1/4 to 1/2, sense 2 is new.
WORDS = {"cell_nn": ([3, 1, 0], [2, 3, 1]), "stone_nn": ([4], [4]), "mouse_nn": ([1, 5], [6, 6])}


def gold_of(folder, **settings):
    return Gold.of(read(folder), folder, **settings)


@pytest.fixture
def folder(tmp_path):
    make_wug(tmp_path, WORDS)
    return tmp_path


def test_gold_follows_the_formulas(folder):
    gold = gold_of(folder)
    assert gold.words["word"].to_list() == list(WORDS)  # the order of the statistics
    assert gold.words["senses"].to_list() == [3, 1, 2]
    assert gold.words["changed"].to_list() == [True, False, False]
    p, q = (0.75, 0.25, 0), (2 / 6, 3 / 6, 1 / 6)
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    divergence = sum(
        a * log(a / m, 2) / 2 for side in (p, q) for a, m in zip(side, middle, strict=True) if a
    )
    assert gold.words["f"][0] == pytest.approx(sqrt(divergence))
    entropy = [-sum(a * log(a) for a in side if a) for side in (p, q)]
    assert gold.words["g"][0] == pytest.approx(entropy[1] - entropy[0])
    assert gold.words["f"][1] == gold.words["g"][1] == 0
    assert gold.notes == ()


def test_infinite_tau_are_the_extremes_of_all_words(folder):
    tau = dict(
        gold_of(folder).usages.filter(word="cell_nn").select("sense", "tau").unique().iter_rows()
    )
    assert tau["0"] == pytest.approx(log((2 / 6) / (3 / 4)))
    assert tau["1"] == pytest.approx(log(2))
    assert tau["2"] == pytest.approx(log((6 / 12) / (1 / 6)))  # of sense 0 of mouse_nn


def test_senses_are_joined_by_identifier_whatever_the_order_of_the_rows(folder):
    before = gold_of(folder).usages
    path = folder / "clusters" / "opt" / "cell_nn.csv"
    header, *lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([header, *reversed(lines)]), "utf-8")
    assert gold_of(folder).usages.equals(before)


def test_usages_without_a_sense_count_for_nothing(tmp_path):
    make_wug(tmp_path, {"cell_nn": ([5, 5], [6, 4])}, unknown=("cell_nn",))
    gold = gold_of(tmp_path)
    unknown = gold.usages.filter(pl.col("sense").is_null())
    assert unknown["tau"].is_null().all()
    assert unknown.height == 4
    tau = gold.usages.filter(sense="0")["tau"].unique().to_list()
    assert tau == pytest.approx([log((4 / 8) / (4 / 8))])


def test_as_published_shares_are_those_of_the_statistics(folder):
    path = folder / "stats" / "opt" / "stats_groupings.csv"
    text = path.read_text("utf-8")
    assert "[0.333, 0.5, 0.167]" in text
    path.write_text(text.replace("\t0.0\n", "\t0.25\n", 1), "utf-8")  # change_graded of stone_nn
    gold = gold_of(folder, compat=True)
    tau = dict(gold.usages.filter(word="cell_nn").select("sense", "tau").unique().iter_rows())
    assert tau["0"] == np.log(0.333 / 0.75)
    assert gold.words["f"][1] == 0.25
    q = np.array([0.333, 0.5, 0.167]) / sum([0.333, 0.5, 0.167])
    entropy = -(q * np.log(q)).sum() + 0.75 * log(0.75) + 0.25 * log(0.25)
    assert gold.words["g"][0] == pytest.approx(entropy)
    assert gold.notes == ("change_graded of the statistics is not f* of these senses: stone_nn",)


def test_senses_listed_in_another_order_are_noted(folder):
    path = folder / "stats" / "opt" / "stats_groupings.csv"
    text = path.read_text("utf-8")
    for of_labels, other in (("[3, 1, 0]", "[1, 3, 0]"), ("[2, 3, 1]", "[3, 2, 1]"),
                             ("[0.75, 0.25, 0.0]", "[0.25, 0.75, 0.0]"),
                             ("[0.333, 0.5, 0.167]", "[0.5, 0.333, 0.167]")):  # fmt: skip
        text = text.replace(of_labels, other)
    path.write_text(text, "utf-8")
    right, published = gold_of(folder), gold_of(folder, compat=True)
    assert "another order" in right.notes[0]
    assert right.notes[0].endswith(": cell_nn")
    of_first = pl.col("word").eq("cell_nn") & pl.col("sense").eq("0")
    assert right.usages.filter(of_first)["tau"][0] == pytest.approx(log((2 / 6) / (3 / 4)))
    assert published.usages.filter(of_first)["tau"][0] == pytest.approx(log(0.5 / 0.25))


def test_other_numbers_in_the_statistics_are_noted(folder):
    path = folder / "stats" / "opt" / "stats_groupings.csv"
    path.write_text(path.read_text("utf-8").replace("[3, 1, 0]", "[9, 1, 0]"), "utf-8")
    assert "other numbers of usages" in gold_of(folder).notes[0]


def test_senses_may_have_any_names(folder):
    path = folder / "clusters" / "opt" / "cell_nn.csv"
    path.write_text(path.read_text("utf-8").replace("\t0\n", "\tmonk\n"), "utf-8")
    for compat in (False, True):
        tau = gold_of(folder, compat=compat).usages.filter(sense="monk")["tau"]
        assert tau[0] == pytest.approx(log((2 / 6) / (3 / 4)))


def test_a_word_with_senses_in_one_period_only_has_no_gold(tmp_path):
    make_wug(tmp_path, {"cell_nn": ([3, 1], [0, 0]), "stone_nn": ([2], [3])}, statistics=False)
    gold = gold_of(tmp_path)
    assert gold.words["f"].to_list() == [None, 0.0]
    assert gold.words["reason"][0] == "no usage with a gold sense in 2"
    assert gold.usages.filter(word="cell_nn")["tau"].is_null().all()
    assert gold.words["changed"].to_list() == [None, None]


def test_dwug_en():
    if not (DATA / "dwug_en").exists():
        pytest.skip("DWUG EN does not lie beside the repository")
    gold = gold_of(DATA / "dwug_en")
    assert gold.words.height == 46
    assert gold.words["changed"].sum() == 21
    record = gold.usages.filter(word="record_nn")
    assert record.filter(sense="0", period="1").height == 99
    assert record.filter(sense="0")["tau"][0] == pytest.approx(log((64 / 96) / (99 / 99)))
    assert record["tau"].max() == gold.usages["tau"].max()  # music is new
