"""Folders of word usage graphs with the quirks of those that were published."""

from pathlib import Path
from unicodedata import normalize

import polars as pl
import pytest

from senseshift.errors import InputError
from senseshift.usages import read

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"
HEADER = "lemma\tpos\tdate\tgrouping\tidentifier\tdescription\tcontext\tindexes_target_token"


def graph(folder, word, rows, *, suffix=".csv", header=HEADER, name=None):
    path = folder / "data" / (name or word) / f"uses{suffix}"
    path.parent.mkdir(parents=True)
    lines = [
        f"{word}\tnn\t{date}\t{period}\t{id_}\t \t{text}\t{span}"
        for period, date, id_, text, span in rows
    ]
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return path


def senses(folder, word, rows, *, method="opt", suffix=".csv"):
    path = folder / "clusters" / method / f"{word}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{id_}\t{sense}" for id_, sense in rows]
    path.write_text("\n".join(["identifier\tcluster", *lines, ""]), encoding="utf-8")


CELL = [("1", "1815", "a", 'A "cell.', "3:7"), ("2", "1965", "b", 'cells"', "0:5")]


def test_stray_quotes_are_text_and_blank_fields_are_nothing(tmp_path):
    graph(tmp_path, "cell_nn", CELL)
    usages = read(tmp_path)
    assert usages.table["text"].to_list() == ['A "cell.', 'cells"']
    assert [usages.target(0), usages.target(1)] == ["cell", "cells"]
    assert usages.periods == ("1", "2")
    assert usages.table["date"].to_list() == ["1815", "1965"]
    assert "sense" not in usages.table.columns


def test_senses_are_joined_by_identifier(tmp_path):
    graph(tmp_path, "cell_nn", [*CELL, ("2", "1970", "c", "cell", "0:4")])
    senses(tmp_path, "cell_nn", [("c", "-1"), ("z", "4"), ("b", "7"), ("a", "0")])
    assert read(tmp_path).table["sense"].to_list() == ["0", "7", None]


def test_a_usage_without_a_sense_is_kept(tmp_path):
    graph(tmp_path, "cell_nn", CELL)
    senses(tmp_path, "cell_nn", [("b", "1")])
    assert read(tmp_path).table["sense"].to_list() == [None, "1"]


def test_another_clustering_may_be_chosen(tmp_path):
    graph(tmp_path, "cell_nn", CELL)
    senses(tmp_path, "cell_nn", [("a", "0"), ("b", "1")], method="wcc")
    assert read(tmp_path, clusters="wcc").table["sense"].to_list() == ["0", "1"]
    with pytest.raises(InputError, match="expected the clustering 'opt', found wcc"):
        read(tmp_path)


def test_tsv_year_ranges_and_senses_without_a_method(tmp_path):
    rows = [
        ("1970-2015", "1970", "1970-2015_pære_1", "en pære", "3:7"),
        ("1929-1965", "1929", "1929-1965_pære_1", "pærer", "0:5"),
    ]
    graph(tmp_path, "pære", rows, suffix=".tsv")
    senses(tmp_path, "pære", [(rows[1][2], "1"), (rows[0][2], "0")], method=".", suffix=".tsv")
    usages = read(tmp_path)
    assert usages.periods == ("1929-1965", "1970-2015")
    assert usages.table["sense"].to_list() == ["0", "1"]


def test_decomposed_names_of_files_and_words(tmp_path):
    word = "Überzeugung"
    graph(tmp_path, normalize("NFD", word), CELL)
    senses(tmp_path, normalize("NFD", word), [("a", "3"), ("b", "-1")])
    usages = read(tmp_path)
    assert usages.words == (word,)
    assert usages.table["sense"].to_list() == ["3", None]


