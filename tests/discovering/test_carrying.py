"""A discovery whose workers, driver, files and disk fail: it ends in the same tables."""

import os
import random
import subprocess
import sys
import time
from contextlib import contextmanager

import carried
import pytest

from senseshift.errors import InputError


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return carried.made(tmp_path_factory.mktemp("corpora") / "planted")


@pytest.fixture(scope="module")
def whole(corpus, tmp_path_factory):
    """A discovery that nothing happened to."""
    output = tmp_path_factory.mktemp("whole") / "study"
    carried.run(corpus, output, json_log=output.with_suffix(".log"))
    return output


@contextmanager
def driver(corpus, output, log):
    """One in a process of its own, killed with -9 in the end."""
    paths = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(
        [sys.executable, carried.__file__, corpus, output, log],
        env={**os.environ, "PYTHONPATH": paths}, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(process, condition):
    while process.poll() is None and not condition():
        time.sleep(0.002)


def test_a_cluster_that_loses_a_worker_and_keeps_units_in_a_store_finds_the_same(
    corpus, whole, store, crew, tmp_path
):
    first, _ = crew.worker(), crew.worker()
    ended = []

    def progress(stage, done, total):
        if stage == "First look" and done and not ended:
            ended.append(first.kill())

    work = f"{store}/{tmp_path.name}"
    carried.run(corpus, tmp_path / "study", work=work, scheduler=crew.address, progress=progress)
    assert ended
    assert carried.tables(tmp_path / "study") == carried.tables(whole)


def test_a_driver_killed_at_any_moment_goes_on_and_does_nothing_twice(corpus, whole, tmp_path):
    output, done = tmp_path / "study", []
    names = len(list((whole / "units").iterdir()))
    for moment in sorted(random.Random(16).sample(range(1, names), 3)):
        log = tmp_path / f"{moment}.log"
        with driver(corpus, output, log) as process:
            until(process, lambda n=moment: len(list(output.glob("units/*.*"))) >= n)
            if moment % 2 and process.poll() is None:
                with pytest.raises(InputError, match="is being written by another run"):
                    carried.run(corpus, output)
        done += carried.units(log) if log.exists() else []
    log = tmp_path / "last.log"
    carried.run(corpus, output, json_log=log)
    done += carried.units(log)
    assert len(done) == len(set(done))
    assert set(done) <= set(carried.units(whole.with_suffix(".log")))
    assert carried.tables(output) == carried.tables(whole)


def test_damaged_and_lost_files_of_units_are_made_again(corpus, whole, tmp_path):
    before, log = carried.tables(whole), tmp_path / "log"
    scores = sorted((whole / "units").glob("first-*.scores.parquet"))
    marks = sorted((whole / "units").glob("full-*.json"))
    content = scores[0].read_bytes()
    scores[0].write_bytes(content[: len(content) // 2])
    scores[1].write_bytes(bytes(255 - byte for byte in scores[1].read_bytes()))
    marks[0].unlink()
    marks[1].write_bytes(b"[")
    damaged = {path.name.split(".")[0] for path in (*scores[:2], *marks[:2])}
    carried.run(corpus, whole, json_log=log)
    assert sorted(carried.units(log)) == sorted(damaged)
    assert carried.tables(whole) == before


def test_a_full_disk_is_told_and_with_more_room_it_goes_on(corpus, whole, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()

    def mount(*options):
        run = ["mount", "-t", "tmpfs", *options, "none", disk]
        return not subprocess.run(run, capture_output=True).returncode

    if not mount("-o", "size=200k"):
        pytest.skip("a disk of a given size needs the right to mount one")
    try:
        with pytest.raises(InputError, match="No space left on device"):
            carried.run(corpus, tmp_path / "study", work=disk / "units")
        assert mount("-o", "remount,size=20m")
        carried.run(corpus, tmp_path / "study", work=disk / "units")
    finally:
        subprocess.run(["umount", disk], check=True)
    assert carried.tables(tmp_path / "study") == carried.tables(whole)
