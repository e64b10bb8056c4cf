"""Files that are damaged, endless or empty: one sentence, or usages, and never anything else."""

import gzip
import io
import json

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from senseshift.corpus import find
from senseshift.errors import InputError

TEXT = "The monk left his cell.\nHe prayed, Miss Cell.\n\nNo “cell” was as cold.\n".encode()
ROWS = [
    {"text": "The monk. His cell.", "date": "1815", "author": "X", "n": 3},
    {"text": "Cells divide.\n\nA cell.", "date": "1965", "author": None, "n": None},
]
CONLLU = b"""# newdoc id = one
# text = They don't.
1\tThey\tthey\tPRON\t_\t_\t_\t_\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tdo\tdo\tAUX\t_\t_\t_\t_\t_\t_
3\tn't\tnot\tPART\t_\t_\t_\t_\t_\t_

1\tcells\tcell\tNOUN\t_\t_\t_\t_\t_\t_
"""


def _parquet():
    file = io.BytesIO()
    pl.DataFrame(ROWS).write_parquet(file)
    return file.getvalue()


SEEDS = {
    "a.txt": TEXT,
    "b.txt.gz": gzip.compress(TEXT),
    "bare": TEXT,
    "c.conllu": CONLLU,
    "d.csv": pl.DataFrame(ROWS).write_csv().encode(),
    "e.tsv": pl.DataFrame(ROWS).write_csv(separator="\t").encode(),
    "f.jsonl": "\n".join(map(json.dumps, ROWS)).encode(),
    "g.parquet": _parquet(),
}
PIECES = [
    b"\xff", b"\0", b"\n", b"\r", b'"', b";", b"\t", b"\\ud800", b"\xff\xfe", b"9" * 5000,
    "١٨١٥".encode(), "²".encode(), b"[" * 3000, b"}", b"1-2\t", b"NaN", b"text", b"\xcc\x81",
]  # fmt: skip
ODD = st.sampled_from(PIECES) | st.binary(max_size=4)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), ODD), min_size=1, max_size=6)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    edits=EDITS,
    cut=st.floats(0.2, 1),
    skip_bad=st.booleans(),
    encoding=st.sampled_from(["utf-8", "utf-8", "utf-16", "utf-8,cp1252"]),
)
@example(edits=[(0.0, 0, b'"')], cut=1.0, skip_bad=True, encoding="utf-8")  # names of two lines
@pytest.mark.parametrize("name", SEEDS)
def test_damage_is_told_in_one_sentence(tmp_path, name, edits, cut, skip_bad, encoding):
    data = SEEDS[name]
    for place, gone, put in edits:
        at = int(place * len(data))
        data = data[:at] + put + data[at + gone :]
    path = tmp_path / name
    path.write_bytes(data[: int(cut * len(data))])
    options = {"skip_bad": skip_bad, "encoding": encoding, "max_per_document": 2}
    for corpora, dated in (({"old": path}, {}), (path, {"split_year": 1900})):
        usages, told = None, ""
        try:
            usages = find(corpora, ["cell", "do"], **options, **dated)
        except InputError as error:
            told = str(error)
        assert "\n" not in told
        assert len(told) < 1500
        assert usages is None or all(usages.target(row) for row in range(len(usages)))


ENDLESS = {
    "x": 700_000, "e\u0301": 300_000, "🧫": 200_000, "_": 700_000, " ": 700_000,
    "\u3000": 300_000, ". ": 350_000, "cell,": 3_000, "细胞": 6_000,
}  # fmt: skip


@pytest.mark.parametrize(("piece", "copies"), ENDLESS.items())
@pytest.mark.parametrize("layout", ["lines", "running"])
def test_no_context_is_longer_than_a_page(tmp_path, piece, copies, layout):
    path = tmp_path / "old.txt"
    path.write_text(piece * copies + " cell " + piece * 6_000, encoding="utf-8")
    usages = find({"old": path}, {"cell": "cell|细胞"}, by="regex", layout=layout, max_usages=5)
    assert 0 < len(usages) <= 5
    assert usages.table["text"].str.len_chars().max() <= 10_000
    assert {usages.target(row) for row in range(len(usages))} <= {"cell", "细胞"}


def test_an_expression_that_matches_all_is_cut(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text("text\n" + "cell " * 100_000)
    usages = find({"old": path}, {"all": ".*"}, by="regex")
    assert usages.table["text"].str.len_chars().max() <= 10_000
    assert usages.table["end"][0] <= 10_000


def test_text_without_blanks_keeps_what_stands_around(tmp_path):
    path = tmp_path / "old.txt"
    path.write_text("甲" * 300 + "细胞" + "乙" * 300, encoding="utf-8")
    usages = find({"old": path}, {"cell": "细胞"}, by="regex", language="zh", layout="lines")
    assert usages.table["text"][0] == "甲" * 300 + "细胞" + "乙" * 300
    wide = tmp_path / "wide.txt"
    wide.write_text("甲" * 30_000 + "细胞" + "乙" * 30_000, encoding="utf-8")
    text = find({"old": wide}, {"cell": "细胞"}, by="regex").table["text"][0]
    assert text == "甲" * 4999 + "细胞" + "乙" * 4999


@pytest.mark.parametrize("kind", ["blanks", "lines", "dots"])
def test_much_ado_about_nothing(tmp_path, kind):
    path = tmp_path / "old.txt"
    nothing = {"blanks": " " * 10**7, "lines": " \n" * 10**6, "dots": ". " * 10**6}[kind]
    path.write_text(f"A cell. {nothing} A cell!")
    assert len(find({"old": path}, ["cell"])) == 2