def test_russian_offsets_count_characters(tmp_path):
    graph(tmp_path, "авторитет", [("1700-1916", "1700", "а-1", "Он авторитет для них.", "3:12")])
    assert read(tmp_path).target(0) == "авторитет"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("1", "1", "c", "cell", "0:9"), "line 4, column indexes_target_token: .*found 0:9"),
        (
            ("1", "1", "c", "cell", "04"),
            "line 4, column indexes_target_token: expected a whole number",
        ),
        (("1", "1", "a", "cell", "0:4"), "line 4, column identifier: .* found 'a' again"),
        ((" ", "1", "c", "cell", "0:4"), "line 4, column grouping: expected some text"),
        (("1", "1", "c", "ce\tll", "0:2"), "line 4: expected 8 fields .* found 9"),
    ],
)
def test_a_broken_row_is_named_or_dropped(tmp_path, row, message):
    graph(tmp_path, "cell_nn", [*CELL, row])
    with pytest.raises(InputError, match=f"cell_nn.uses.csv, {message}"):
        read(tmp_path)
    usages = read(tmp_path, skip_bad=True)
    assert len(usages) == 2
    assert len(usages.dropped) == 1


def test_two_words_under_one_folder(tmp_path):
    path = graph(tmp_path, "cell_nn", CELL)
    path.write_text(path.read_text() + "sell_vb\tvb\t1\t1\tx\t \tsell\t0:4\n")
    with pytest.raises(InputError, match=r"line 4, column lemma: .* 'cell_nn', found 'sell_vb'"):
        read(tmp_path)
    assert read(tmp_path, skip_bad=True).words == ("cell_nn",)


def test_one_word_under_two_folders(tmp_path):
    graph(tmp_path, "cell_nn", CELL)
    graph(tmp_path, "cell_nn", CELL, name="copy")
    with pytest.raises(InputError, match=r"the word 'cell_nn' is in .* too"):
        read(tmp_path)


def test_a_sense_given_twice(tmp_path):
    graph(tmp_path, "cell_nn", CELL)
    senses(tmp_path, "cell_nn", [("a", "0"), ("a", "1")])
    with pytest.raises(InputError, match=r"cell_nn.csv, line 3, column identifier: .* 'a' again"):
        read(tmp_path)


def test_a_missing_column_and_an_empty_folder(tmp_path):
    with pytest.raises(InputError, match=r"expected word usage graphs .* found none"):
        read(tmp_path)
    graph(tmp_path, "cell_nn", [], header=HEADER.replace("\tgrouping", ""))
    with pytest.raises(InputError, match="line 1: the column grouping is missing"):
        read(tmp_path)


def test_a_word_without_usages_is_told(tmp_path):
    graph(tmp_path, "cell_nn", CELL)
    graph(tmp_path, "sell_vb", [])
    usages = read(tmp_path)
    assert usages.words == ("cell_nn",)
    assert list(usages.skipped) == ["sell_vb"]
    assert "no usages in" in usages.skipped["sell_vb"]


def test_one_file_of_a_graph_can_be_read_alone(tmp_path):
    path = graph(tmp_path, "cell_nn", CELL)
    assert read(path).table["text"].to_list() == ['A "cell.', 'cells"']


def test_dates_make_periods(tmp_path):
    graph(tmp_path, "cell_nn", CELL)
    usages = read(tmp_path, periods="1800-1849,1950-1999")
    assert usages.counts().rows() == [("cell_nn", 1, 1)]
    assert usages.periods == ("1800-1849", "1950-1999")


@pytest.mark.skipif(not SHARED.is_dir(), reason="DWUG EN is not beside the repository")
def test_dwug_en_is_read_completely():
    usages = read(SHARED / "dwug_en")
    expected = pl.read_csv(
        SHARED / "dwug_en_vectors.tsv", separator="\t", quote_char=None, infer_schema=False
    )
    found = usages.table.select(lemma="word", grouping="period", identifier="id")
    assert found.equals(expected)
    assert (len(usages), len(usages.words)) == (9107, 46)
    assert usages.skipped == {}
    heads = {
        usages.target(k).lower() for k in range(len(usages)) if usages.table["word"][k] == "head_nn"
    }
    assert heads == {"head", "heads"}
