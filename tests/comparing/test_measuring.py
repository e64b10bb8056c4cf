"""Words are measured wherever units run, and what is found does not depend on it."""

import numpy as np
import pytest
from reading import read_senses

from senseshift import Study, compare
from senseshift.calibration import Calibration
from senseshift.comparing import measuring
from senseshift.errors import InputError
from senseshift.study.study import TABLES

SETTINGS = {"calibration": Calibration(0.44, 0.11, 0.38), "permutations": 50}


def test_processes_find_what_threads_find_byte_for_byte(usages, tmp_path):
    pytest.importorskip("distributed")
    for name, where in {
        "one": {"threads": 1},
        "many": {"threads": 8},
        "two": {"workers": 2},
    }.items():
        compare(usages, read_senses, **where, **SETTINGS).save(tmp_path / name)
    for table in [f"{name}.parquet" for name in TABLES] + ["vectors.npy"]:
        written = {(tmp_path / name / table).read_bytes() for name in ("one", "many", "two")}
        assert len(written) == 1, table


def test_a_word_that_fails_is_told_and_measured_when_the_study_is_resumed(
    usages, tmp_path, monkeypatch
):
    original, tried = measuring.measure_word, []

    def failing(task, *arguments):
        if task.word == "cell":
            tried.append(task.word)
            raise MemoryError("too much")
        return original(task, *arguments)

    monkeypatch.setattr(measuring, "measure_word", failing)
    study = compare(usages, read_senses, **SETTINGS)
    assert study.skipped == {"cell": "MemoryError: too much"}
    assert tried == ["cell"] * 3
    assert not study.complete
    study.save(tmp_path / "part")
    monkeypatch.undo()
    resumed = compare(usages, read_senses, resume=Study.load(tmp_path / "part"), **SETTINGS)
    whole = compare(usages, read_senses, **SETTINGS)
    assert resumed.complete
    for name in TABLES:
        assert getattr(resumed, name).equals(getattr(whole, name), null_equal=True), name
    assert np.array_equal(resumed.vectors, whole.vectors)


def test_where_it_cannot_run_is_told_before_anything_is_encoded(usages):
    def never(texts, spans):
        raise AssertionError

    with pytest.raises(InputError, match="Both 2 workers and the scheduler tcp://h:1 are given"):
        compare(usages, never, workers=2, scheduler="tcp://h:1", **SETTINGS)


def test_what_is_done_is_handed_over_when_a_cluster_goes_away(usages, monkeypatch):
    original = measuring.WordResult.without

    def lost(pool, tasks, *arguments):
        yield tasks[0], original(tasks[0], "no reason")
        raise InputError("The Dask scheduler went away")

    monkeypatch.setattr("senseshift.comparing.driver.measured", lost)
    parts = []
    with pytest.raises(InputError, match="went away"):
        compare(usages, read_senses, checkpoint=parts.append, **SETTINGS)
    assert [part.words.height for part in parts] == [1]
    assert not parts[0].complete
