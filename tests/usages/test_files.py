"""Files of usages: every format there and back, and every way one can be broken."""

import errno
import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.errors import InputError
from senseshift.usages import Usages, read

FORMATS = [".parquet", ".csv", ".tsv", ".jsonl"]
HEADER = "word,period,id,text,start,end,date\n"
ROW = "cell,old,a,A monk's cell.,9,13,1815\n"

# Control characters and line breaks of all sorts, but no lone surrogates, which no file can hold.
awkward = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('\t"\r\n,;\u2028\x85'))


@st.composite
def records(draw):
    rows = []
    for number in range(draw(st.integers(1, 5))):
        before, target, after = draw(awkward), draw(awkward.filter(bool)), draw(awkward)
        rows.append(
            {
                "word": draw(st.sampled_from(["cell", "naïve", "hot dog", 'qu"ote'])),
                "period": draw(st.sampled_from(["1", "2"])),
                "id": f"{draw(awkward)}{number}",
                "text": before + target + after,
                "start": len(before),
                "end": len(before) + len(target),
                "sense": draw(st.none() | st.sampled_from(["0", "a b", 'x"y'])),
            }
        )
    return rows


@pytest.mark.parametrize("suffix", FORMATS)
@settings(max_examples=60, deadline=None)
@given(rows=records())
def test_every_format_gives_back_what_was_written(tmp_path_factory, suffix, rows):
    usages = Usages.from_records(rows)
    path = tmp_path_factory.mktemp("usages") / f"usages{suffix}"
    usages.write(path)
    again = read(path)
    assert again.table.equals(usages.table)
    assert again.periods == usages.periods
    assert [again.target(k) for k in range(len(again))] == [
        row["text"][row["start"] : row["end"]] for row in rows
    ]


def test_writing_leaves_the_old_file_when_it_fails(tmp_path, monkeypatch):
    path = tmp_path / "usages.csv"
    path.write_text("precious")
    usages = Usages.from_records([dict(zip(HEADER.split(","), ROW.split(","), strict=True))])

    def fail(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)
    with pytest.raises(InputError, match="No space left"):
        usages.write(path)
    assert path.read_text() == "precious"
    assert [file.name for file in tmp_path.iterdir()] == ["usages.csv"]


def test_only_known_formats_are_written_and_read(tmp_path):
    usages = Usages.from_records([])
    with pytest.raises(InputError, match=r"not \.xlsx"):
        usages.write(tmp_path / "usages.xlsx")
    with pytest.raises(InputError, match=r"there is no folder .*nowhere"):
        usages.write(tmp_path / "nowhere" / "usages.csv")
    with pytest.raises(InputError, match="does not exist"):
        read(tmp_path / "none.csv")
    (tmp_path / "usages.xlsx").write_text("")
    with pytest.raises(InputError, match=r"found \.xlsx"):
        read(tmp_path / "usages.xlsx")
    (tmp_path / "usages.parquet").write_text("no")
    with pytest.raises(InputError, match="expected a Parquet file"):
        read(tmp_path / "usages.parquet")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + ROW + "cell,new,b,The cell\n", "line 3: expected 7 fields .*, found 4"),
        (HEADER + 'cell,old,a,"one\ntwo",0,3,1\n' + "cell,old,b,x,0,9,1\n", "line 4, column end"),
        (HEADER + ROW + ROW, r"line 3, column id: .* found 'a' again \(first in 2\)"),
        (
            HEADER + ROW.replace("9,", "nine,"),
            "line 2, column start: .* whole number, found 'nine'",
        ),
        (HEADER + 'cell,old,a,"open,9,13,1815\n', "line 2: .* lone double quote"),
        ("word,period,text\ncell,old,x\n", "columns id, start, end are missing"),
        ("word,word\n", "line 1: the column word is there twice"),
        ("", "columns word, period, id, text, start, end are missing"),
    ],
)
def test_a_broken_csv_is_named_by_file_line_and_column(tmp_path, text, message):
    path = tmp_path / "usages.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=f"usages.csv.*{message}"):
        read(path)


def test_skip_bad_drops_and_tells(tmp_path):
    path = tmp_path / "usages.csv"
    path.write_text(HEADER + ROW + "cell,new\n" + ROW + ROW.replace("old,a", "new,b"))
    usages = read(path, skip_bad=True)
    assert len(usages) == 2
    assert [message.partition("line ")[2][0] for message in usages.dropped] == ["3", "4"]


