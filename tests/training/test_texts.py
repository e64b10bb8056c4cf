"""Sentences of real texts, and the labelled usages in them."""

import csv
import gzip
import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def script(scripts):
    return scripts("texts")


def test_sentences_end_where_they_do(script):
    text = 'Mr. Smith came in  1805.\n"Did he?" she asked. The U.S. Senate rose! J. Adams sat.'
    assert list(script.sentences(text)) == [
        "Mr. Smith came in 1805.",
        '"Did he?" she asked.',
        "The U.S. Senate rose!",
        "J. Adams sat.",
    ]


@given(text=st.text(alphabet=string.ascii_letters + " .!?\"'\n", max_size=200))
def test_no_letter_is_lost(script, text):
    found = list(script.sentences(text))
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() for sentence in found)


def test_texts_become_a_sentence_a_line(script, tmp_path, monkeypatch):
    long = "It was a long way to the river, and nobody went there."
    plain, dated, output = tmp_path / "novel.txt", tmp_path / "years.jsonl.gz", tmp_path / "out.txt"
    plain.write_text(f"{long} No.\n\n{long}\n\nThey went home, all of them, and stayed.\n")
    rows = [
        {"year": year, "text": f"In the year {year} nothing happened."} for year in (1790, 1900)
    ]
    with gzip.open(dated, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    monkeypatch.setattr(
        "sys.argv", ["texts", str(output), str(plain), str(dated), "--years", "1800-1950"]
    )
    script.main()
    # What is too short is left out, what is there twice stays once, and years are told apart.
    assert output.read_text().splitlines() == [
        long,
        "They went home, all of them, and stayed.",
        "In the year 1900 nothing happened.",
    ]


def labels(script, path, *rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t")
        table.writerow(["word", "part", "text", "sentence", "start", "end", "sense"])
        table.writerows(rows)
    return path


def test_labels_find_their_sentences(script, tmp_path):
    river, money = "They sat by the bank of the river.", "The bank lent them money."
    path = labels(
        script, tmp_path / "texts.tsv",
        ("bank", "train", "novels", script.checksum(river), 16, 20, "B1"),
        ("bank", "choose", "Tatoeba", script.checksum(money), 4, 8, "A1"),
        ("bank", "train", "novels", script.checksum(money), 4, 8, "?"),  # could not be told
        ("bank", "train", "novels", script.checksum("Gone."), 0, 4, "A1"),  # not among the texts
    )  # fmt: skip
    assert list(script.labelled(path, [river, money], "train")) == [
        ("bank", "B1", river, 16, 20, True)
    ]
    assert list(script.labelled(path, [river, money], "choose")) == [
        ("bank", "A1", money, 4, 8, False)
    ]


def test_what_was_labelled_is_whole(script):
    """Every label has a meaning, every meaning usages, and a word is in one part."""
    with script.LABELLED.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    with (script.LABELLED.parent / "texts-senses.tsv").open(encoding="utf-8", newline="") as table:
        meanings = {(row["word"], row["sense"]) for row in csv.DictReader(table, delimiter="\t")}
    assert {
        (row["word"], row["sense"]) for row in rows if row["sense"] not in script.UNKNOWN
    } == meanings
    assert len({(row["word"], row["part"]) for row in rows}) == len({row["word"] for row in rows})
    assert {row["part"] for row in rows} == {"train", "choose"}
    places = [(row["word"], row["sentence"], row["start"]) for row in rows]
    assert len(places) - len(set(places)) < len(places) / 1000  # sentences that stand in two texts
