"""The table of usages: checks, order of periods, selection, display."""

import subprocess
import sys

import polars as pl
import pytest

from senseshift.errors import InputError
from senseshift.usages import Usages


def usage(**changes):
    return {
        "word": "cell", "period": "old", "id": "a", "text": "A monk's cell.", "start": 9, "end": 13,
    } | changes  # fmt: skip


OLD, NEW = usage(), usage(period="new", id="b", text="The cells divide.", start=4, end=9)


def test_a_usage_points_at_its_target():
    usages = Usages.from_records([OLD, NEW])
    assert [usages.target(row) for row in range(len(usages))] == ["cell", "cells"]
    assert usages.words == ("cell",)
    assert usages.periods == ("old", "new")
    assert usages.counts().rows() == [("cell", 1, 1)]
    assert usages.table.columns == ["word", "period", "id", "text", "start", "end"]


def test_offsets_count_characters_not_bytes():
    text = "𝒜 naïve cell"
    usages = Usages.from_records([usage(text=text, start=8, end=12)])
    assert usages.target(0) == "cell"
    with pytest.raises(InputError, match="inside the text of 12 characters, found 8:13"):
        Usages.from_records([usage(text=text, start=8, end=13)])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"end": 15}, "column end: expected a span inside the text of 14 characters, found 9:15"),
        ({"start": -1}, "column start: expected a span inside the text, found -1:13"),
        ({"end": 9}, "column end: expected a span that holds the target, found the empty span 9:9"),
        ({"end": 5}, "column end: .* found the empty span 9:5"),
        ({"start": "x"}, "column start: expected a whole number, found 'x'"),
        ({"end": None}, "column end: expected a whole number, found nothing"),
        ({"start": 9.5}, "column start: expected a whole number, found '9.5'"),
        ({"word": " "}, "column word: expected some text, found nothing"),
        ({"text": None}, "column text: expected some text, found nothing"),
        ({"id": "a"}, "column id: expected an id of its own .* found 'a' again"),
    ],
)
def test_a_broken_row_is_named_or_dropped(changes, message):
    records = [OLD, NEW | {"id": "c"}, usage(id="b") | changes]
    with pytest.raises(InputError, match=f"records, row 2, {message}.*skip_bad"):
        Usages.from_records(records)
    kept = Usages.from_records(records, skip_bad=True)
    assert len(kept) == 2
    assert len(kept.dropped) == 1


def test_the_same_id_may_name_usages_of_two_words():
    assert len(Usages.from_records([OLD, usage(word="monk", start=2, end=6)])) == 2


def test_a_duplicate_of_a_broken_row_is_no_duplicate():
    kept = Usages.from_records([usage(end=99), usage()], skip_bad=True)
    assert len(kept) == 1
    assert len(kept.dropped) == 1


def test_a_missing_column_is_named():
    with pytest.raises(InputError, match="the columns start, end are missing"):
        Usages.from_table(pl.DataFrame([OLD]).drop("start", "end"))


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["2", "10", "1"], ("1", "2", "10")),
        (["1990-2017", "1700-1916", "1918-1990"], ("1700-1916", "1918-1990", "1990-2017")),
        (["0-2000", "-200-0"], ("-200-0", "0-2000")),
        (["from 1900", "before 1900"], ("before 1900", "from 1900")),
        (["old", "1"], ("old", "1")),
    ],
)
def test_periods_are_ordered_oldest_first(labels, order):
    records = [usage(period=label, id=label) for label in labels]
    assert Usages.from_records(records).periods == order


def test_an_order_asked_for_must_name_all_periods():
    assert Usages.from_records([OLD, NEW], periods=["new", "old"]).periods == ("new", "old")
    with pytest.raises(InputError, match="usages of the period 'new', which is not one of old"):
        Usages.from_records([OLD, NEW], periods=["old"])


