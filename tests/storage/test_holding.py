import json
import socket
import subprocess
import sys
import time
from threading import Thread

import pytest

from senseshift.errors import InputError
from senseshift.storage import Folder, holding

HOLD = """
import sys
from senseshift.storage import Folder, holding

holding.BEAT, holding.SILENCE = 0.1, 1.0
try:
    with Folder.at(sys.argv[1]).held():
        print("held", flush=True)
        sys.stdin.read()
except Exception as error:
    print(error, flush=True)
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(holding, "BEAT", 0.1)
    monkeypatch.setattr(holding, "SILENCE", 1.0)
    monkeypatch.setattr(holding, "SETTLED", 0.3)


def other_driver(folder):
    run = [sys.executable, "-c", HOLD, str(folder)]
    return subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_second_driver_is_refused_until_the_first_was_killed(folder):
    with other_driver(folder) as other:
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(InputError, match=rf"by another run \(process {other.pid} on .*\): wait"),
            folder.held(),
        ):
            pass
        other.kill()
    with folder.held() as ours, other_driver(folder) as third:
        ours.check()
        assert "is being written by another run" in third.stdout.readline()
    with other_driver(folder) as fourth:
        assert fourth.stdout.readline() == "held\n"
        fourth.stdin.close()


def test_a_driver_on_another_machine_counts_as_long_as_it_gives_signs_of_life(folder):
    def sign(beats):
        folder.write(holding.NAME, json.dumps(
            {"owner": "x", "host": f"not-{socket.gethostname()}", "pid": 1, "beats": beats}
        ).encode())  # fmt: skip

    sign(1)
    alive = Thread(target=lambda: (time.sleep(0.4), sign(2)))
    alive.start()
    with pytest.raises(InputError, match="another run"), folder.held():
        pass
    alive.join()
    with folder.held():  # now it is silent
        pass
    assert not folder.exists(holding.NAME)


def test_of_two_that_come_at_once_after_a_killed_one_a_single_one_gets_it(folder):
    gone = {"owner": "x", "host": socket.gethostname(), "pid": 2**22 + 1, "beats": 1}
    folder.write(holding.NAME, json.dumps(gone).encode())
    answers = []

    def come():
        try:
            with folder.held():
                answers.append("held")
                time.sleep(1)
        except InputError:
            answers.append("refused")

    both = [Thread(target=come) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(answers) == ["held", "refused"]


def test_one_that_was_silent_for_long_learns_that_it_lost_the_folder(folder):
    with folder.held() as ours:
        ours.check()
        folder.write(holding.NAME, b'{"owner": "another"}')
        time.sleep(0.5)
        with pytest.raises(InputError, match="taken over by another driver"):
            ours.check()
    assert folder.exists(holding.NAME)  # it is the other's


def test_a_damaged_sign_is_nobodys(tmp_path):
    folder = Folder.at(tmp_path)
    folder.write(holding.NAME, b"\xff{")
    with folder.held():
        pass
