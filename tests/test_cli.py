"""The command line as people run it: a real process, real files."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import senseshift

COMMAND = Path(sys.executable).with_name("senseshift")


def run(*arguments, cwd=None):
    return subprocess.run(
        [COMMAND, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False
    )


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
        "heavy = {'numpy', 'numba', 'scipy', 'sklearn'} & set(sys.modules)\n"
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


def test_all_measures_can_be_asked_for(files):
    folder, _ = files
    done = run("sus", "old.npy", "new.npy", "--measures", "all", "--top", 0, cwd=folder)
    for name in ("f_APDP", "g_vMF", "g_WiDiD"):
        assert name in done.stdout


def test_measures_lists_the_registry():
    done = run("measures")
    for name in senseshift.measures.REGISTRY:
        assert name in done.stdout


def test_demo_says_that_its_vectors_are_generated():
    done = run("demo")
    assert done.returncode == 0, done.stderr
    assert "generated" in done.stdout
    ranking = [line.split("  ")[0] for line in done.stdout.splitlines()[3:8]]
    assert set(ranking[:3]) == {"gained a sense", "lost a sense", "shifted in share"}


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
def test_wrong_input_is_one_sentence_and_exit_code_2(files, arguments, message):
    done = run("sus", *arguments, cwd=files[0])
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
