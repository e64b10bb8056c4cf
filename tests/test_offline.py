"""What is promised of ``--offline``: no network, and nothing written but where it was asked for."""

import os
import shutil
import subprocess
import sys

import pytest

TEXTS = ("she sat on the bank of the river", "he took the money to the bank in town")


@pytest.fixture
def usages(tmp_path):
    path = tmp_path / "usages.csv"
    rows = [
        f"bank,{period},{period}{number},{text} {number},{start},{start + 4}"
        for period, text in zip(("old", "new"), TEXTS, strict=True)
        for start in [text.index("bank")]
        for number in range(4)
    ]
    path.write_text("\n".join(["word,period,id,text,start,end", *rows, ""]))
    return path


def test_a_study_reaches_no_network_and_writes_no_foreign_file(tmp_path, usages):
    home, calls = tmp_path / "home", tmp_path / "calls"
    home.mkdir()
    calls.touch()
    ours = ("PATH", "PYTHONPATH", "LANG", "LD_LIBRARY_PATH", "NUMBA_CACHE_DIR")
    environment = {name: os.environ[name] for name in ours if name in os.environ}
    environment |= {"HOME": str(home), "SENSESHIFT_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", "from senseshift.__main__ import main; main()", "compare"]
    # Where it is installed, strace sees every socket; foreign files are seen in any case.
    seen = ["strace", "-f", "--seccomp-bpf", "-e", "trace=socket", "-o", calls]
    seen *= shutil.which("strace") is not None
    ended = subprocess.run(
        [*seen, *command, usages, "-o", tmp_path / "study", "--offline"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert [line for line in calls.read_text().splitlines() if "AF_INET" in line] == []
    assert sorted(path for path in home.rglob("*") if path.is_file()) == []
    assert {path.name for path in tmp_path.iterdir()} == {
        "home", "calls", "usages.csv", "cache", "study",
    }  # fmt: skip
