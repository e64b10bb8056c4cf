"""Data sets from which not everything can be known: tables with the reason, never a NaN."""

import json

import numpy as np
import pytest
from making import made_words, make_wug

from senseshift import read
from senseshift.errors import InputError
from senseshift.evaluation import Gold, reproduce

SAME = {f"word{k}_nn": ([6, 2], [2, 6]) for k in range(6)}
ONE_SENSE = {f"word{k}_nn": ([7], [8]) for k in range(6)}


def run(folder, words, **settings):
    vectors = make_wug(folder, words, **settings)
    return written_and_read(folder, reproduce(folder, vectors, splits=10))


def written_and_read(folder, result):
    """Tables as text and numbers by name, read back from the files."""
    result.write(folder / "out", figures=())
    for path in (folder / "out").rglob("*"):
        if path.suffix in (".csv", ".tex", ".json"):
            assert "nan" not in path.read_text("utf-8").lower().replace("unan", "")
    printed = str(result)
    assert "nan" not in printed.lower()
    numbers = json.loads((folder / "out" / "tables.json").read_text("utf-8"))
    assert all(n["value"] is None or np.isfinite(n["value"]) for n in numbers)
    flat = " ".join(printed.split())
    return flat, {(n["table"], n["method"], n["column"]): n["value"] for n in numbers}


def test_words_that_cannot_be_evaluated_are_left_out_and_told(tmp_path):
    """One without usages in a period, one without senses there, one with a usage in each."""
    words = made_words(9)
    words["word02_nn"] = ([1, 0], [1, 0])
    words["word05_nn"] = (words["word05_nn"][0], [0, 0, 0])
    make_wug(tmp_path, words, statistics=False)
    senses = tmp_path / "clusters" / "opt" / "word07_nn.csv"
    lines = senses.read_text("utf-8").splitlines()
    lines = [line.split("\t")[0] + "\t-1" if "-1-" in line else line for line in lines]
    senses.write_text("\n".join(lines), "utf-8")
    printed, numbers = written_and_read(
        tmp_path, reproduce(tmp_path, tmp_path / "vectors.npy", splits=10)
    )
    assert "10 splits of 7 words: 5 for validation, 2 for test" in printed
    assert "Test sets this small say little" in printed
    assert "word05_nn (no usages in 2), word07_nn (no usage with a gold sense in 2)" in printed
    assert "Skipped word05_nn: no usages in 2" in printed
    assert "g_SUS: without word02_nn, which has too few usages" in printed
    assert numbers["3", "f_SUS", "spearman"] is not None
    # and without statistics nobody knows which words changed
    assert "the data set does not say which words changed" in printed
    assert numbers["9", "tau_SUS", "instance_stable"] is None
    assert numbers["9", "tau_SUS", "instance"] is not None


def test_words_that_all_changed_alike_cannot_be_ranked(tmp_path):
    printed, numbers = run(tmp_path, SAME)
    assert "f* is 0.43 for all 6 words: there is nothing to rank" in printed
    assert "g* is 0.00 for all 6 words" in printed
    assert numbers["3", "f_APD", "spearman"] is None
    assert numbers["2", "tau_SUS", "instance"] is not None
    assert "f_SUS lambda_1, f_SUS lambda_10, f_SUS lambda_100 and 13 more: f* is 0.43" in printed


def test_one_sense_leaves_nothing_to_rank(tmp_path):
    printed, numbers = run(tmp_path, ONE_SENSE)
    assert "τ* is 0.00 for all usages: there is nothing to rank" in printed
    ranked = [(table, value) for (table, *_), value in numbers.items() if table in "2346"]
    assert set(ranked) == {(table, None) for table in "2346"}
    assert numbers["1", "tau_SUS", next(c for t, _, c in numbers if t == "1")] is not None
    assert "nothing to compare: no two methods have a correlation" in printed
    assert "nothing to compare: no method has a correlation in both" in printed


def test_without_judgements_the_usages_are_still_shown(tmp_path):
    printed, numbers = run(tmp_path, made_words(6), clusters=False, statistics=False)
    assert "no word has usages with gold senses in both periods" in printed
    assert {table for (table, *_), value in numbers.items() if value is not None} == {"1", "5"}


