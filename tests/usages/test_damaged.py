"""Files of usages that are damaged or not what they seem: one sentence, never anything else."""

import json
import os
import sys

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damage import damaged, is_one_sentence, read_or_told
from senseshift.errors import InputError
from senseshift.usages import Usages, read, wug
from senseshift.usages.periods import Spans

HEADER = "word,period,id,text,start,end,date\n"
ROW = "cell,old,a,A monk's cell.,9,13,1815\n"
WAYS = [{}, {"skip_bad": True}, {"split_year": 1802}, {"periods": "old,new"}, {"period": "x"}]


def record(**changes):
    return {
        "word": "cell", "period": "old", "id": "a", "text": "A naïve cell.", "start": 8, "end": 12,
        "date": "1815", "author": "A",
    } | changes  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Sound files of every format, by their paths."""
    folder = tmp_path_factory.mktemp("sound")
    records = [record(id=str(k), period="old" if k < 3 else "new") for k in range(6)]
    usages = Usages.from_records([row | {"sense": row["id"]} for row in records])
    for suffix in (".csv", ".tsv", ".jsonl", ".parquet"):
        usages.write(folder / f"usages{suffix}")
    pl.DataFrame(records).write_parquet(folder / "plain.parquet", compression="uncompressed")
    wug.write(usages.table, folder / "graphs")
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@settings(max_examples=300, deadline=None)
@given(data=st.data(), options=st.sampled_from(WAYS))
def test_a_damaged_file_is_read_or_told(tmp_path_factory, files, data, options):
    name, spoilt = data.draw(damaged(files))
    folder = tmp_path_factory.mktemp("damaged")
    chosen = {n: c for n, c in files.items() if n.startswith("graphs") == name.startswith("graphs")}
    for each, content in (chosen | {name: spoilt}).items():
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).write_bytes(content)
    with read_or_told():
        usages = read(folder / "graphs" if name.startswith("graphs") else folder / name, **options)
        usages.write(folder / "again.parquet")
        assert read(folder / "again.parquet").table.equals(usages.table)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("u.parquet", b"PAR1" + b"\0" * 40 + b"PAR1", "expected a Parquet file"),
        ("u.jsonl", b'{"a":' * 10_000, "line 1: expected a JSON object, found .*nested too deep"),
        ("u.jsonl", b"17", "line 1: expected a JSON object, found 17"),
        ("u.jsonl", b'{"word": tru', r"found {\"word\": tru \(Expecting value\)"),
        (
            "u.jsonl",
            json.dumps(record(word=["cell"])).encode(),
            "line 1, column word: expected text or a number, found a list",
        ),
        (
            "u.jsonl",
            json.dumps(record(text={"a": 1})).encode(),
            "line 1, column text: expected text or a number, found an object",
        ),
        (
            "u.jsonl",
            json.dumps(record()).replace("8", "8" * 5000, 1).encode(),
            "column start: expected a whole number, found '888",
        ),
        ("u.csv", (HEADER + ROW).encode("utf-16"), "found UTF-16: .* iconv -f UTF-16 -t UTF-8"),
        ("u.csv", (HEADER + ROW).encode("utf-16-be"), "iconv -f UTF-16BE -t UTF-8"),
        ("u.csv", (HEADER + ROW).encode("utf-16-le"), "iconv -f UTF-16LE -t UTF-8"),
        (
            "u.csv",
            (HEADER + ROW.replace("'", "’")).encode("cp1252"),
            "found the byte 0x92: .* iconv -f WINDOWS-1252 -t UTF-8",
        ),
        (
            "u.csv",
            (HEADER + ROW.replace("monk", "монк")).encode("koi8-r") + b"\x90",
            "expected UTF-8, found the byte .* iconv -f ITS_ENCODING",
        ),
        ("u.csv", (HEADER + ROW.replace("9,", "9" * 5000 + ",")).encode(), "found '999"),
        ("u.csv", (HEADER + ROW * 2).replace(",a,", f",{'i' * 10**6},").encode(), "found 'iii"),
        ("u.csv", b"x" * 10**6, "found xxx"),
        ("u.csv", b"x," * 10**5, "100,001 columns|the column x is there twice"),
        ("u.csv", ",".join(f"c{k}" for k in range(10**5)).encode(), "found 100,000 columns"),
        ("u.csv", b" " * 10**6, "found no column"),
    ],
)
def test_bad_files_are_told_in_one_sentence(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=f"{name}.*{message}") as caught:
        read(tmp_path / name)
    assert is_one_sentence(caught.value)


def test_lists_where_text_belongs(tmp_path):
    for column in ("word", "period", "text", "date"):
        pl.DataFrame([record(**{column: ["a", "b"]})]).write_parquet(tmp_path / "u.parquet")
        with pytest.raises(InputError, match=rf"the column {column} holds List\(String\)"):
            read(tmp_path / "u.parquet")
        with pytest.raises(InputError, match=f"row 0, column {column}: .* found a list"):
            Usages.from_records([record(**{column: ["a", "b"]})])


def test_semicolons_and_tabs_are_seen_in_the_header(tmp_path):
    path = tmp_path / "u.csv"
    for separator in ";", "\t":
        path.write_text((HEADER + ROW).replace(",", separator))
        assert read(path).target(0) == "cell"
    path.write_text('"word";"period";"id";"text";"start";"end"\ncell;old;a;"A; cell";3;7\n')
    assert read(path).target(0) == "cell"


@pytest.mark.parametrize("date", ["١٨١٥", "१८१५-०१", "9" * 5000, "²"])
def test_a_date_in_other_digits_is_no_year(tmp_path, date):
    path = tmp_path / "u.csv"
    path.write_text(HEADER + ROW.replace("1815", date), encoding="utf-8")
    with pytest.raises(InputError, match="line 2, column date: expected a year") as caught:
        read(path, split_year=1900)
    assert is_one_sentence(caught.value)


def test_periods_and_years_of_very_many_digits():
    long = "9" * 5000
    records = [record(period=long), record(period="1", id="b")]
    assert Usages.from_records(records).periods == (long, "1")
    assert len(str(Usages.from_records(records))) < 500
    with pytest.raises(InputError, match="is not a range of years"):
        Spans.parse(f"1-{long}")
    with pytest.raises(InputError, match="split_year is beyond"):
        Spans.split(10**30)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": 10**5000}, "column start: expected a whole number"),
        ({"note": {(1, 2): "x"}}, "column note: "),
        ({"text": "\ud800"}, "column text: expected Unicode text"),
        ({"note": "\ud800"}, "column note: expected Unicode text"),
    ],
)
def test_odd_records_are_named_or_dropped(changes, message):
    records = [record(), record(id="b") | changes]
    with pytest.raises(InputError, match=f"records, row 1, {message}") as caught:
        Usages.from_records(records)
    assert is_one_sentence(caught.value)
    kept = Usages.from_records(records, skip_bad=True)
    assert (len(kept), len(kept.dropped)) == (1, 1)


def test_records_that_are_none():
    with pytest.raises(InputError, match=r"row 1: expected a mapping .*, found str"):
        Usages.from_records([record(), "cell"])
    circle = []
    circle.append(circle)
    with pytest.raises(InputError, match="row 0, column note: "):
        Usages.from_records([record(note=circle)])


def test_missing_values_of_any_kind():
    usages = Usages.from_records([record(sense=float("nan"), date=None), record(id="b", sense=1.0)])
    assert usages.table["sense"].to_list() == [None, "1"]


@pytest.mark.parametrize("name", ["x" * 300 + ".csv", "x" * 5000 + ".csv", "a\0b.csv"])
def test_names_that_no_file_can_have(name):
    with pytest.raises(InputError, match="does not exist") as caught:
        read(name)
    assert len(str(caught.value)) < 600


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_not_utf8(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.csv")
    path.write_text(HEADER + ROW)
    assert read(path).words == ("cell",)
    path.write_text(HEADER + ROW.replace("9,", "x,"))
    with pytest.raises(InputError, match=r"\\udcff.csv, line 2") as caught:
        read(path)
    str(caught.value).encode()
    place = tmp_path / "graphs" / "data" / os.fsdecode(b"c\xff")
    place.mkdir(parents=True)
    line = "cell\t1\ta\tcell\t0:4\n"
    (place / "uses.csv").write_text(
        "lemma\tgrouping\tidentifier\tcontext\tindexes_target_token\n" + line
    )
    assert read(tmp_path / "graphs").words == ("cell",)


def test_a_name_is_no_pattern(tmp_path):
    usages = Usages.from_records([record()])
    for suffix in (".parquet", ".csv"):
        usages.write(tmp_path / f"a[1]*{suffix}")
        assert read(tmp_path / f"a[1]*{suffix}").table.equals(usages.table)
