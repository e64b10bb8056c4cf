import pickle
import resource
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.errors import InputError, MissingExtraError
from senseshift.storage import Folder


def test_files_are_kept_by_name_in_folders_within_folders(folder):
    assert folder.names() == []
    assert not folder.exists("a.json")
    folder.write("b.parquet", b"\0" * 9)
    folder.write("a.json", b"{}")
    folder.write("a.json", b"[]")
    folder.child("deep").child("er").write("c.json", b"1")
    assert folder.names() == ["a.json", "b.parquet"]
    assert folder.names(".json") == ["a.json"]
    assert folder.read("a.json") == b"[]"
    assert folder.child("deep").names() == []
    assert folder.child("deep").child("er").read("c.json") == b"1"
    assert not folder.exists("deep")
    for _ in range(2):
        folder.remove("a.json")
        assert folder.names() == ["b.parquet"]


def test_it_can_be_sent_to_another_process(folder):
    folder.write("a", b"1")
    assert pickle.loads(pickle.dumps(folder)).read("a") == b"1"


def test_a_file_is_created_once(folder):
    assert folder.create("a", b"first") is True
    assert folder.create("a", b"second") is False
    assert folder.read("a") == b"first"


def test_what_is_not_there_is_told_with_its_place(folder):
    with pytest.raises(InputError, match=r"none.json cannot be read: (it is not|No such file)"):
        folder.read("none.json")


def test_a_bucket_that_is_not_there_is_told(store):
    with pytest.raises(InputError, match=r"s3://none/x cannot be written: there is no such bucket"):
        Folder.at("s3://none").write("x", b"")


@given(st.sampled_from(["", ".", "..", "a/b", "../a", "a\\b", "a\0b"]))
def test_a_name_leads_nowhere_else(name):
    with pytest.raises(InputError, match="no name of a file"):
        Folder.at("anywhere").exists(name)


def test_an_address_needs_its_extra_and_a_wrong_one_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(MissingExtraError, match=r"needs gcsfs.*pip install 'senseshift\[gs\]'"):
        Folder.at("gs://bucket/study").names()
    with pytest.raises(InputError, match=r"nowhere:// is no address of a store"):
        Folder.at("nowhere://bucket").names()


def test_paths_stay_the_same_wherever_a_worker_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = Folder.at("study")
    monkeypatch.chdir("/")
    folder.write("a", b"1")
    assert (tmp_path / "study" / "a").read_bytes() == b"1"
    assert Folder.at(f"file://{tmp_path}/study").read("a") == b"1"


FILL = """
import sys
from senseshift.storage import Folder
Folder.at(sys.argv[1]).write("a", b"x" * int(sys.argv[2]))
"""


def test_a_full_disk_leaves_the_earlier_file_and_nothing_else(tmp_path):
    folder = Folder.at(tmp_path)
    folder.write("a", b"earlier")

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    run = subprocess.run(
        [sys.executable, "-c", FILL, tmp_path, "100000"],
        preexec_fn=little_room, capture_output=True, text=True,
    )  # fmt: skip
    assert "a cannot be written: File too large." in run.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert folder.read("a") == b"earlier"


def test_what_a_killed_writer_left_is_no_file_and_goes_with_the_next_driver(tmp_path):
    folder = Folder.at(tmp_path / "study")
    units = tmp_path / "study" / "units"
    killed = "import os; os.fsync = lambda _: os.kill(os.getpid(), 9)\n"
    run = subprocess.run([sys.executable, "-c", killed + FILL, units, "10"])
    assert run.returncode == -signal.SIGKILL
    assert len(list(units.iterdir())) == 1
    assert folder.child("units").names() == []
    with folder.held():
        assert list(units.iterdir()) == []
