"""Studies on the command line: made again, printed, exported; odd names; what is told early."""

import shutil

import numpy as np
import polars as pl
import pytest
from reading import read_senses, usages_of

import senseshift
from senseshift import Study, compare

ODD = "[/b]"  # which rich would take for the end of something bold


@pytest.fixture
def call(called, monkeypatch, tmp_path):
    """Run a command in this process; its standard output."""
    monkeypatch.setenv("COLUMNS", "150")

    def call(*arguments):
        done = called(*arguments, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A study of three periods, saved."""
    periods = ("1800", "1900", "2000")
    usages = usages_of({"cell": (0.0, 0.3, 0.9), "bank": (0.5, 0.5, 0.5)}, periods=periods)
    folder = tmp_path_factory.mktemp("made") / "study"
    compare(usages, read_senses, measures=["f_SUS"], permutations=20).save(folder)
    return folder


@pytest.fixture
def saved(made, tmp_path):
    shutil.copytree(made, tmp_path / "study")
    return Study.load(tmp_path / "study")


def test_a_word_of_three_periods_has_a_table_for_each_pair(saved, call):
    shown = call("show", "study", "--word", "cell", "--top", 3)
    for old, new in (("1800", "1900"), ("1900", "2000")):
        assert f"cell, {old} → {new}" in shown
    only = call("show", "study", "--word", "cell", "--periods", "1900,2000")
    assert "1800" not in only
    top, bottom = (part(saved, periods=("1900", "2000")) for part in (top_of, bottom_of))
    assert top["SUS"].min() > bottom["SUS"].max()


def top_of(study, **periods):
    return study.top("cell", 5, **periods)


def bottom_of(study, **periods):
    return study.bottom("cell", 5, **periods)


def test_no_usage_is_top_and_bottom_of_a_mixture(saved):
    for part in (top_of, bottom_of):
        with pytest.raises(ValueError, match=r"1800 → 1900, 1900 → 2000.*say which with periods"):
            part(saved)
    for pair in saved.pairs:
        top, bottom = (set(part(saved, periods=pair)["context"]) for part in (top_of, bottom_of))
        assert not top & bottom
        assert set(saved.usages_of("cell", pair)["period"]) == set(pair)


def test_the_export_of_a_word_has_its_usages_only(saved, call, tmp_path):
    call("show", "study", "--word", "cell", "--export", "cell.csv")
    rows = pl.read_csv(tmp_path / "cell.csv")
    assert set(rows["word"]) == {"cell"}
    assert rows.height == saved.instances.filter(word="cell").height
    call("show", "study", "--word", "cell", "--table", "arcs", "--export", "arcs.parquet")
    assert set(pl.read_parquet(tmp_path / "arcs.parquet")["word"]) == {"cell"}


def test_all_words_can_be_listed(call, tmp_path):
    usages = usages_of({f"word{k:02}": (0.5, 0.5) for k in range(60)})
    study = compare(usages, read_senses, measures=["f_SUS"], permutations=0)
    study.save(tmp_path / "study")
    short, long = call("show", "study"), call("show", "study", "--all")
    assert sum(line.startswith("word") for line in short.splitlines()) == 51  # and the heading
    assert "10 more words: show STUDY --all" in short
    assert sum(line.startswith("word") for line in long.splitlines()) == 61


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--word", "sell"], "no word 'sell'"),
        (["--word", "cell", "--periods", "1800,2000"], "not compared 1800 → 2000"),
        (["--word", "cell", "--periods", "1800"], "two periods"),
        (["--table", "arcs"], "--export"),
        (["--export", "words.docx"], "words.docx cannot be written"),
        (["--table", "nothing", "--export", "words.csv"], "no table 'nothing'"),
    ],
)
def test_what_cannot_be_shown_is_told(saved, refused, tmp_path, arguments, message):
    assert message in refused("show", "study", *arguments, cwd=tmp_path)


@pytest.fixture
def given(tmp_path):
    """A file of usages and their vectors, and the command that compares them."""
    usages = usages_of({"cell": (0.0, 0.6), "stone": (0.0, 0.0)})
    usages.write(tmp_path / "usages.parquet")
    np.save(tmp_path / "v.npy", senseshift.encode(usages, read_senses))
    return (
        "compare", "usages.parquet", "--encoder", "v.npy", "--measures", "f_SUS",
        "--permutations", 20, "--no-report",
    )  # fmt: skip


def test_a_study_that_is_there_is_not_written_over_unasked(given, call, refused, tmp_path):
    call(*given)
    (tmp_path / "study" / "notes.txt").write_text("look at cell again")
    before = (tmp_path / "study" / "study.json").read_bytes()
    assert "--replace" in refused(*given, "--rho", 2, cwd=tmp_path)
    assert "--resume" in refused(*given, cwd=tmp_path)
    assert "not both" in refused(*given, "--resume", "--replace", cwd=tmp_path)
    assert (tmp_path / "study" / "study.json").read_bytes() == before
    call(*given, "--rho", 2, "--replace")
    assert Study.load(tmp_path / "study").about["settings"]["rho"] == 2.0
    assert (tmp_path / "study" / "notes.txt").read_text() == "look at cell again"
    assert "other settings" in refused(*given, "--resume", cwd=tmp_path)
    call(*given, "--rho", 2, "--resume")


CORPORA = ("compare", "--old", "old.txt", "--new", "new.txt", "--words", "cell")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*CORPORA, "--rho", -1], "rho"),
        ([*CORPORA, "--rho", "nan"], "rho"),
        ([*CORPORA, "--rho", 1, "--lam", 1], "Both"),
        ([*CORPORA, "--measures", "f_X"], "no measure 'f_X'"),
        ([*CORPORA, "--measures", ","], "nothing to measure"),
        ([*CORPORA, "--encoder", "bundle"], "'bundle' is not known"),
        ([*CORPORA, "--encoder", "onnx:nowhere"], "nowhere"),
        ([*CORPORA, "--encoder", "nowhere.npy"], "nowhere.npy"),
        ([*CORPORA, "--weights", "heavy"], "heavy"),
        ([*CORPORA, "--damping", 2], "damping"),
        ([*CORPORA, "-o", "old.txt"], "old.txt"),
        (["find", *CORPORA[1:], "-o", "usages.docx"], "usages.docx"),
        (["find", *CORPORA[1:], "-o", "no/such/usages.csv"], "no/such"),
    ],
)
def test_what_is_wrong_is_told_before_any_search(
    refused, tmp_path, monkeypatch, arguments, message
):
    def searched(*_, **__):
        raise AssertionError("the search began")

    monkeypatch.setattr("senseshift.corpus.find", searched)
    for name in ("old.txt", "new.txt"):
        (tmp_path / name).write_text("A cell.")
    assert message in refused(*arguments, cwd=tmp_path)
    assert {p.name for p in tmp_path.iterdir()} <= {"old.txt", "new.txt", "cache"}


def test_words_that_are_nowhere_are_one_sentence(refused, tmp_path):
    (tmp_path / "old.txt").write_text("The monk sat in his cell. A bare cell of stone.")
    (tmp_path / "new.txt").write_text("Her cell was flat. The cell had no signal.")
    said = refused(*CORPORA[:-1], "zzzqqq", "--encoder", "bundled", cwd=tmp_path)
    (error,) = [line for line in said.splitlines() if line.startswith("error: ")]
    assert "no usage was found (zzzqqq: never found" in error
    assert not (tmp_path / "study").exists()


def test_a_table_is_found_in_a_folder_with_brackets_in_its_name(call, tmp_path):
    (tmp_path / "in[1]").mkdir()
    table = pl.DataFrame({"text": ["A cell.", "The cell rang."], "date": ["1850", "2001"]})
    table.write_parquet(tmp_path / "in[1]" / "texts.parquet")
    out = call(
        "find", "--corpus", "in[1]/texts.parquet", "--split-year", 1900, "--words", "cell",
        "-o", "usages.csv",
    )  # fmt: skip
    assert "2 usages written" in out


def test_names_that_look_like_markup_are_names(call, tmp_path):
    word, periods = f"c{ODD}ell", (f"old{ODD}", f"[bold]new{ODD}")
    records = [
        {
            "word": word, "period": period, "id": f"{ODD}{period}{k}",
            "text": f"the {word} {ODD} {k}", "start": 4, "end": 4 + len(word),
            "source": f"a{ODD}book{k}", "sense": f"{ODD}{k % 2}",
        }
        for period in periods for k in range(6)
    ]  # fmt: skip
    usages = senseshift.Usages.from_records(records, periods=periods)
    (tmp_path / "in[1]").mkdir()
    usages.write(tmp_path / "in[1]" / "usages.parquet")
    np.save(tmp_path / "v.npy", np.random.default_rng(0).normal(size=(12, 4)))
    folder = f"study[{ODD.strip('[]/')}][red]"
    out = call(
        "compare", "in[1]/usages.parquet", "--encoder", "v.npy", "-o", folder, "--permutations", 20,
        "--periods", ",".join(periods),
    )  # fmt: skip
    assert word in out
    assert f"{periods[0]} → {periods[1]}" in out
    assert folder in out
    shown = call("show", folder, "--word", word)
    for part in (word, *periods, f"a{ODD}book"):
        assert part in shown
    assert (tmp_path / folder / "report" / "index.html").is_file()
    drawn = call("figures", folder, "--kind", "histogram", "-o", "pictures[red]")
    assert (tmp_path / drawn.strip()).is_file()
