from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import counting
import numpy as np
import pytest
from counting import DIMENSION, Counting, vector

import tiny_models
from senseshift.encoders import Cache, encode
from senseshift.encoders.cache import usage_key
from senseshift.encoders.language import is_foreign
from senseshift.errors import InputError, LanguageWarning
from tiny_models import make_usages, random_usages


def expected(usages):
    rows = usages.table.select("text", "start", "end").rows()
    return np.array([vector(text, (a, b)) for text, a, b in rows], np.float32)


def shards(folder):
    return sorted(Path(folder).rglob("*.shard"))


@pytest.fixture
def start(tmp_path):
    """Start a process that encodes; all that are left at the end are stopped."""
    running = []

    def start(count, pause, seed=0):
        beside = Path(tiny_models.__file__).parent
        arguments = [tmp_path / "log", tmp_path / "kept", count, pause, seed]
        process = subprocess.Popen(
            [sys.executable, counting.__file__, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(beside), *sys.path])},
        )
        running.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    def go(process):
        process.stdin.write("\n")
        process.stdin.flush()

    start.go = go
    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def wait_for(condition, seconds=20.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.005)


def test_a_killed_run_resumes_without_encoding_anything_twice(start, tmp_path):
    encoder = Counting(tmp_path / "log")
    process = start(200, 0.03)
    start.go(process)
    wait_for(lambda: len(encoder.encoded()) >= 60)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    before = len(encoder.encoded())
    assert 60 <= before < 200
    usages = random_usages(200)
    made = encode(usages, encoder, batch_size=10, cache=tmp_path / "kept")
    np.testing.assert_array_equal(made, expected(usages))
    # Beyond the batch that was under way when it died.
    assert len({line.split("\t", 1)[1] for line in encoder.encoded()}) == 200
    assert 200 <= len(encoder.encoded()) <= 210


