"""From corpora to the words that changed: what is found, what is kept, what is done again."""

import hashlib
import json

import numpy as np
import polars as pl
import pytest
from made_up import CHANGED, WORDS, encoder, write

import senseshift
from senseshift.comparing import Interrupted
from senseshift.discovering import reading, running
from senseshift.discovering.telling import summary
from senseshift.errors import InputError
from senseshift.storage import Folder

QUICK = {
    "encoder": encoder, "permutations": 20, "top": 3, "commonest": 2, "usages": 30,
    "match": "nto$|meet|rivera|1815", "min_count": 20,
}  # fmt: skip
TABLES = (
    "words", "instances", "arcs", "senses", "sense_changes", "typical", "telling", "chance",
)  # fmt: skip


def digests(folder):
    return {
        name: hashlib.sha256((folder / f"{name}.parquet").read_bytes()).hexdigest()
        for name in TABLES
    } | {"vectors": hashlib.sha256((folder / "vectors.npy").read_bytes()).hexdigest()}


@pytest.fixture(scope="module")
def found(corpora, tmp_path_factory):
    output = tmp_path_factory.mktemp("found") / "study"
    told = []
    log = output.parent / "log.jsonl"
    senseshift.discover(
        corpora, output, json_log=log, progress=lambda *what: told.append(what), **QUICK
    )
    return output, told, log


def test_changed_words_are_found_first(found):
    words = senseshift.Study.load(found[0]).words
    assert set(words.filter(pl.col("q") <= 0.1)["word"]) >= set(CHANGED)
    assert set(words.sort("p", nulls_last=True)["word"].head(3)) == set(CHANGED)
    candidates = words.filter(pl.col("p").is_not_null())
    assert set(candidates["word"]) == set(WORDS)  # "meet" stands in one sentence, again and again
    assert (
        candidates.select("change", "q", "count_old", "count_new").null_count().sum_horizontal()[0]
        == 0
    )
    assert (candidates["count_old"] == 36).all()


def test_words_in_full_have_all_that_a_comparison_has(found):
    study = senseshift.Study.load(found[0])
    full = set(study.words.filter(pl.col("full_score").is_not_null())["word"])
    assert full
    for name in ("instances", "chance"):
        assert set(getattr(study, name)["word"]) == full


