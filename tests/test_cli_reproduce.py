"""``senseshift reproduce`` as people run it: a real process, a folder made for it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from making import made_words, make_wug

COMMAND = Path(sys.executable).with_name("senseshift")


def environment(folder):
    return {**os.environ, "SENSESHIFT_CACHE": str(folder / "cache"), "COLUMNS": "100"}


def run(*arguments, cwd):
    return subprocess.run(
        [COMMAND, "reproduce", *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, env=environment(cwd), check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    make_wug(folder / "dwug_es", made_words(6))
    return folder


@pytest.fixture(scope="module")
def done(folder):
    return run(
        "dwug_es", "--vectors", "dwug_es/vectors.npy", "--splits", 12, "-o", "out",
        "--words", "word01_nn", "--figures", "svg", cwd=folder,
    )  # fmt: skip


def numbers_in(folder):
    numbers = json.loads((folder / "tables.json").read_text("utf-8"))
    return {(n["table"], n["method"], n["column"]): n["value"] for n in numbers}


def test_tables_are_printed_and_written(folder, done):
    assert done.returncode == 0, done.stderr
    assert "Tuning" in done.stderr  # bars are not among the results
    assert "Drawing" in done.stderr
    assert "Mean ± standard deviation over 12 splits of 6 words" in done.stdout
    assert "Table 3: magnitude of change, Spearman with f* (Table 13 of the paper)" in done.stdout
    assert all(len(line) <= 100 for line in done.stdout.splitlines())
    places = [done.stdout.index(title) for title in ("Table 1", "Table 2", "Table 7", "--compat")]
    assert places == sorted(places)
    numbers = numbers_in(folder / "out")
    assert numbers["3", "f_SUS", "published_spearman"] == 0.61
    assert numbers["4", "g_1", "published_spearman"] == 0.45
    assert (folder / "out" / "tables" / "table3.tex").is_file()
    assert (folder / "out" / "study" / "study.json").is_file()
    assert len(list((folder / "out" / "figures").glob("*.svg"))) == 8
    assert done.stdout.endswith("in out: tables.json, figures/, gold/, study/, tables/\n")


def test_compat_is_the_other_column_of_the_same_comparison(folder, done, called):
    other = called(
        "reproduce", "dwug_es", "--vectors", "dwug_es/vectors.npy", "--splits", 12, "-o", "compat",
        "--compat", "--reference", "none", "--figures", "none", cwd=folder,
    )  # fmt: skip
    assert other.returncode == 0, other.stderr
    default, compat = numbers_in(folder / "out"), numbers_in(folder / "compat")
    assert not (folder / "compat" / "figures").exists()
    assert not any(column.startswith("published") for _, _, column in compat)
    assert any(default[key] != compat[key] for key in compat if key[0] in ("2", "3", "4"))
    for numbers in (default, compat):
        for method in ("f_SUS", "f_2", "g_WiDiD"):
            table = {"f": "3", "g": "4"}[method[0]]
            corrected = default[table, method, "spearman"]
            assert numbers["compat", method, "corrected_spearman"] == corrected
            published = compat[table, method, "spearman"]
            assert numbers["compat", method, "compat_spearman"] == published


def test_wrong_input_is_one_sentence(folder, refused):
    (folder / "file").write_text("")
    for arguments, message in (
        (["nowhere"], "nowhere does not exist"),
        (["dwug_es", "--vectors", "a.npy", "--encoder", "b.npy"], "but not both"),
        (["dwug_es", "--vectors", "dwug_es/vectors.npy", "-o", "file"], "file is a file"),
        (["dwug_es", "--figures", "pdf,docx"], "no format 'docx'; there are pdf, svg, png"),
        (["dwug_es", "--vectors", "dwug_es/vectors.npy", "--reference", "x"], "no published"),
    ):
        assert message in refused("reproduce", *arguments, cwd=folder)
    assert not (folder / "reproduction").exists()


INTERRUPTED = """
import os, signal, sys, time
from senseshift.__main__ import main
import {module} as module
original, seen = module.{name}, []
def interrupted(*arguments, **settings):
    seen.append(1)
    if len(seen) == 3:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
    return original(*arguments, **settings)
module.{name} = interrupted
sys.argv = ["senseshift", "reproduce", "dwug_es", "--vectors", "dwug_es/vectors.npy"]
sys.argv += ["-o", "stopped", "--splits", "2", "--words", "word01_nn"]
main()
"""


@pytest.mark.parametrize(
    ("module", "name"),
    [("senseshift.evaluation.scores", "score_word"), ("senseshift.figures.drawing", "save")],
)
def test_an_interrupt_leaves_nothing_behind(folder, module, name):
    """A real Ctrl-C in a real process, at the third word that is scored or figure that is drawn."""
    stopped = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(module=module, name=name)],
        cwd=folder, env=environment(folder), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert stopped.returncode == 130, stopped.stderr
    assert stopped.stderr.endswith("interrupted\n")
    assert "Traceback" not in stopped.stderr
    assert not list(folder.glob("*stopped*"))
    assert not list(folder.glob(".*"))