@pytest.mark.parametrize("cut", [0, 1, 20, 24, 25, 40, 24 + 52, 24 + 53, 24 + 52 * 7 + 51])
def test_a_shard_that_ends_anywhere_is_read_as_far_as_it_goes(tmp_path, cut):
    """What a process killed within a write would leave."""
    usages = random_usages(10)
    encoder = Counting(tmp_path / "log")
    encode(usages, encoder, batch_size=10, cache=tmp_path / "kept")
    [shard] = shards(tmp_path / "kept")
    size = 16 + 4 + 4 * DIMENSION
    assert size == 52
    assert shard.stat().st_size == 24 + 10 * size
    os.truncate(shard, cut)
    again = Counting(tmp_path / "again")
    made = encode(usages, again, batch_size=10, cache=tmp_path / "kept")
    np.testing.assert_array_equal(made, expected(usages))
    assert len(again.encoded()) == 10 - max(0, (cut - 24) // size)


def test_two_processes_share_a_cache(start, tmp_path):
    first, second = start(120, 0.02), start(120, 0.02)
    other = start(60, 0.02, 7)
    for process in (first, second, other):
        start.go(process)
    for process in (first, second, other):
        assert process.wait(timeout=60) == 0
    usages = random_usages(120)
    for process in (first, second):
        made = np.load(f"{tmp_path}/log.{process.pid}.npy")
        np.testing.assert_array_equal(made, expected(usages))
    assert len(shards(tmp_path / "kept")) >= 2
    idle = Counting(tmp_path / "idle")
    made = encode(usages, idle, cache=tmp_path / "kept")
    np.testing.assert_array_equal(made, expected(usages))
    made = encode(random_usages(60, 7), idle, cache=tmp_path / "kept")
    np.testing.assert_array_equal(made, expected(random_usages(60, 7)))
    assert idle.encoded() == []


def test_several_processes_share_the_work(start, tmp_path):
    """Three that encode the same usages at once, not each all of them."""
    three = [start(600, 0.05) for _ in range(3)]
    for process in three:
        start.go(process)
    for process in three:
        assert process.wait(timeout=60) == 0
        made = np.load(f"{tmp_path}/log.{process.pid}.npy")
        np.testing.assert_array_equal(made, expected(random_usages(600)))
    encoded = Counting(tmp_path / "log").encoded()
    assert len({line.split("\t", 1)[1] for line in encoded}) == 600
    assert len(encoded) < 900  # each on its own they would encode 1,800


def test_what_another_run_writes_meanwhile_is_taken(tmp_path):
    usages = random_usages(40)
    kept = tmp_path / "kept"

    class Helped(Counting):
        def encode(self, texts, spans):
            if not self.encoded():
                encode(usages, Counting(tmp_path / "other"), cache=kept)
            return super().encode(texts, spans)

    helped = Helped(tmp_path / "log")
    made = encode(usages, helped, batch_size=10, cache=kept)
    np.testing.assert_array_equal(made, expected(usages))
    assert len(helped.encoded()) == 10


@pytest.mark.parametrize("place", range(24, 24 + 52, 3))
def test_a_damaged_entry_is_redone_and_the_others_are_not(tmp_path, place):
    usages = random_usages(5)
    encode(usages, Counting(tmp_path / "log"), cache=tmp_path / "kept")
    [shard] = shards(tmp_path / "kept")
    content = bytearray(shard.read_bytes())
    content[place + 52] ^= 16
    shard.write_bytes(content)
    again = Counting(tmp_path / "again")
    made = encode(usages, again, cache=tmp_path / "kept")
    np.testing.assert_array_equal(made, expected(usages))
    assert len(again.encoded()) == 1
    # And is sound from then on.
    third = Counting(tmp_path / "third")
    np.testing.assert_array_equal(encode(usages, third, cache=tmp_path / "kept"), made)
    assert third.encoded() == []


@pytest.mark.parametrize("place", [0, 15, 16, 19, 20, 23])
def test_a_damaged_header_spoils_its_shard_only(tmp_path, place):
    usages = random_usages(6)
    for part in (usages.table[:3], usages.table[3:]):
        encode(part, Counting(tmp_path / "log"), cache=tmp_path / "kept")
    first, _ = shards(tmp_path / "kept")
    content = bytearray(first.read_bytes())
    content[place] ^= 1
    first.write_bytes(content)
    again = Counting(tmp_path / "again")
    made = encode(usages, again, cache=tmp_path / "kept")
    np.testing.assert_array_equal(made, expected(usages))
    assert len(again.encoded()) == 3


def test_a_shard_that_cannot_be_opened_is_passed_over(tmp_path):
    usages = random_usages(6)
    encode(usages, Counting(tmp_path / "log"), cache=tmp_path / "kept")
    [shard] = shards(tmp_path / "kept")
    # Reading a folder fails for everybody, whatever their rights.
    (shard.parent / "0.shard").mkdir()
    (shard.parent / "0.shard" / "large").write_bytes(bytes(9999))
    again = Counting(tmp_path / "again")
    np.testing.assert_array_equal(encode(usages, again, cache=tmp_path / "kept"), expected(usages))
    assert again.encoded() == []
    assert Cache(tmp_path / "kept").describe().entries == 6


def test_keys_tell_encoders_texts_and_spans_apart():
    keys = {
        usage_key(*parts)
        for parts in [
            ("a", "text", (0, 1)),
            ("b", "text", (0, 1)),
            ("a", "texts", (0, 1)),
            ("a", "text", (0, 2)),
            ("a", "text", (1, 2)),
            ("a", "\0text", (0, 1)),
        ]
    }
    assert len(keys) == 6


def test_another_fingerprint_is_another_shelf(tmp_path):
    usages = random_usages(4)
    encode(usages, Counting(tmp_path / "log"))
    other = Counting(tmp_path / "other")
    other.fingerprint = "counting-2"
    encode(usages, other)
    assert len(other.encoded()) == 4


def test_it_can_be_described_and_cleared(tmp_path):
    cache = Cache(tmp_path / "kept")
    assert cache.describe().entries == cache.describe().bytes == 0
    one, two = Counting(tmp_path / "1"), Counting(tmp_path / "2")
    two.name, two.fingerprint = "other", "other-fingerprint"
    encode(random_usages(5), one, cache=cache.folder)
    encode(random_usages(8), one, cache=cache.folder)
    encode(random_usages(3), two, cache=cache.folder)
    report = cache.describe()
    assert [(e.name, e.dimension) for e in report.encoders] == [("counting", 8), ("other", 8)]
    assert report.encoders[0].fingerprint == "counting-1"
    assert report.entries == sum(e.entries for e in report.encoders)
    assert report.encoders[1].entries == 3
    assert report.bytes == sum(path.stat().st_size for path in shards(cache.folder))
    precious = cache.folder / "precious.txt"
    precious.write_text("mine")
    assert cache.clear("other-finger").entries == 3
    assert [e.name for e in cache.describe().encoders] == ["counting"]
    assert cache.clear("nothing of this name").entries == 0
    assert cache.clear().encoders[0].name == "counting"
    assert cache.describe().encoders == ()
    assert precious.read_text() == "mine"


def test_a_cache_cleared_under_a_run_does_not_hurt_it(tmp_path):
    usages = random_usages(30)

    class Clearing(Counting):
        def encode(self, texts, spans):
            Cache(tmp_path / "kept").clear()
            return super().encode(texts, spans)

    made = encode(usages, Clearing(tmp_path / "log"), batch_size=10, cache=tmp_path / "kept")
    np.testing.assert_array_equal(made, expected(usages))


def test_equal_usages_are_encoded_once(tmp_path):
    usages = make_usages([("a bank", 2, 6)] * 5 + [("a bank", 0, 1)])
    for cache in (False, True):
        encoder = Counting(tmp_path / f"log{cache}")
        made = encode(usages, encoder, batch_size=2, cache=cache)
        np.testing.assert_array_equal(made, expected(usages))
        assert len(encoder.encoded()) == 2


def test_without_a_cache_nothing_is_written(tmp_path):
    encode(random_usages(3), Counting(tmp_path / "log"), cache=False)
    assert not (tmp_path / "cache").exists()


def test_a_cache_that_cannot_be_made_says_what_to_do(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="set SENSESHIFT_CACHE"):
        encode(random_usages(3), Counting(tmp_path / "log"), cache=tmp_path / "file")


def test_a_full_disk_does_not_stop_the_encoding(tmp_path, monkeypatch, caplog):
    usages = random_usages(30)
    whole, written = os.write, []

    def write(handle, block):
        # Half of the second block fits, then the disk is full.
        if Path(f"/proc/self/fd/{handle}").readlink().suffix == ".shard":
            written.append(block)
            if len(written) == 2:
                return whole(handle, block[: len(block) // 2 + 3])
            if len(written) > 2:
                raise OSError(28, "No space left on device")
        return whole(handle, block)

    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc to know the file written")
    monkeypatch.setattr(os, "write", write)
    with caplog.at_level(logging.WARNING, "senseshift"):
        made = encode(usages, Counting(tmp_path / "log"), batch_size=10, cache=tmp_path / "kept")
    monkeypatch.undo()
    np.testing.assert_array_equal(made, expected(usages))
    assert [record.message for record in caplog.records if "No space left" in record.message]
    assert len(caplog.records) == 1
    again = Counting(tmp_path / "again")
    np.testing.assert_array_equal(encode(usages, again, cache=tmp_path / "kept"), made)
    assert len(again.encoded()) == 30 - 10 - 5


def test_the_language_of_a_usage_is_looked_at_once(tmp_path, monkeypatch):
    class English(Counting):
        languages = ("en",)

    german = ("Der Hund bellte die ganze Nacht im Hof", 4, 8)
    english = [(f"The dog barked in the yard all night long {n}", 4, 7) for n in range(4)]
    usages = make_usages([*english, german], ["dog"] * 4 + ["Hund"])
    looked = []
    monkeypatch.setattr(
        "senseshift.encoders.encoding.is_foreign",
        lambda text, *rest: looked.append(text) or is_foreign(text, *rest),
    )
    for count in (5, 0):
        with pytest.warns(LanguageWarning, match="1 of 5 usages are not in the language 'en'"):
            encode(usages, English(tmp_path / "log"), cache=tmp_path / "kept")
        assert len(looked) == count
        looked.clear()
    encode(make_usages(english, ["dog"] * 4), English(tmp_path / "log"), cache=tmp_path / "kept")
    assert looked == []
    Cache(tmp_path / "kept").clear()
    assert not [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]
