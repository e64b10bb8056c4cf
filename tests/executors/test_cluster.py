"""A real scheduler with real workers, which die and join."""

import signal
import threading
import time

import pytest
from units import Write

from senseshift.errors import ClusterWarning, InputError
from senseshift.executors import cluster, executor
from senseshift.storage import Folder


def test_workers_die_and_join_and_nothing_is_lost(crew, tmp_path):
    folder = Folder.at(tmp_path)
    first = crew.worker()
    units = [Write(folder, number, seconds=0.1) for number in range(20)]
    with executor(scheduler=crew.address) as pool:
        outcomes = []
        for outcome in pool.run(units):
            outcomes.append(outcome)
            if len(outcomes) == 5:
                first.kill()
                crew.worker()
    assert [outcome.error for outcome in outcomes] == [None] * 20
    assert len(folder.names()) == 20
    # Only what the lost worker had in hand was done again.
    assert sum(unit.times() for unit in units) <= 22
    assert len({pid for unit in units for pid, *_ in unit.notes()}) == 2


def test_units_that_need_a_resource_go_to_the_workers_that_offer_it(crew, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "LOOK", 0.2)
    folder = Folder.at(tmp_path)
    crew.worker(WORKER="plain")
    tagged = [Write(folder, number, resources={"GPU": 1}) for number in range(6)]
    with executor(scheduler=crew.address) as pool:
        with pytest.warns(ClusterWarning, match="No worker offers GPU.*--resources GPU=1"):
            assert [outcome.error for outcome in pool.run(tagged[:2])] == [None] * 2
        crew.worker("--resources", "GPU=1", WORKER="gpu")
        while pool.workers < 2:
            time.sleep(0.1)
        assert [outcome.error for outcome in pool.run(tagged[2:])] == [None] * 4
    assert {note[1] for unit in tagged[:2] for note in unit.notes()} == {"plain"}
    assert {note[1] for unit in tagged[2:] for note in unit.notes()} == {"gpu"}


def test_a_cluster_without_workers_is_told_and_waited_for(crew, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "LOOK", 0.1)
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    unit = Write(Folder.at(tmp_path), 1)
    with executor(scheduler=crew.address) as pool:
        outcomes = pool.run([unit])
        monkeypatch.setattr(cluster.warnings, "warn", lambda *_, **__: crew.worker())
        assert next(outcomes).error is None


def test_a_scheduler_that_goes_away_or_never_was_is_told(crew, tmp_path, monkeypatch):
    crew.worker()
    with executor(scheduler=crew.address) as pool:
        outcomes = pool.run(Write(Folder.at(tmp_path), n, seconds=0.1) for n in range(99))
        assert next(outcomes).error is None
        crew.scheduler.send_signal(signal.SIGKILL)
        with pytest.raises(InputError, match=f"scheduler {crew.address} went away.*is kept"):
            list(outcomes)
    monkeypatch.setattr(cluster, "ANSWERS", 0.5)
    for address in (crew.address, "no address"):
        with pytest.raises(InputError, match=f"No Dask scheduler answers at {address}: start"):
            executor(scheduler=address)


def test_a_scheduler_that_goes_away_in_the_middle_of_an_answer_is_told(crew, tmp_path):
    crew.worker()
    with executor(scheduler=crew.address) as pool:
        outcomes = pool.run(Write(Folder.at(tmp_path), n, seconds=0.1) for n in range(99))
        next(outcomes)
        time.sleep(1.0)  # others end, and it is known of them
        crew.scheduler.send_signal(signal.SIGSTOP)
        threading.Timer(1.0, crew.scheduler.kill).start()
        with pytest.raises(InputError, match="went away"):
            list(outcomes)
