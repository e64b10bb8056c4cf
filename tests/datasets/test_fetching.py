"""Fetching from a real server on this machine, which fails in the ways that servers do."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from archives import archive, record, serving

import senseshift
from senseshift.datasets import DATASETS
from senseshift.datasets.download import PIECE
from senseshift.errors import InputError

PADDING = 1_000_000


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder to work in, with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SENSESHIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("senseshift.datasets.download.WAIT", 0.01)
    return tmp_path


@pytest.fixture
def server(here, monkeypatch):
    with serving(archive(padding=PADDING)) as server:
        monkeypatch.setenv("SENSESHIFT_ZENODO", server.url)
        yield server


def leftovers(folder):
    """What is there beside whole data sets and an empty cache."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_a_data_set_is_downloaded_checked_and_unpacked(server, here):
    seen = []
    fetched = senseshift.fetch("dwug-en", progress=lambda done, total: seen.append((done, total)))
    assert fetched.folder == Path("dwug_en")
    assert fetched.verified
    assert fetched.new
    assert fetched.graphs == [Path("dwug_en")]
    usages = senseshift.read(fetched)
    assert usages.words == ("mouse_nn", "überspannen")
    assert usages.counts().rows() == [("mouse_nn", 4, 4), ("überspannen", 4, 4)]
    assert usages.table["sense"].null_count() == 0
    size = len(server.content)
    assert seen[-1] == (size, size)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert not list((here / "cache").rglob("*.zip*"))  # the archive is not kept


def test_licence_citation_and_checksums_are_told_and_kept_with_the_data(server):
    fetched = senseshift.fetch("dwug_en", "data/english")
    assert fetched.source.licence == "cc-by-nd-4.0"
    assert fetched.source.citation == (
        "Doe, Jane; Roe, Richard (2024). DWUG EN: made for a test (version 3.0.0). "
        "Zenodo. https://doi.org/10.5281/zenodo.14028531"
    )
    assert any("EMNLP" in paper for paper in fetched.papers)
    about = json.loads(Path("data/english/SOURCE.json").read_text("utf-8"))
    assert about["sha256"] == hashlib.sha256(server.content).hexdigest()
    assert about["source"]["checksum"] == f"md5:{hashlib.md5(server.content).hexdigest()}"
    assert about["source"]["url"].startswith(server.url)
    assert about["verified"] is True


def test_what_was_fetched_is_not_fetched_again(server):
    first = senseshift.fetch("dwug-en")
    asked = len(server.requests)
    again = senseshift.fetch("dwug-en")
    assert not again.new
    assert again.source == first.source
    assert len(server.requests) == asked
    with pytest.raises(InputError, match="dwug_en exists and is not chiwug"):
        senseshift.fetch("chiwug", "dwug_en")