def test_select_by_word_and_period():
    usages = Usages.from_records([OLD, NEW, usage(word="monk", start=2, end=6)])
    assert len(usages.select(word="cell")) == 2
    assert usages.select(word="monk").skipped == {"monk": "no usages in the period new"}
    assert usages.select(period="new").periods == ("new",)
    assert usages.select(["cell"], ["old"]).target(0) == "cell"
    with pytest.raises(InputError, match="no word 'sell' here: the words are cell, monk"):
        usages.select(word="sell")


def test_there_may_be_any_number_of_periods():
    names = [f"{year}-{year + 9}" for year in range(1800, 1850, 10)]
    records = [usage(period=name, id=name) for name in names]
    usages = Usages.from_records([*records[::-1], usage(word="monk", period=names[2], end=13)])
    assert usages.periods == tuple(names)
    assert usages.counts().rows() == [("cell", 1, 1, 1, 1, 1), ("monk", 0, 0, 1, 0, 0)]
    assert usages.select(period=names[3:0:-1]).periods == tuple(names[1:4])
    others = ", ".join(names[:2] + names[3:])
    assert usages.skipped == {"monk": f"no usages in the periods {others}"}
    assert "6 usages of 2 words in 5 periods" in str(usages)


def test_a_word_without_usages_in_a_period_is_said_not_fatal():
    usages = Usages.from_records([OLD, NEW, usage(word="monk", start=2, end=6)])
    assert usages.skipped == {"monk": "no usages in the period new"}
    assert "1 word(s) lack usages" in str(usages)


def test_concat_keeps_the_order_of_the_parts():
    both = Usages.concat(
        [Usages.from_records([OLD | {"date": "1815"}]), Usages.from_records([NEW])]
    )
    assert both.periods == ("old", "new")
    assert both.table["date"].to_list() == ["1815", None]
    with pytest.raises(InputError, match="found 'a' again"):
        Usages.concat([both, Usages.from_records([OLD])])


def test_concat_takes_the_periods_in_the_order_given():
    parts = [Usages.from_records([usage(period=name, id=name)]) for name in ("1", "2", "3")]
    assert Usages.concat(parts, periods=["2", "3", "1"]).periods == ("2", "3", "1")
    assert Usages.concat(parts[::-1]).periods == ("1", "2", "3")
    with pytest.raises(InputError, match="usages of the period '3', which is not one of 2, 1"):
        Usages.concat(parts, periods=["2", "1"])


def test_unknown_senses_are_null_and_empty_columns_vanish():
    usages = Usages.from_records([OLD | {"sense": "1", "date": " "}, NEW | {"sense": ""}])
    assert usages.table["sense"].to_list() == ["1", None]
    assert "date" not in usages.table.columns


def test_pandas_there_and_back():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([OLD | {"sense": 1, "period": 1}, NEW | {"sense": None, "period": 2}])
    usages = Usages.from_table(frame)
    assert usages.periods == ("1", "2")
    assert usages.table["sense"].to_list() == ["1", None]
    again = Usages.from_table(usages.to_pandas())
    assert again.table.equals(usages.table)


def test_pandas_missing_names_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="pip install pandas"):
        Usages.from_records([OLD]).to_pandas()


def test_no_usages_at_all():
    assert len(Usages.from_records([])) == 0


def test_display_escapes_and_counts():
    usages = Usages.from_records([usage(word="<b>"), usage(word="<b>", id="b", period="new")])
    assert "2 usages of 1 word in 2 periods" in str(usages)
    assert "&lt;b&gt;" in usages._repr_html_()


def test_importing_senseshift_does_not_import_polars():
    code = "import senseshift, sys; sys.exit('polars' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_million_rows_are_checked_to_the_last():
    n = 1_000_000
    frame = pl.DataFrame({"id": range(n)}).with_columns(
        word=pl.lit("cell"), period=(pl.col("id") % 2).cast(pl.String), text=pl.lit(OLD["text"]),
        start=pl.lit(9), end=pl.when(pl.col("id") == n - 1).then(15).otherwise(13),
    )  # fmt: skip
    with pytest.raises(InputError, match=r"row 999999, column end: .* found 9:15"):
        Usages.from_table(frame)
    assert len(Usages.from_table(frame, skip_bad=True)) == n - 1
