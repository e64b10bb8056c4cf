import os
import signal
import subprocess
import sys
import time

import pytest
from units import Write

from senseshift.errors import InputError, MissingExtraError
from senseshift.executors import executor
from senseshift.storage import Folder


@pytest.fixture(scope="module", params=["threads", "processes"])
def pool(request):
    if request.param == "processes":
        pytest.importorskip("distributed")
    with executor(workers=2) if request.param == "processes" else executor(threads=2) as pool:
        yield pool


def test_units_are_run_and_leave_their_files(pool, tmp_path):
    folder = Folder.at(tmp_path)
    units = [Write(folder, number) for number in range(20)]
    outcomes = list(pool.run(units))
    assert {outcome.task.key for outcome in outcomes} == {unit.key for unit in units}
    assert [outcome.error for outcome in outcomes] == [None] * 20
    assert {name: folder.read(name) for name in folder.names()} == {
        f"{number}.txt": str(number**2).encode() for number in range(20)
    }
    assert all(threads == "1" for unit in units for *_, threads in unit.notes())
    assert list(pool.run([])) == []
    assert str(pool) in ("2 threads here", "2 workers here")


def test_a_poisoned_unit_is_tried_again_then_told_and_stops_nothing(pool, tmp_path):
    folder = Folder.at(tmp_path)
    does = {3: "raise", 5: "raise once"}
    units = [Write(folder, number, does.get(number, "write")) for number in range(9)]
    failed = {o.task.key: o.error for o in pool.run(units) if o.error is not None}
    assert failed == {"write-3": "ValueError: this unit is poisoned"}
    assert [unit.times() for unit in units] == [1, 1, 1, 3, 1, 2, 1, 1, 1]
    assert len(folder.names()) == 8


def test_units_are_taken_as_they_are_needed_and_what_is_left_is_dropped(pool, tmp_path):
    taken = []

    def units():
        for number in range(500):
            taken.append(number)
            yield Write(Folder.at(tmp_path), number)

    outcomes = pool.run(units())
    assert next(outcomes).error is None
    assert len(taken) < 20
    outcomes.close()
    assert [o.error for o in pool.run([Write(Folder.at(tmp_path), 1000)])] == [None]


def test_a_unit_that_kills_its_workers_is_told_and_stops_nothing(tmp_path):
    config = pytest.importorskip("dask").config
    pytest.importorskip("distributed")
    units = [
        Write(Folder.at(tmp_path), number, "die" if number == 2 else "write") for number in range(6)
    ]
    with (
        config.set({"distributed.scheduler.allowed-failures": 0}),
        executor(workers=2) as pool,
    ):
        outcomes = {outcome.task.key: outcome.error for outcome in pool.run(units)}
    assert outcomes.pop("write-2") == "every worker that ran it died of it, as for want of memory"
    assert set(outcomes.values()) == {None}


INTERRUPTED = """
import sys
from units import Write
from senseshift.executors import executor
from senseshift.storage import Folder

if __name__ == "__main__":
    try:
        with executor(int(sys.argv[2]) or None) as pool:
            units = (Write(Folder.at(sys.argv[1]), n, seconds=0.1) for n in range(999))
            for outcome in pool.run(units):
                print(outcome.error, flush=True)
    except KeyboardInterrupt:
        print("interrupted")
"""


def lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("workers", [0, 2])
def test_at_ctrl_c_all_end_and_say_nothing(tmp_path, workers):
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    paths = os.pathsep.join(filter(None, sys.path))
    with subprocess.Popen(
        [sys.executable, script, tmp_path / "files", str(workers)], start_new_session=True,
        env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "None\n"
        os.killpg(process.pid, signal.SIGINT)
        said = process.stdout.read()
    assert said.replace("None\n", "") == "interrupted\n"
    for _ in range(200):  # the last of them end a little later
        if not lives(process.pid):
            break
        time.sleep(0.1)
    assert not lives(process.pid)


def test_what_cannot_be_is_told(monkeypatch):
    with pytest.raises(InputError, match="Both 2 workers and the scheduler tcp://h:1 are given"):
        executor(2, "tcp://h:1")
    with pytest.raises(InputError, match="workers is 0: it must be at least 1"):
        executor(0)
    monkeypatch.setitem(sys.modules, "distributed", None)
    for asked in ({"workers": 2}, {"scheduler": "tcp://h:1"}):
        with pytest.raises(MissingExtraError, match=r"distributed.*'senseshift\[dask\]'"):
            executor(**asked)