def test_folders_of_the_user_are_never_touched(server, here):
    Path("dwug_en").mkdir()
    Path("dwug_en/thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="exists and is not dwug-en"):
        senseshift.fetch("dwug-en")
    assert leftovers(here) == ["dwug_en/thesis.txt"]
    assert not server.requests


def test_a_data_set_without_graphs_has_none(here):
    Path("flat.zip").write_bytes(archive({"uses.csv": b"word"}, top=""))
    assert senseshift.fetch("durel", "x", source="flat.zip").graphs == []


def test_an_interrupt_while_unpacking_costs_no_second_download(server, here, monkeypatch):
    def interrupted(archive, folder):
        (folder / "half.csv").write_text("written in pa")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("senseshift.datasets.fetching.unpack", interrupted)
        with pytest.raises(KeyboardInterrupt):
            senseshift.fetch("dwug-en")
    assert [name.rpartition(".")[2] for name in leftovers(here)] == ["zip"]
    asked = len(server.requests)
    assert senseshift.fetch("dwug-en").verified
    assert len(server.requests) == asked
    assert not list((here / "cache").rglob("*.zip*"))


def test_a_connection_that_breaks_off_is_taken_up_again(server):
    server.break_after = [3 * PIECE, 4 * PIECE]
    fetched = senseshift.fetch("dwug-en")
    assert fetched.verified
    assert server.requests == [None, f"bytes={3 * PIECE}-", f"bytes={7 * PIECE}-"]


def test_a_download_that_stopped_goes_on_another_time(server, here):
    server.break_after = [PIECE] * 4
    with pytest.raises(InputError, match="run the same command again to go on after 262,144 bytes"):
        senseshift.fetch("dwug-en")
    assert [name.rpartition(".")[2] for name in leftovers(here)] == ["part"]
    senseshift.fetch("dwug-en")
    assert server.requests[-1] == f"bytes={4 * PIECE}-"
    assert senseshift.read("dwug_en").words == ("mouse_nn", "überspannen")
    assert not list((here / "cache").rglob("*.part"))


def test_a_part_that_was_all_is_enough(server, here):
    server.break_after = [PIECE] * 4
    with pytest.raises(InputError, match="run the same command again"):
        senseshift.fetch("dwug-en")
    (part,) = (here / "cache").rglob("*.part")
    part.write_bytes(server.content)
    assert senseshift.fetch("dwug-en").verified
    assert server.requests[-1] == f"bytes={len(server.content)}-"


def test_a_part_longer_than_the_file_is_given_up(server, here):
    server.break_after = [PIECE] * 4
    with pytest.raises(InputError, match="run the same command again"):
        senseshift.fetch("dwug-en")
    (part,) = (here / "cache").rglob("*.part")
    part.write_bytes(server.content + b"more")
    assert senseshift.fetch("dwug-en").verified
    assert server.requests[-1] is None  # from the beginning


def test_a_server_without_ranges_begins_again(server):
    server.ranges = False
    server.break_after = [5 * PIECE]
    assert senseshift.fetch("dwug-en").verified
    assert server.requests == [None, f"bytes={5 * PIECE}-"]


def test_a_file_that_is_not_what_the_record_says_is_refused(server, here):
    server.record = json.dumps(record(b"another file")).encode()
    with pytest.raises(InputError, match=r"does not have the checksum md5:\w{32}.*not kept"):
        senseshift.fetch("dwug-en")
    assert leftovers(here) == []


def test_a_damaged_part_is_found_out_and_not_kept(server, here):
    server.break_after = [PIECE] * 4
    with pytest.raises(InputError, match="run the same command again"):
        senseshift.fetch("dwug-en")
    (part,) = (here / "cache").rglob("*.part")
    part.write_bytes(b"\0" * 4 * PIECE)
    with pytest.raises(InputError, match="does not have the checksum"):
        senseshift.fetch("dwug-en")
    assert leftovers(here) == []
    assert senseshift.fetch("dwug-en").verified


def test_a_server_in_trouble_is_asked_again(server):
    server.errors = [503, 502]
    assert senseshift.fetch("dwug-en").verified
    assert len(server.requests) == 3


@pytest.mark.parametrize(("status", "tries"), [(404, 1), (403, 1), (500, 4)])
def test_errors_of_the_server_are_told_with_the_way_out(server, here, status, tries):
    server.errors = [status] * 9
    with pytest.raises(InputError) as told:
        senseshift.fetch("dwug-en")
    assert f"the server answered {status}" in str(told.value)
    assert "senseshift fetch dwug-en --from dwug_en.zip" in str(told.value)
    assert len(server.requests) == tries
    assert leftovers(here) == []


@pytest.mark.parametrize(
    "answer", [b"<html>maintenance</html>", b"[]", b'{"metadata": {}}', b"null"]
)
def test_what_is_no_record_is_told(server, here, answer):
    server.record = answer
    with pytest.raises(InputError, match=r"/api/records/14028531.*--from dwug_en\.zip"):
        senseshift.fetch("dwug-en")
    assert leftovers(here) == []


def test_a_record_that_is_gone_is_told(server):
    with pytest.raises(InputError, match=r"/api/records/10023263 answered 404.*chiwug\.zip"):
        senseshift.fetch("chiwug")


def test_a_record_with_one_archive_of_another_name_will_do(server):
    server.file = "dwug_en_3.zip"
    server.record = json.dumps(record(server.content, key="dwug_en_3.zip")).encode()
    assert senseshift.fetch("dwug-en").source.url.endswith("/dwug_en_3.zip?download=1")


def test_without_a_network_one_sentence_says_what_to_do(here, monkeypatch):
    with socket.socket() as silent:  # nobody listens, and nobody else can while it is bound
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        monkeypatch.setenv("SENSESHIFT_ZENODO", f"http://127.0.0.1:{port}")
        with pytest.raises(InputError) as told:
            senseshift.fetch("dwug-en")
        with pytest.raises(InputError, match=r"other\.zip could not be downloaded.*--from dwug_en"):
            senseshift.fetch("dwug-en", source=f"http://127.0.0.1:{port}/other.zip")
    assert "cannot be reached" in str(told.value)
    assert f"http://127.0.0.1:{port}/records/14028531/files/dwug_en.zip" in str(told.value)
    assert "--from dwug_en.zip" in str(told.value)
    assert leftovers(here) == []


def test_an_archive_placed_by_hand_needs_no_network(here):
    content = archive()
    Path("dwug_en.zip").write_bytes(content)
    fetched = senseshift.fetch("dwug-en", source="dwug_en.zip")
    assert not fetched.verified
    assert fetched.source.licence == "CC BY-ND 4.0"
    assert senseshift.read(fetched.folder).words == ("mouse_nn", "überspannen")
    assert Path("dwug_en.zip").read_bytes() == content  # it is the user's


def test_checksums_of_the_users_own(server, here):
    right = hashlib.sha256(server.content).hexdigest()
    Path("mine.zip").write_bytes(server.content)
    assert senseshift.fetch("dwug-en", "a", source="mine.zip", checksum=right).verified
    assert senseshift.fetch("dwug-en", "b", checksum=f"SHA256:{right.upper()}").verified
    url = f"{server.url}/records/14028531/files/dwug_en.zip"
    assert senseshift.fetch("dwug-en", "c", source=url, checksum=right).verified
    assert not senseshift.fetch("dwug-en", "d", source=url).verified
    wrong = "0" * 64
    for source in (None, "mine.zip", url):
        with pytest.raises(InputError, match="checksum"):
            senseshift.fetch("dwug-en", "e", source=source, checksum=wrong)
    for nonsense in ("12", "sha256:xyz", "crc:12345678", "md5:" + right):
        with pytest.raises(InputError, match=f"The checksum '{nonsense}' is none"):
            senseshift.fetch("dwug-en", "e", checksum=nonsense)
    assert not Path("e").exists()
    assert not list((here / "cache").rglob("*.zip*"))


def test_a_source_that_is_neither_file_nor_url_is_told(here):
    with pytest.raises(InputError, match=r"There is no file nowhere\.zip"):
        senseshift.fetch("dwug-en", source="nowhere.zip")


def test_names_that_there_are_not(here):
    with pytest.raises(InputError, match="There is no data set 'dwug-fr'; there are dwug-en, dwug"):
        senseshift.fetch("dwug-fr")
    assert {d.record for d in DATASETS.values()} == {
        14028531, 6433667, 14028509, 14028906, 5255228, 10023263, 5791125, 5791269, 5784453,
        5784569,
    }  # fmt: skip


def run(*arguments, cwd):
    command = Path(sys.executable).with_name("senseshift")
    return subprocess.run(
        [command, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False
    )


def test_the_command_line_shows_licence_citation_and_what_comes_next(server, here, called, refused):
    done = run("fetch", "dwug-en", cwd=here)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "cc-by-nd-4.0" in said
    assert "Doe, Jane" in said
    assert "verified" in said
    assert "senseshift compare dwug_en" in said
    assert "was there before" in called("fetch", "dwug-en", cwd=here).stdout
    listed = called("fetch", cwd=here).stdout
    assert all(name in listed for name in DATASETS)
    assert "no data set 'dwug-fr'" in refused("fetch", "dwug-fr", cwd=here)


def test_a_killed_process_leaves_a_part_that_the_next_completes(server, here):
    """A real Ctrl-C in the middle of a download."""
    code = (
        "import os, signal, sys\n"
        "from senseshift.__main__ import main\n"
        "from senseshift.datasets.download import Resumable\n"
        "receive = Resumable._receive\n"
        "def interrupted(self, answer, have):\n"
        "    def stop(done, total):\n"
        "        if done > 500_000: os.kill(os.getpid(), signal.SIGINT)\n"
        "    self.progress = stop\n"
        "    receive(self, answer, have)\n"
        "Resumable._receive = interrupted\n"
        "sys.argv = ['senseshift', 'fetch', 'dwug-en']\n"
        "main()\n"
    )
    stopped = subprocess.run(
        [sys.executable, "-c", code], cwd=here, capture_output=True, text=True, check=False,
        env={**os.environ},
    )  # fmt: skip
    assert stopped.returncode == 128 + signal.SIGINT, stopped.stderr
    assert "Traceback" not in stopped.stderr
    (part,) = (here / "cache").rglob("*.part")
    size = part.stat().st_size
    assert 400_000 < size < len(server.content)
    assert not Path("dwug_en").exists()
    done = run("fetch", "dwug-en", cwd=here)
    assert done.returncode == 0, done.stderr
    assert server.requests[-1] == f"bytes={size}-"
    assert senseshift.read("dwug_en").words == ("mouse_nn", "überspannen")


def test_three_at_once_download_it_once(server, here):
    command = [Path(sys.executable).with_name("senseshift"), "fetch", "dwug-en"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    three = [subprocess.Popen(command, cwd=here, **pipes) for _ in range(3)]
    said = [process.communicate() for process in three]
    assert [process.returncode for process in three] == [0, 0, 0], said
    assert sum("dwug_en is there" in out for out, _ in said) == 1
    assert sum("dwug_en was there before" in out for out, _ in said) == 2
    assert server.requests == [None]
    assert senseshift.read("dwug_en").words == ("mouse_nn", "überspannen")
    assert not list((here / "cache").rglob("*.*"))


def test_one_that_waits_says_so(server, here, caplog):
    (here / "cache").mkdir(exist_ok=True)
    server.before_archive = threading.Event()
    first = subprocess.Popen(
        [Path(sys.executable).with_name("senseshift"), "fetch", "dwug-en"], cwd=here
    )
    while not server.requests:
        time.sleep(0.01)
    second = threading.Thread(target=senseshift.fetch, args=("dwug-en",))
    second.start()
    while not caplog.records:
        time.sleep(0.01)
    assert "Another process is fetching dwug-en: waiting for it." in caplog.text
    server.before_archive.set()
    second.join()
    assert first.wait() == 0
    assert server.requests == [None]


def test_a_process_killed_anywhere_leaves_nothing_that_the_next_does_not_use_or_remove(
    server, here
):
    code = (
        "import os, signal, sys\n"
        "from senseshift.__main__ import main\n"
        "from senseshift.datasets import download, fetching\n"
        "def dead(*_): os.kill(os.getpid(), signal.SIGKILL)\n"
        "if sys.argv[1] == 'unpack': fetching.unpack = dead\n"
        "if sys.argv[1] == 'verify': download.of_file = dead\n"
        "if sys.argv[1] == 'about': fetching._about = dead\n"
        "sys.argv = ['senseshift', 'fetch', 'dwug-en']\n"
        "main()\n"
    )
    for where in ("verify", "unpack", "about"):
        killed = subprocess.run([sys.executable, "-c", code, where], cwd=here, check=False)
        assert killed.returncode == -signal.SIGKILL
        assert not Path("dwug_en").exists()
    done = run("fetch", "dwug-en", cwd=here)
    assert done.returncode == 0, done.stderr
    assert server.requests == [None, f"bytes={len(server.content)}-"]  # all of it was there
    assert sorted(path.name for path in here.iterdir()) == ["cache", "dwug_en"]
    assert not list((here / "cache").rglob("*.*"))


def test_parts_that_nobody_went_on_with_are_removed(server, here):
    downloads = here / "cache" / "downloads"
    downloads.mkdir(parents=True)
    for name, age in (("old.zip.part", 40), ("new.zip.part", 10)):
        (downloads / name).touch()
        os.utime(downloads / name, (time.time() - age * 86_400,) * 2)
    senseshift.fetch("dwug-en")
    assert [path.name for path in downloads.iterdir()] == ["new.zip.part"]


@pytest.mark.parametrize(
    ("licence", "shown"),
    [("CC-BY-4.0", "CC-BY-4.0"), (None, "CC BY-ND 4.0"), ({}, "CC BY-ND 4.0"), (["x"], "['x']")],
)
def test_a_licence_in_another_form_will_do(server, licence, shown):
    said = record(server.content)
    said["metadata"]["license"] = licence
    server.record = json.dumps(said).encode()
    assert senseshift.fetch("dwug-en").source.licence == shown


@pytest.mark.parametrize(
    "change",
    [
        {"metadata": "text"}, {"metadata": []}, {"files": {}}, {"files": "text"}, {"files": None},
        {"files": [{"key": "dwug_en.zip", "checksum": "none"}]}, {"files": [{"key": 1}]},
    ],
)  # fmt: skip
def test_a_record_of_the_wrong_form_is_told(server, change):
    server.record = json.dumps(record(server.content) | change).encode()
    with pytest.raises(InputError, match=r"/api/records/14028531.*--from dwug_en\.zip"):
        senseshift.fetch("dwug-en")


def test_a_record_nested_without_end_is_told(server):
    server.record = b"[" * 100_000
    with pytest.raises(InputError, match="did not answer with a record"):
        senseshift.fetch("dwug-en")
