import subprocess
import sys
from threading import Thread

import pytest

from senseshift.locks import held

HOLD = """
import sys, time
from pathlib import Path
from senseshift.locks import held

with held(Path(sys.argv[1])) as answer:
    print(answer, flush=True)
    sys.stdin.read()
"""


def test_one_process_holds_it_until_it_ends_however(tmp_path):
    run = [sys.executable, "-c", HOLD, tmp_path]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "True\n"
        with held(tmp_path, wait=False) as mine:
            assert mine is False
        other.kill()
    with held(tmp_path, wait=False) as mine:
        assert mine is True


def test_those_that_share_wait_only_for_one_that_does_not(tmp_path):
    with held(tmp_path, shared=True), held(tmp_path, shared=True, wait=False) as second:
        assert second is True
        with held(tmp_path, wait=False) as third:
            assert third is False


def test_what_was_waited_for_may_be_another_when_it_is_there(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    answers = []

    def wait():
        with held(folder), held(folder, wait=False) as again:
            answers.append(again)

    with held(folder):
        thread = Thread(target=wait)
        thread.start()
        folder.rename(tmp_path / "earlier")
        folder.mkdir()
    thread.join()
    assert answers == [False]  # the new one is held, not the one that is no longer there


def test_nothing_is_held_where_nothing_is(tmp_path):
    with pytest.raises(FileNotFoundError), held(tmp_path / "none"):
        pass