def test_another_encoding_is_named_by_line_and_byte(tmp_path):
    path = tmp_path / "usages.csv"
    bad = ROW.replace("monk's", "naïve").replace("old,a", "old,b").encode("latin-1")
    path.write_bytes((HEADER + ROW).encode() + bad + ROW.replace("old,a", "new,c").encode())
    offset = len(HEADER + ROW) + bad.index(b"\xef")
    with pytest.raises(InputError, match=rf"line 3 \(byte {offset} of the file\): expected UTF-8"):
        read(path)
    usages = read(path, skip_bad=True)
    assert usages.table["id"].to_list() == ["a", "c"]
    assert "line 3: expected UTF-8, found the byte 0xef" in usages.dropped[0]


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path):
    path = tmp_path / "usages.csv"
    path.write_bytes(b"\xef\xbb\xbf" + (HEADER + ROW).encode())
    assert read(path).words == ("cell",)


def test_a_very_long_text_is_read(tmp_path):
    path = tmp_path / "usages.csv"
    path.write_text(HEADER + ROW.replace("A monk's cell.", "A monk's cell." + "x" * 200_000))
    assert read(path).target(0) == "cell"


def test_an_unreadable_json_line_is_named(tmp_path):
    path = tmp_path / "usages.jsonl"
    good = {"word": "cell", "period": 1, "id": "a", "text": "cell", "start": 0, "end": 4}
    path.write_text(json.dumps(good) + "\n\n{broken\n[1]\n")
    with pytest.raises(InputError, match="line 3: expected a JSON object"):
        read(path)
    usages = read(path, skip_bad=True)
    assert len(usages) == 1
    assert "line 4: expected a JSON object, found [1]" in usages.dropped[1]


def test_half_a_surrogate_pair_is_named(tmp_path):
    path = tmp_path / "usages.jsonl"
    path.write_text('{"word": "a", "period": 1, "id": 1, "text": "a\\ud800", "start": 0, "end": 1}')
    with pytest.raises(InputError, match="line 1, column text: expected Unicode text, found half"):
        read(path)


def test_periods_from_dates(tmp_path):
    path = tmp_path / "usages.csv"
    dates = ["1815", "1900-01-01", "1899-12-31", "02.03.1965", "1815.0", "1700"]
    rows = [f"cell,a,{k},A monk's cell.,9,13,{date}\n" for k, date in enumerate(dates)]
    path.write_text(HEADER + "".join(rows))
    split = read(path, split_year=1900)
    assert split.periods == ("before 1900", "from 1900")
    assert split.counts().rows() == [("cell", 4, 2)]
    ranges = read(path, periods="1960-2010,1810-1860")
    assert ranges.periods == ("1810-1860", "1960-2010")
    assert ranges.counts().rows() == [("cell", 2, 1)]
    assert "3 usages dated outside the periods 1810-1860, 1960-2010" in ranges.dropped[0]


def test_a_word_with_no_usage_left_is_told(tmp_path):
    path = tmp_path / "usages.csv"
    path.write_text(HEADER + ROW + ROW.replace("cell,", "monk,", 1).replace("1815", "1700"))
    usages = read(path, periods="1800-1849,1900-1949")
    assert usages.words == ("cell",)
    assert usages.missing["monk"].startswith("no usages left of those in")
    assert list(usages.skipped) == ["cell", "monk"]


def test_periods_that_make_no_sense(tmp_path):
    path = tmp_path / "usages.csv"
    path.write_text(HEADER + ROW.replace("1815", "long ago"))
    with pytest.raises(InputError, match=r"line 2, column date: expected a year .* 'long ago'"):
        read(path, split_year=1900)
    with pytest.raises(InputError, match="1810-1860 and 1850-1900 overlap"):
        read(path, periods="1810-1860,1850-1900")
    with pytest.raises(InputError, match="'soon' is not a range of years"):
        read(path, periods="soon")
    with pytest.raises(InputError, match="choose one"):
        read(path, periods="1810-1860", split_year=1900)
    path.write_text("word,period,id,text,start,end\ncell,old,a,cell,0,4\n")
    with pytest.raises(InputError, match="need the column date, found word, period"):
        read(path, split_year=1900)


def test_periods_by_name_select_and_order(tmp_path):
    path = tmp_path / "usages.csv"
    rows = [ROW.replace("old,a", f"{name},{name}") for name in ("new", "old", "other")]
    path.write_text(HEADER + "".join(rows))
    usages = read(path, periods="old,new")
    assert usages.periods == ("old", "new")
    assert len(usages) == 2
    assert usages.dropped == ["1 usages of periods other than old, new were left out."]


def test_a_file_for_each_period(tmp_path):
    path = tmp_path / "usages.csv"
    path.write_text("word,id,text,start,end\ncell,a,cell,0,4\n")
    with pytest.raises(InputError, match="column period is missing"):
        read(path)
    assert read(path, period="old").periods == ("old",)
