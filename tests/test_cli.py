"""The command line as people run it: real files, and real processes where no other test has one."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import senseshift

COMMAND = Path(sys.executable).with_name("senseshift")

OLD = """The monk sat in his cell and prayed. A bare cell of stone was all he had.
They built the cells of the convent beside the river. The prisoner paced his cell at night.
The river rose in the night. Two rivers meet below the town.
"""
NEW = """She left her cell phone on the bus. The cell had no signal in the valley.
Stem cells divide quickly. A cell of the battery had failed.
The river is low this summer. Boats go down the river to the sea.
"""


def run(*arguments, cwd=None):
    environment = {**os.environ, "SENSESHIFT_CACHE": str(cwd / "cache")} if cwd else None
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, env=environment, check=False,
    )  # fmt: skip


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    old, new = rng.normal(size=(12, 5)), rng.normal(size=(15, 5)) + 0.5
    np.save(tmp_path / "old.npy", old)
    np.save(tmp_path / "new.npy", new)
    return tmp_path, senseshift.sus(old, new, rho=0.5)


def test_version():
    assert run("--version").stdout == f"senseshift {senseshift.__version__}\n"


def test_help_loads_no_numerical_library():
    """Which is what keeps it fast: nothing heavy is imported before it is needed."""
    code = (
        "import sys; sys.argv = ['senseshift', '--help']\n"
        "from senseshift.cli import app\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'numba', 'scipy', 'sklearn', 'polars', 'onnxruntime'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "sus" in done.stdout


def test_importing_and_measuring_without_a_solve_leaves_numba_out():
    code = (
        "import sys, numpy as np, senseshift\n"
        "from senseshift import measures, transport\n"
        "measures.jsd([1, 2], [2, 1])\n"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_sus_prints_and_writes_every_usage(files):
    folder, shift = files
    done = run("sus", "old.npy", "new.npy", "--rho", 0.5, "-o", "out.csv", "--top", 2, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "12 old and 15 new usages" in done.stdout
    assert f"{shift.top(1)[0].sus:+.4f}" in done.stdout
    assert "27 usages written to out.csv" in done.stdout
    with (folder / "out.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(r["sus"]) for r in rows] == pytest.approx([*shift.old, *shift.new], abs=1e-14)
    assert [r["period"] for r in rows] == ["old"] * 12 + ["new"] * 15
    assert {p.name for p in folder.iterdir()} == {"old.npy", "new.npy", "out.csv"}


def test_all_measures_can_be_asked_for(files, called):
    folder, _ = files
    done = called("sus", "old.npy", "new.npy", "--measures", "all", "--top", 0, cwd=folder)
    for name in ("f_APDP", "g_vMF", "g_WiDiD"):
        assert name in done.stdout


def test_measures_lists_the_registry():
    done = run("measures")
    for name in senseshift.measures.every_measure():
        assert name in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["old.npy", "nowhere.npy"], "error: There is no file nowhere.npy."),
        (["old.npy", "new.npy", "--rho", "0"], "must be positive"),
        (["old.npy", "new.npy", "--rho", "1", "--lam", "1"], "Both rho=1.0 and lam=1.0"),
        (["old.npy", "new.npy", "--measures", "f_X"], "no measure 'f_X'"),
        (["old.npy", "new.npy", "--weights", "heavy"], "not one of uniform, norm"),
        (["old.npy", "new.npy", "-o", "no/such/folder.csv"], "no/such"),
        (["old.npy"], "Missing argument 'new'"),
    ],
)
def test_wrong_input_is_one_sentence_and_exit_code_2(files, arguments, message, refused):
    assert message in refused("sus", *arguments, cwd=files[0])


def test_wrong_input_to_a_real_process_is_one_sentence_and_exit_code_2(tmp_path):
    done = run("sus", "nowhere.npy", "new.npy", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: There is no file nowhere.npy.\n"
    assert done.stdout == ""


@pytest.fixture
def corpora(tmp_path):
    """Two small corpora, and a model that the encoder onnx: can read."""
    from tiny_models import write_graph

    (tmp_path / "old.txt").write_text(OLD, "utf-8")
    (tmp_path / "new.txt").write_text(NEW, "utf-8")
    (tmp_path / "words.txt").write_text("cell\nriver\n", "utf-8")
    (tmp_path / "model").mkdir()
    write_graph(tmp_path / "model")
    return tmp_path


CORPORA = ("--old", "old.txt", "--new", "new.txt", "--words", "words.txt")


def test_from_two_piles_of_text_to_a_study_in_one_command(corpora):
    done = run("compare", *CORPORA, "--encoder", "onnx:model", "-o", "study", cwd=corpora)
    assert done.returncode == 0, done.stderr
    assert "2 words" in done.stdout
    assert "all certified" in done.stdout
    study = senseshift.Study.load(corpora / "study")
    assert sorted(study.words["word"]) == ["cell", "river"]
    assert dict(study.words.select("word", "old_usages").iter_rows()) == {"cell": 4, "river": 3}
    assert {"study", "cache", "model", "old.txt", "new.txt", "words.txt"} == {
        p.name for p in corpora.iterdir()
    }


def test_each_step_can_be_taken_alone(corpora, called):
    def step(*arguments, by=called):
        done = by(*arguments, cwd=corpora)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "usages written to usages.csv" in step("find", *CORPORA, "-o", "usages.csv")
    assert "vectors of" in step("encode", "usages.csv", "--encoder", "onnx:model", "-o", "v.npy")
    step("compare", "usages.csv", "--encoder", "v.npy", "-o", "by-steps", "--no-report")
    step("compare", *CORPORA, "--encoder", "onnx:model", "-o", "at-once", "--no-report")
    one, other = (senseshift.Study.load(corpora / name) for name in ("by-steps", "at-once"))
    assert one.words["f_SUS"].to_list() == pytest.approx(other.words["f_SUS"].to_list(), abs=1e-9)
    shown = step("show", "at-once", "--word", "cell", "--top", 2, by=run)
    usages = other.usages_of("cell")
    assert usages["sus"].is_sorted(descending=True)
    for text, sus in usages.select("text", "sus")[[0, 1, -2, -1]].iter_rows():
        (line,) = [line for line in shown.splitlines() if f"{sus:+.3f}" in line]
        assert text[:20] in line
    step("show", "at-once", "--export", "usages.tsv", "--table", "instances")
    assert pl.read_csv(corpora / "usages.tsv", separator="\t").height == other.instances.height
    kept = step("cache", by=run)
    assert re.search(r"^  onnx:model \(.+\)  13 of 6 dimensions", kept, re.MULTILINE)
    assert list((corpora / "cache").rglob("*.shard"))
    step("cache", "--clear")
    assert not list((corpora / "cache").rglob("*.shard"))


def test_tables_with_dates_are_split_by_year(corpora, called):
    rows = [("1850-03-01", line) for line in OLD.splitlines()]
    rows += [("2001", line) for line in NEW.splitlines()]
    table = pl.DataFrame(rows, schema=["date", "text"], orient="row")
    table.write_csv(corpora / "dated.csv")
    done = called(
        "find", "--corpus", "dated.csv", "--split-year", 1900, "--words", "cell", "-o", "u.csv",
        cwd=corpora,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    usages = senseshift.read(corpora / "u.csv")
    assert usages.periods == ("before 1900", "from 1900")
    assert usages.counts().row(0) == ("cell", 4, 4)


def test_words_never_found_are_told_in_the_study(corpora, called):
    done = called(
        "compare", *CORPORA[:4], "--words", "cell,unicorn", "--encoder", "onnx:model",
        "-o", "study", "--measures", "f_SUS", "--no-report", cwd=corpora,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "not measured, unicorn: never found" in done.stdout


@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM"])
def test_an_interrupted_study_is_valid_and_can_be_resumed(tmp_path, signal, called):
    """A real Ctrl-C, or what a scheduler sends, in a real process, at the third word of twelve."""
    rng = np.random.default_rng(0)
    records = [
        {"word": f"w{w}", "period": p, "id": f"{p}{k}", "text": f"w{w} {k}", "start": 0, "end": 2}
        for w in range(12) for p in ("1", "2") for k in range(9)
    ]  # fmt: skip
    senseshift.Usages.from_records(records).write(tmp_path / "usages.parquet")
    np.save(tmp_path / "v.npy", rng.normal(size=(len(records), 8)).astype(np.float32))
    command = ("compare", "usages.parquet", "--encoder", "v.npy", "-o", "study", "--threads", "1",
               "--permutations", "20", "--measures", "f_SUS", "--no-report")  # fmt: skip
    code = (
        "import os, signal, sys, time\n"
        "import senseshift.comparing.measuring as module\n"
        "from senseshift.__main__ import main\n"
        "measure, seen = module.measure_word, []\n"
        "def interrupted(*arguments):\n"
        "    seen.append(1)\n"
        "    if len(seen) == 3:\n"
        f"        os.kill(os.getpid(), signal.{signal})\n"
        "        time.sleep(1)\n"
        "    return measure(*arguments)\n"
        "module.measure_word = interrupted\n"
        f"sys.argv = ['senseshift', *{command!r}]\n"
        "main()\n"
    )
    stopped = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert stopped.returncode == 130, stopped.stderr
    assert "-o study --resume" in stopped.stderr
    partial = senseshift.Study.load(tmp_path / "study")
    assert not partial.complete
    assert 0 < partial.ranked.height < 12
    done = called(*command, "--resume", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert senseshift.Study.load(tmp_path / "study").ranked.height == 12
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]

    replacing = code.replace("'study', '--threads'", "'study', '--replace', '--threads'")
    again = subprocess.run(  # over a study that is there: it stays, the part goes beside it
        [sys.executable, "-c", replacing], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert again.returncode == 130, again.stderr
    assert senseshift.Study.load(tmp_path / "study").complete
    assert not senseshift.Study.load(tmp_path / "study-part").complete


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare"], "--old and --new"),
        (["compare", "--old", "old.txt", "--new", "new.txt"], "--words"),
        (["find", "--corpus", "old.txt", "--words", "cell", "-o", "u.csv"], "periods"),
        (["compare", "nowhere.csv"], "nowhere.csv does not exist"),
        (["compare", "usages.csv", "--old", "old.txt"], "not both"),
        (["compare", *CORPORA, "--encoder", "onnx:nowhere"], "nowhere"),
        (["compare", *CORPORA, "--encoder", "hf:"], "names no model"),
        (["compare", *CORPORA, "--encoder", "onnx:model", "--layers=-1"], "only for"),
        (["compare", *CORPORA, "--encoder", "hf:model", "--layer=last"], "whole numbers"),
        (["compare", *CORPORA, "-o", "model"], "model exists and is not a study"),
        (["compare", *CORPORA, "--encoder", "onnx:model", "--resume"], "is not a study"),
        (["find", *CORPORA, "-o", "usages.docx"], "usages.docx"),
        (["find", *CORPORA, "--by", "guess", "-o", "usages.csv"], "guess"),
        (["encode", "old.txt", "-o", "v.npy"], "old.txt"),
        (["show", "model"], "model is not a study"),
    ],
)  # fmt: skip
def test_wrong_input_to_any_command_is_one_sentence(corpora, arguments, message, refused):
    before = {p.name for p in corpora.iterdir()}
    assert message in refused(*arguments, cwd=corpora)
    assert {p.name for p in corpora.iterdir()} - {"cache"} == before  # nothing is left behind


def test_permutations_give_p_values_in_the_ranking_and_in_the_report(tmp_path, called, refused):
    rows = [
        {"word": word, "period": period, "id": f"{period}{k}", "text": f"{word} {k}", "start": 0,
         "end": len(word)}
        for word in ("same", "other") for period in ("1", "2") for k in range(12)
    ]  # fmt: skip
    usages = senseshift.Usages.from_records(rows)
    usages.write(tmp_path / "usages.parquet")
    vectors = np.random.default_rng(0).normal(size=(48, 6)) + 3.0
    vectors[36:] *= np.array([-1, 1, 1, 1, 1, 1])  # the new usages of the second word
    np.save(tmp_path / "vectors.npy", vectors)
    given = ("compare", "usages.parquet", "--encoder", "vectors.npy")
    done = called(*given, "--permutations", 99, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert " p " in done.stdout
    words = senseshift.Study.load(tmp_path / "study").words
    p_value = dict(words.select("word", "p").iter_rows())
    assert p_value["other"] == 0.01
    assert p_value["same"] > 0.01
    assert 'data-sort="p"' in (tmp_path / "study/report/index.html").read_text()
    wrong = refused(*given, "--permutations", -1, "-o", "nothing", cwd=tmp_path)
    assert "--permutations" in wrong
    assert not (tmp_path / "nothing").exists()