def test_what_cannot_be_drawn_is_told(tmp_path):
    vectors = make_wug(tmp_path, made_words(4), clusters=False, statistics=False)
    result = reproduce(tmp_path, vectors, words=["word01_nn"], splits=2)
    left_out = result.write(tmp_path / "out", figures=["svg"])
    assert [note.split(":")[0] for note in left_out] == ["word01_nn-map-sense", "gold"]
    assert all("gold senses" in note for note in left_out)
    assert (tmp_path / "out" / "figures" / "maps.svg").is_file()


def test_without_senses_words_are_judged_by_the_statistics(tmp_path):
    """The numbers of usages in each sense suffice for f* and g*, but not for τ*."""
    printed, numbers = run(tmp_path, made_words(6), clusters=False)
    assert "the usages have no gold senses" in printed
    assert numbers["2", "tau_SUS", "instance"] is None
    assert numbers["3", "f_APD", "spearman"] is not None
    by_statistics = Gold.of(read(tmp_path), tmp_path).words
    (tmp_path / "other").mkdir()
    make_wug(tmp_path / "other", made_words(6))
    by_senses = Gold.of(read(tmp_path / "other"), tmp_path / "other").words
    for name in ("f", "g"):
        assert by_statistics[name].to_list() == pytest.approx(by_senses[name].to_list())


@pytest.mark.parametrize(("count", "usages"), [(1, None), (5, True)])
def test_a_few_words_give_what_they_can(tmp_path, count, usages):
    """Up to five words leave one for the test: its usages can be ranked, words cannot."""
    printed, numbers = run(tmp_path, made_words(count))
    assert numbers["3", "f_SUS", "spearman"] is None
    assert (numbers["2", "tau_SUS", "instance"] is not None) == bool(usages)
    reasons = {1: "there is one word only", 5: "no split has test words (1 each) that differ"}
    assert reasons[count] in printed


def test_identical_vectors_change_nothing(tmp_path):
    make_wug(tmp_path, made_words(6))
    vectors = np.load(tmp_path / "vectors.npy")
    vectors[:] = vectors[0]
    np.save(tmp_path / "same.npy", vectors)
    result = reproduce(tmp_path, tmp_path / "same.npy", splits=5)
    assert "nan" not in str(result).lower()
    value = {(n["method"], n["column"]): n["value"] for n in result.table("3").numbers}
    assert value["f_SUS", "spearman"] is None


def test_nothing_to_compare_is_an_error(tmp_path):
    vectors = make_wug(tmp_path, {"word_nn": ([3], [0]), "other_nn": ([0], [3])})
    with pytest.raises(InputError, match="no word with usages in both periods"):
        reproduce(tmp_path, vectors)


def test_three_periods_are_too_many(tmp_path):
    vectors = make_wug(tmp_path, made_words(3))
    uses = tmp_path / "data" / "word00_nn" / "uses.csv"
    uses.write_text(uses.read_text("utf-8").replace("\t1800\t2\t", "\t1800\t3\t", 1), "utf-8")
    with pytest.raises(InputError, match=r"compares two periods, here are 3 \(1, 2, 3\)"):
        reproduce(tmp_path, vectors)


def test_two_periods_of_three_can_be_chosen(tmp_path):
    make_wug(tmp_path, made_words(3))
    uses = tmp_path / "data" / "word00_nn" / "uses.csv"
    uses.write_text(uses.read_text("utf-8").replace("\t1800\t2\t", "\t1800\t3\t", 1), "utf-8")
    result = reproduce(
        tmp_path,
        lambda texts, spans: [[1.0, len(text), k % 3] for k, text in enumerate(texts)],
        periods="1,2", splits=2, cache=False,
    )  # fmt: skip
    assert result.study.about["periods"] == ["1", "2"]
    assert result.gold.usages.height == 77


def test_wrong_settings_are_told(tmp_path):
    vectors = make_wug(tmp_path, made_words(3))
    with pytest.raises(InputError, match="number of splits is 0"):
        reproduce(tmp_path, vectors, splits=0)
    with pytest.raises(InputError, match="no published numbers of 'dwug_de'"):
        reproduce(tmp_path, vectors, reference="dwug_de")
    with pytest.raises(InputError, match="no word 'cell'"):
        reproduce(tmp_path, vectors, words=["cell"], splits=1)
