"""The cache of compiled kernels must never keep anyone from solving."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import senseshift

KERNEL = """
from numba import njit
from senseshift.transport._compiled import ENTRY, kept

def fresh():
    @njit(**ENTRY)
    def halve(x):
        return x / 2.0
    return kept(halve)

def use():
    kernel = fresh()
    assert kernel(3.0) == 1.5
    return sum(kernel.stats.cache_hits.values())
"""


def run(code, folder, **environment):
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
    )  # fmt: skip


def test_damaged_files_are_thrown_away_and_made_anew(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL, "utf-8")
    code = """
from pathlib import Path
from kernel import use

def damaged(content):
    yield b""
    yield content[:1]
    yield content[: len(content) // 2]
    yield content[:-1]
    yield content[:-32]  # as numba writes it, without a digest
    yield b"no pickle at all"
    yield bytes(len(content))
    for place in (0, 10, len(content) // 3, len(content) // 2, len(content) - 40):
        yield content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :]

assert use() == 0
assert use() == 1
for ending in ("nbi", "nbc"):
    (path,) = Path("kept").rglob(f"*.{ending}")
    for content in damaged(path.read_bytes()):
        path.write_bytes(content)
        assert use() == 0, (ending, len(content))
        assert use() == 1, (ending, len(content))
path.unlink()
path.mkdir()
assert use() == use() == 0
"""
    done = run(code, tmp_path, NUMBA_CACHE_DIR=tmp_path / "kept")
    assert done.returncode == 0, done.stderr


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path):
    """Files in the places of folders bar the way to everyone, also to root."""
    package = tmp_path / "senseshift"
    source = Path(senseshift.__file__).parent
    shutil.copytree(
        source / "transport", package / "transport", ignore=shutil.ignore_patterns("__pycache__")
    )
    for path in source.glob("*.py"):
        shutil.copy(path, package)
    (package / "transport" / "__pycache__").touch()
    (tmp_path / "kernel.py").write_text(KERNEL, "utf-8")
    (tmp_path / "__pycache__").touch()
    bare = {"NUMBA_CACHE_DIR": "", "HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null"}
    code = (
        "import senseshift.transport._simplex as simplex\n"
        f"assert simplex.__file__.startswith({str(tmp_path)!r}), simplex.__file__\n"
        "from kernel import use; print(use(), use())"
    )
    done = run(code, tmp_path, PYTHONPATH=tmp_path, PYTHONDONTWRITEBYTECODE=1, **bare)
    assert done.stdout == "0 0\n", done.stderr
