import math
import os
import signal
import subprocess
import sys
import time

import pytest

from senseshift.errors import InputError
from senseshift.workers import in_processes


@pytest.mark.parametrize("processes", [1, 3])
def test_results_come_in_the_order_of_the_items(processes):
    assert list(in_processes(math.sqrt, range(50), processes)) == [n**0.5 for n in range(50)]
    assert list(in_processes(math.sqrt, [], processes)) == []


def test_what_a_call_raises_is_raised_and_ends_the_others():
    found = in_processes(math.sqrt, [4, -1, 9], 2)
    assert next(found) == 2
    with pytest.raises(ValueError, match="math domain error"):
        next(found)


def test_no_more_processes_than_asked_for_and_none_afterwards():
    found = set(in_processes(os.getpgid, [0] * 40, 2))  # each is in a group of its own
    assert 1 <= len(found) <= 2
    assert os.getpgid(0) not in found
    for group in found:
        with pytest.raises(ProcessLookupError):
            os.killpg(group, 0)


def test_items_are_taken_as_they_are_needed():
    taken = []
    found = in_processes(math.sqrt, (taken.append(n) or n for n in range(100)), 2)
    next(found)
    assert len(taken) < 10
    found.close()


def test_a_process_ended_from_outside_is_told():
    found = in_processes(os.getpgid, [0] * 99, 2)
    os.killpg(next(found), signal.SIGKILL)
    with pytest.raises(InputError, match="ended from outside"):
        list(found)


PARENT = """
import time
from senseshift.workers import in_processes

found = in_processes(time.sleep, [0, 0, *[600] * 9], 2)
next(found)
print("busy", flush=True)
next(found), next(found)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_they_end_with_the_process_they_work_for_however_it_ends(how):
    """Whoever reads what that process writes comes to an end only when all of them are gone."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PARENT], **pipes) as parent:
        assert parent.stdout.readline() == b"busy\n"
        time.sleep(0.2)  # so that they are at work
        parent.send_signal(how)
        _, said = parent.communicate(timeout=30)
    assert parent.returncode == -how
    assert said.count(b"Traceback") <= 1  # of that process only, at an interrupt