def test_without_a_scheduler_nothing_is_written(corpora, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("senseshift.executors.cluster.ANSWERS", 0.5)
    with pytest.raises(InputError, match="No Dask scheduler answers"):
        senseshift.discover(corpora, tmp_path / "s", scheduler="tcp://127.0.0.1:1", **QUICK)
    assert not (tmp_path / "s").exists()


def test_words_left_out_say_why(found):
    skipped = senseshift.Study.load(found[0]).skipped
    assert "name" in skipped["rivera"]
    assert "letters" in skipped["1815"]
    assert "commonest" in skipped["onto"]
    assert skipped["meet"].startswith("only 1 + 1 usages that differ")
    assert "not match" in skipped["and"]
    vocabulary = pl.read_parquet(found[0] / "vocabulary.parquet")
    assert set(vocabulary.filter(pl.col("reason").is_null())["word"]) == {*WORDS, "meet"}


def test_a_second_look_decides_which_words_get_a_full_one(corpora, tmp_path, monkeypatch):
    monkeypatch.setattr(running, "FEW", 3)
    monkeypatch.setattr(running, "REFERENCE", 40)
    words = senseshift.discover(corpora, tmp_path / "study", **QUICK).words
    words = words.filter(pl.col("p").is_not_null())
    first, second = words["first_p"], words["second_p"]
    twice, full = second.is_not_null(), words["full_score"].is_not_null()
    assert twice.filter(first <= 0.3).all()  # and forty words of any p, to compare them with
    assert not twice.all()
    assert (full == (second <= 0.1).fill_null(False)).all()
    saved = words.filter(full & (first > 0.1) & (words["q"] <= 0.1))
    assert set(saved["word"]) & set(CHANGED)  # a first look alone would have lost it
    told = {"a first look at 3 + 3": ~twice, "a second look at 30 + 30": twice & ~full}
    for start, rows in told.items():
        assert words.filter(rows)["skipped"].str.starts_with(start).all()


def test_progress_and_log_tell_each_unit_where_it_is_and_how_long(found):
    output, told, log = found
    assert [stage for stage, done, total in told if done == total] == [
        "Counting", "Sampling", "First look", "Second look", "Full look",
    ]  # fmt: skip
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[0]["folder"] == str(output / "units")
    assert {"stage", "seconds", "done", "units", "per_second", "seconds_left"} <= next(
        line.keys() for line in lines if line["event"] == "unit"
    )


def test_the_same_again_does_nothing_anew_and_ends_in_the_same_tables(found, corpora):
    output = found[0]
    before, units = digests(output), Folder.at(output / "units")
    stamps = {name: (output / "units" / name).stat().st_mtime_ns for name in units.names(".json")}
    senseshift.discover(corpora, output, **QUICK)
    assert digests(output) == before
    assert stamps == {
        name: (output / "units" / name).stat().st_mtime_ns for name in units.names(".json")
    }


@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_damaged_unit_is_done_anew(found, corpora, damage):
    output = found[0]
    before = digests(output)
    for stage in ("count", "first", "second"):
        path = next((output / "units").glob(f"{stage}-*.parquet"))
        content = bytearray(path.read_bytes())
        if damage == "gone":
            path.unlink()
            continue
        content[len(content) // 2] ^= 255
        path.write_bytes(content[: len(content) // 2] if damage == "cut" else content)
    senseshift.discover(corpora, output, **QUICK)
    assert digests(output) == before


def test_how_the_corpora_are_cut_and_how_many_work_changes_nothing(
    found, corpora, tmp_path, monkeypatch
):
    monkeypatch.setattr(reading, "SHARE", 20_000)
    senseshift.discover(corpora, tmp_path / "study", threads=3, **QUICK)
    assert len(Folder.at(tmp_path / "study" / "units").names(".counts.parquet")) > 5
    assert digests(tmp_path / "study") == digests(found[0])


@pytest.mark.parametrize("where", ["Counting", "First look", "Second look", "Full look"])
def test_interrupted_it_leaves_what_it_knows_and_goes_on(found, corpora, tmp_path, where):
    output, whole = tmp_path / "study", senseshift.Study.load(found[0])

    def stop(stage, done, total):
        if stage == where and done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        senseshift.discover(corpora, output, progress=stop, threads=1, **QUICK)
    assert isinstance(caught.value, Interrupted) == where.startswith(("Second", "Full"))
    if not isinstance(caught.value, Interrupted):  # words are compared with each other: no part
        kept = set(Folder.at(output / "units").names(".json"))
        assert any(name.startswith(where[:5].strip().lower()) for name in kept)
        assert not (output / "words.parquet").exists()
    else:
        part = senseshift.Study.load(output)
        assert not part.complete
        assert "UNFINISHED" in summary(part)[-1]
        assert set(part.words["word"]) == set(whole.words["word"])
        of_all = whole.words.filter(pl.col("p").is_not_null())["word"]
        assert part.words.filter(pl.col("word").is_in(of_all.implode()))["p"].null_count() == 0
        assert (part.ranked.height > 0) == (where == "Full look")
        waiting = part.words.filter(pl.col("skipped").str.contains("still to come"))
        assert waiting.height
        assert waiting["q"].null_count() == waiting.height
        assert set(CHANGED) <= {*waiting["word"], *part.ranked["word"]}
    senseshift.discover(corpora, output, **QUICK)
    assert digests(output) == digests(found[0])


def test_a_second_driver_is_refused(corpora, tmp_path):
    with (
        Folder.at(tmp_path / "study" / "units").held(),
        pytest.raises(InputError, match="another run"),
    ):
        senseshift.discover(corpora, tmp_path / "study", **QUICK)


def test_a_poisoned_unit_is_told_and_does_not_stop_the_rest(corpora, tmp_path):
    def poisoned(texts, spans):
        if any("bakinto" in text for text in texts):
            raise ValueError("no vector of this")
        return encoder(texts, spans)

    study = senseshift.discover(corpora, tmp_path / "study", **QUICK | {"encoder": poisoned})
    assert not study.complete
    assert "no vector of this" in study.skipped["bakinto"]
    others = study.words.filter(pl.col("p").is_not_null())
    assert 10 < others.height < len(WORDS)
    assert set(others.filter(pl.col("q") <= 0.1)["word"]) <= set(CHANGED)


def test_where_nothing_changed_nothing_is_found(tmp_path):
    corpora = {p: write(tmp_path, p, changed=(), seed=1) for p in ("old", "new")}
    study = senseshift.discover(corpora, tmp_path / "study", **QUICK)
    words = study.words.filter(pl.col("p").is_not_null())
    assert words.filter(pl.col("q") <= 0.1).height == 0
    assert 0.3 < words["p"].median() < 0.7


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"usages": 1}, "usages is 1"),
        ({"match": "("}, "is broken"),
        ({"min_count": 1000}, "None of the"),
        ({"encoder": np.zeros((3, 2))}, "file of vectors"),
        ({"workers": 1, "scheduler": "tcp://x"}, "leave out one"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(corpora, tmp_path, wrong, told):
    with pytest.raises(InputError, match=told):
        senseshift.discover(corpora, tmp_path / "study", **QUICK | wrong)


def test_a_folder_of_somebody_else_is_left_alone(corpora, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds no discovery"):
        senseshift.discover(corpora, tmp_path, **QUICK)
