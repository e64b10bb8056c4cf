"""Which files of a corpus are read, which are not, and the record of both."""

import json
import os
from pathlib import Path

import pytest

from senseshift.corpus import find
from senseshift.errors import InputError, UnreadWarning
from senseshift.usages import read
from senseshift.usages.corpora import Corpora

WRAPPED = (
    "It was the best of times, it was the worst of times; the monk sat in\n"
    "his small cell, and the naturalist, who was a friend of his, looked at\n"
    "another through his glass, while nothing happened there for very long.\n"
)


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_texts_without_a_suffix_are_read(tmp_path):
    for k in range(20):
        write(tmp_path / "old" / f"letter {k}", f"The cell {k}.")
    write(tmp_path / "old" / "one.txt", "One cell.")
    write(tmp_path / "old" / "1815.03.02", "A cell of March.")
    write(tmp_path / "old" / "vol. 2", "A cell of the second volume.")
    usages = find({"old": tmp_path / "old"}, ["cell"])
    assert len(usages) == 23
    assert "old/letter 7" in usages.table["source"].to_list()
    assert len(find({"old": tmp_path / "old" / "letter 7"}, ["cell"])) == 1


def test_what_is_not_read_is_told(tmp_path):
    folder = tmp_path / "old"
    write(folder / "a.txt", "A cell.")
    for k in range(7):
        write(folder / f"{k}.xml", "<p>A cell.</p>")
    write(folder / "scan", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    write(folder / "README", "All about the cell.")
    write(folder / "LICENSE.txt", "Any cell may be copied.")
    write(folder / ".git" / "HEAD", "cell")
    write(folder / "meta.csv", "file\na.txt\n")
    expected = (
        r"^9 files of the corpora are not read: 0\.xml, 1\.xml, 2\.xml, 3\.xml, 4\.xml and 2 more "
        r"\(of a kind that cannot be read\); meta\.csv \(a table beside text files\); "
        r"scan \(without suffix and not like text\)$"
    )
    with pytest.warns(UnreadWarning, match=expected):
        usages = find({"old": folder}, ["cell"])
    assert usages.table["text"].to_list() == ["A cell."]
    unread = {Path(path).name: reason for path, _, reason in usages.corpora.unread.rows()}
    assert unread["README"] == unread["LICENSE.txt"] == "about the corpus, by its name"
    assert len(unread) == 11


def test_files_without_suffix_beside_tables_are_left_alone(tmp_path):
    write(tmp_path / "notes", "The cell.")
    write(tmp_path / "a.csv", "text\nA cell.\n")
    with pytest.warns(UnreadWarning, match=r"notes \(without suffix beside table files\)"):
        usages = find({"old": tmp_path}, ["cell"])
    assert usages.table["text"].to_list() == ["A cell."]


def test_the_record_says_how_files_were_read(tmp_path):
    write(tmp_path / "old" / "wrapped.txt", WRAPPED)
    write(tmp_path / "old" / "lines.txt", "One cell.\nAnother cell.\n")
    write(tmp_path / "new.csv", "text\nCells.\nNo monk.\n")
    usages = find({"old": tmp_path / "old", "new": tmp_path / "new.csv"}, ["cell", "monk"])
    corpora = usages.corpora
    files = corpora.files.select("name", "period", "kind", "layout", "guessed", "encoding").rows()
    assert files == [
        ("old/lines.txt", "old", "text", "lines", True, "utf-8"),
        ("old/wrapped.txt", "old", "text", "running", True, "utf-8"),
        ("new.csv", "new", "table", None, False, "utf-8"),
    ]
    words = len(WRAPPED.split()) + 4
    assert corpora.sizes.rows() == [("old", 2, words), ("new", 2, 3)]
    counts = corpora.counts.select("word", "period", "found", "kept", "documents").rows()
    assert counts == [
        ("cell", "old", 3, 3, 2), ("cell", "new", 1, 1, 1),
        ("monk", "old", 1, 1, 1), ("monk", "new", 1, 1, 1),
    ]  # fmt: skip
    assert corpora.counts["per_million"][0] == pytest.approx(3e6 / words)
    assert corpora.settings["max_usages"] == 400
    again = Corpora.from_dict(json.loads(json.dumps(corpora.to_dict())))
    for table in ("files", "unread", "sizes", "counts"):
        assert getattr(again, table).equals(getattr(corpora, table))
    assert str(again).startswith("read 3 files; a line is a sentence in 1, lines wrap in 1 (guess")
    assert usages.select("cell").corpora is corpora


def test_usages_in_parquet_keep_the_record(tmp_path):
    path = write(tmp_path / "corpus.csv", "text,date\nA cell.,1815\nCells.,1965\n")
    usages = find(path, ["cell"], split_year=1900)
    for name in ("usages.parquet", "usages.csv"):
        usages.write(tmp_path / name)
    again = read(tmp_path / "usages.parquet")
    assert again.corpora.to_dict() == usages.corpora.to_dict()
    assert again.table.equals(usages.table)
    assert read(tmp_path / "usages.csv").corpora is None
    # Other periods are not those that were counted.
    assert read(tmp_path / "usages.parquet", split_year=1850).corpora is None
    named = read(tmp_path / "usages.parquet", periods="from 1900,before 1900")
    assert named.corpora.counts.equals(usages.corpora.counts)
    usages.table.write_parquet(tmp_path / "odd.parquet", metadata={"senseshift.corpora": "[1]"})
    with pytest.raises(InputError, match=r"odd.parquet: expected under senseshift.corpora"):
        read(tmp_path / "odd.parquet")


def test_the_sizes_of_dated_periods_are_counted_by_row(tmp_path):
    rows = "text,date\nA cell here.,1815\nNo such word.,1820\nCells.,1965\nLost.,1700\nWhen.,\n"
    path = write(tmp_path / "corpus.csv", rows)
    usages = find(path, ["cell"], periods="1800-1899,1900-1999")
    assert usages.corpora.sizes.rows() == [("1800-1899", 2, 6), ("1900-1999", 1, 1)]


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + ".txt", "no\0name"])
def test_names_that_no_file_can_have(tmp_path, name):
    with pytest.raises(InputError, match="does not exist"):
        find({"old": f"{tmp_path}/{name}"}, ["cell"])


def test_names_that_are_not_utf8(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    Path(os.fsdecode(path)).write_text("A cell.")
    usages = find({"old": os.fsdecode(path)}, ["cell"])
    assert usages.table["source"].to_list() == ["caf\\udce9.txt"]
    usages.write(tmp_path / "usages.parquet")
    with pytest.raises(InputError, match="no Unicode text"):
        find({"old": os.fsdecode(path)}, ["caf\udce9"])


def test_an_address_is_told_apart_from_a_path_that_is_not_there():
    with pytest.raises(InputError, match=r"s3://bucket/old is an address.*mount the store"):
        find({"old": "s3://bucket/old", "new": ["gs://bucket/new"]}, ["cell"])
