"""Real vectors, where the data lie beside the repository; the command line in this process."""

import os
import subprocess
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import settings

from support import DATA

# Where a test loads the library itself; ours sets it, as a test in a process of its own shows.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

# No test fails because a machine is busy; in CI the examples are the same every time, as a change
# must not fail for what another one did.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


COMPILE = """
from senseshift import transport

transport.solve([[0.1]])
transport.solve([[0.1]], method="balanced")
transport.solve_many([[0.0, 0.1], [0.1, 0.0]], [[True, False]])
"""
COMPILING = pytest.StashKey[subprocess.Popen]()


def pytest_sessionstart(session):
    """Compile the solver while workers start and collect, each of which would do it."""
    if session.config.getoption("numprocesses", None):  # which workers do not have
        session.config.stash[COMPILING] = subprocess.Popen([sys.executable, "-c", COMPILE])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node):
    """No worker begins before it is compiled."""
    assert node.config.stash[COMPILING].wait() == 0


@pytest.fixture
def called(capsys):
    """How the command line ends in this process, as another takes seconds to load what it needs.

    For commands that another test runs in a process of its own.
    """

    def shown(message, category, *place):
        print(warnings.formatwarning(message, category, *place), end="", file=sys.stderr)

    def called(*arguments, cwd):
        from senseshift.cli import run

        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            patch.chdir(cwd)
            patch.setenv("SENSESHIFT_CACHE", str(cwd / "cache"))
            patch.setattr(sys, "argv", ["senseshift", *map(str, arguments)])
            patch.setattr(warnings, "formatwarning", warnings.formatwarning)  # which run sets
            patch.setattr(warnings, "showwarning", shown)
            warnings.simplefilter("default", UserWarning)
            with pytest.raises(SystemExit) as stopped:
                run()
        said = capsys.readouterr()
        return SimpleNamespace(returncode=stopped.value.code or 0, stdout=said.out, stderr=said.err)

    return called


@pytest.fixture
def refused(called):
    """What the command line says to a wrong input."""

    def refused(*arguments, cwd):
        done = called(*arguments, cwd=cwd)
        assert done.returncode == 2
        return done.stderr

    return refused


@pytest.fixture(scope="session")
def dwug_vectors():
    """Old and new vectors of every word of DWUG EN, from a small encoder."""
    if not (DATA / "dwug_en_vectors.npy").exists():
        pytest.skip("the DWUG EN vectors do not lie beside the repository")
    vectors = np.load(DATA / "dwug_en_vectors.npy").astype(np.float64)
    rows = [
        line.split("\t")
        for line in (DATA / "dwug_en_vectors.tsv").read_text("utf-8").splitlines()[1:]
    ]
    words, periods = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    return {
        word: (
            vectors[(words == word) & (periods == "1")],
            vectors[(words == word) & (periods == "2")],
        )
        for word in dict.fromkeys(words)
    }


@pytest.fixture(scope="session")
def dwug_costs(dwug_vectors):
    """Cosine distances of every word, computed here."""

    def cosine(u, v):
        u = u / np.linalg.norm(u, axis=1, keepdims=True)
        v = v / np.linalg.norm(v, axis=1, keepdims=True)
        return np.maximum(1 - u @ v.T, 0)

    return {word: cosine(*pair) for word, pair in dwug_vectors.items()}
