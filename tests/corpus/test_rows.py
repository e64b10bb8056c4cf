"""Corpora as tables: what else they say of a text stays with its usages; odd ones are told."""

import json

import polars as pl
import pytest

from senseshift.corpus import find
from senseshift.errors import InputError
from senseshift.usages import read

ROWS = [
    {"id": "e1", "text": "A cell.", "author": "Zoë", "year": 1815, "tags": ["a", "b"], "tau": 1.5},
    {"id": "e2", "text": "Cells!", "author": None, "year": 1820, "tags": [], "tau": 2.0},
    {"id": "e3", "text": "No.", "author": "Zoë", "year": 1830, "tags": None, "tau": None},
]


def write(path, rows=ROWS):
    if path.suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        flat = [{**row, "tags": json.dumps(row["tags"])} for row in rows]
        pl.DataFrame(flat).write_csv(path)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_metadata_stay_with_the_usages(tmp_path, suffix):
    path = write(tmp_path / f"corpus{suffix}")
    usages = find({"old": path}, ["cell"], date_column="year")
    rows = usages.table.select("text", "date", "source", "author", "id_given", "tau_given").rows()
    name = path.name
    first, second = rows
    assert first == ("A cell.", "1815", f"{name}:e1", "Zoë", "e1", "1.5")
    assert second[:5] == ("Cells!", "1820", f"{name}:e2", None, "e2")
    assert float(second[5]) == 2
    assert json.loads(usages.table["tags"][0]) == ["a", "b"]
    usages.write(tmp_path / "usages.tsv")
    assert read(tmp_path / "usages.tsv").table.select(usages.table.columns).equals(usages.table)


def test_the_source_is_the_document(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"text": "A cell.", "title": "Vita"}\n{"text": "Cells."}\n')
    assert find({"old": path}, ["cell"]).table["source"].to_list() == [
        "corpus.jsonl:Vita",
        "corpus.jsonl:2",
    ]
    usages = find({"old": path}, ["cell"], source_column="title")
    assert usages.table["source"].to_list() == ["Vita", "corpus.jsonl:2"]
    assert "title" not in usages.table.columns
    conllu = tmp_path / "corpus.conllu"
    conllu.write_text("# newdoc id = vita\n1\tcells\tcell\tNOUN\t_\t_\t_\t_\t_\t_\n\n")
    assert find({"old": conllu}, ["cell"]).table["source"].to_list() == ["corpus.conllu:vita"]


def test_tables_of_several_files_have_the_columns_of_all(tmp_path):
    (tmp_path / "a.csv").write_text("text,author\nA cell.,X\n")
    (tmp_path / "b.csv").write_text("text,genre, \nCells.,prose,\n")
    usages = find({"old": tmp_path / "a.csv", "new": tmp_path / "b.csv"}, ["cell"])
    assert usages.table.select("author", "genre").rows() == [("X", None), (None, "prose")]


def test_a_table_with_semicolons(tmp_path):
    path = tmp_path / "corpus.csv"
    path.write_text('author;text;date\nX;"A cell, cold.";1815\n')
    usages = find(path, ["cell"], split_year=1900)
    assert usages.table.select("text", "author", "date").row(0) == ("A cell, cold.", "X", "1815")


def test_more_columns_than_anybody_has(tmp_path):
    names = [f"c{k}" for k in range(100_000)]
    path = tmp_path / "corpus.csv"
    path.write_text(f"text,{','.join(names)}\nA cell.,{','.join(names)}\n")
    usages = find({"old": path}, ["cell"])
    assert len(usages) == 1
    assert 50 < len(usages.table.columns) < 150
    assert usages.dropped == [f"{path}: of its 100,001 columns the first 100 are kept."]
    path.write_text(",".join(names))
    with pytest.raises(InputError, match="expected a column text") as caught:
        find({"old": path}, ["cell"])
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("a.parquet", b"PAR1 and nothing else", "expected a Parquet file"),
        ("a.parquet", b"", "expected a Parquet file"),
        ("a.jsonl", b'{"text": 5}', "line 1, column text: expected text, found 5"),
        ("a.jsonl", b'{"text": ["A cell."]}', r"line 1, column text: expected text, found \["),
        ("a.jsonl", b'{"text": {"cell": 1}}', "column text: expected text, found {'cell'"),
        ("a.jsonl", b"[" * 10_000, "line 1: expected a JSON object"),
        ("a.jsonl", b'{"text": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", "line 1: expected a JSON"),
        ("a.jsonl", b'["text"]', "line 1: expected a JSON object with 'text'"),
        ("a.jsonl", b"9" * 5000, "line 1: expected a JSON object with 'text'"),
        ("a.jsonl", b'{"text": "A cell \\ud800"}', "found half a surrogate pair"),
        ("a.jsonl", b"x" * 10**6, "line 1: expected a JSON object"),
        ("a.csv", b'text\n"A cell', "line 2: expected rows quoted as spreadsheets do"),
        ("a.csv", b"text,text\nA,B\n", "the column text is there twice"),
        ("a.conllu", b"x" * 10**6, "expected the 10 columns of CoNLL-U, found 1"),
    ],
)
def test_damaged_tables_are_one_sentence(tmp_path, name, data, complaint):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=complaint) as caught:
        find({"old": path}, ["cell"])
    assert len(str(caught.value).replace(str(path), "")) < 300
    assert "\n" not in str(caught.value)


def test_a_column_of_lists_is_no_text(tmp_path):
    path = tmp_path / "corpus.parquet"
    pl.DataFrame({"text": [["A cell."]]}).write_parquet(path)
    with pytest.raises(InputError, match=r"column text: expected text, found \['A cell.'\]"):
        find({"old": path}, ["cell"])


def test_odd_numbers_beside_a_text(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text(
        '{"text": "A cell.", "date": "١٨١٥"}\n'
        f'{{"text": "Cells.", "n": {"9" * 5000}, "x": NaN, "\\ud800": "\\ud800", "date": 1815}}\n'
    )
    with pytest.raises(InputError, match=r"line 1, column date: expected a year .* found '١٨١٥'"):
        find(path, ["cell"], split_year=1900)
    usages = find(path, ["cell"], split_year=1900, skip_bad=True)
    assert usages.table["text"].to_list() == ["Cells."]
    assert len(usages.table["n"][0]) == 1000


def test_numbers_of_words_in_conllu_may_be_anything(tmp_path):
    path = tmp_path / "corpus.conllu"
    row = "{}\tcells\tcell\tNOUN\t_\t_\t_\t_\t_\t_\n"
    odd = ("²", "1-²", "9" * 5000, f"1-{'9' * 5000}", "١")
    path.write_text("".join(row.format(number) for number in odd))
    assert len(find({"old": path}, ["cell"])) == 3
