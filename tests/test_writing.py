import io
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from senseshift.errors import InputError
from senseshift.writing import file_names, folder_whole, write_array, written_whole


def test_a_file_appears_only_when_it_is_whole(tmp_path):
    path = tmp_path / "file"
    with written_whole(path) as file:
        file.write(b"half")
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"


def test_what_goes_wrong_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def interrupted(error):
        with written_whole(path) as file:
            file.write(b"after")
            raise error

    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            interrupted(error)
    assert path.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_where_nothing_can_be_written_is_told(tmp_path):
    with pytest.raises(InputError, match="there is no folder"), written_whole(tmp_path / "a" / "b"):
        pass
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"), written_whole(tmp_path / "folder"):
        pass


def test_a_folder_appears_only_when_it_is_whole(tmp_path):
    folder = tmp_path / "deep" / "folder"
    with folder_whole(folder) as made:
        (made / "file").write_text("here")
        assert not folder.exists()
    assert (folder / "file").read_text() == "here"
    assert [path.name for path in folder.parent.iterdir()] == ["folder"]


def test_a_folder_that_is_there_stays_and_one_that_is_not_whole_does_not_appear(tmp_path):
    folder = tmp_path / "folder"

    def fill(error=None):
        with folder_whole(folder) as made:
            (made / "file").touch()
            if error:
                raise error

    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            fill(error)
    assert not list(tmp_path.iterdir())
    fill()
    with pytest.raises(InputError, match="folder exists"):
        fill()
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(InputError, match="cannot be written"),
        folder_whole(tmp_path / "file" / "folder"),
    ):
        pass


@given(
    arrays(
        st.sampled_from([np.float32, np.float16, np.int64, ">f8"]),
        array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5),
        elements=st.integers(0, 9),
    ),
    st.booleans(),
)
def test_an_array_is_written_as_numpy_reads_it(array, turned):
    file, array = io.BytesIO(), array.T if turned else array
    write_array(file, array)
    file.seek(0)
    read = np.load(file, allow_pickle=False)
    assert read.dtype == array.dtype
    np.testing.assert_array_equal(read, array)


@given(st.lists(st.text(min_size=1), unique=True))
def test_every_word_has_a_file_name_of_its_own(tmp_path_factory, words):
    names = file_names(words)
    assert list(names) == words
    assert len({name.casefold() for name in names.values()}) == len(words)
    folder = tmp_path_factory.mktemp("names")
    for name in names.values():
        (folder / name).touch()  # in this folder and no other
    assert {path.name for path in folder.iterdir()} == set(names.values())


def test_a_file_is_written_where_its_link_points(tmp_path):
    (tmp_path / "real").write_bytes(b"before")
    (tmp_path / "link").symlink_to("real")
    with written_whole(tmp_path / "link") as file:
        file.write(b"after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"after"


def test_what_is_no_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a file"), written_whole(tmp_path / "pipe"):
        pass
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("whole", [written_whole, folder_whole])
def test_an_error_that_is_not_of_the_writing_keeps_its_words(tmp_path, whole):
    for error in (TimeoutError("slow"), ConnectionResetError(104, "Connection reset by peer")):
        with pytest.raises(type(error)) as raised, whole(tmp_path / "new"):
            raise error
        assert raised.value is error
    with pytest.raises(FileNotFoundError, match="none"), whole(tmp_path / "new"):
        (tmp_path / "none").read_text()
    assert not list(tmp_path.iterdir())


# In a process of its own, as a limit on the size of files cannot be lifted again.
FULL = """
import resource, signal, sys
from contextlib import nullcontext
from pathlib import Path
import numpy as np, polars as pl
from senseshift.errors import InputError
from senseshift.writing import folder_whole, write_array, written_whole

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
numbers = np.random.default_rng(0).random(30_000)
table = pl.DataFrame({"a": numbers})
def end_of_array(place):
    with open(place, "wb") if isinstance(place, Path) else nullcontext(place) as file:
        write_array(file, numbers[:2_490])
ways = {
    "parquet": table.write_parquet,
    "csv": table.write_csv,
    "json": table.write_ndjson,
    "npy": lambda file: np.save(file, numbers),
    "end of npy": end_of_array,
    "npz": lambda file: np.savez(file, a=numbers),
    "bytes": lambda file: (Path(file).write_bytes if isinstance(file, Path) else file.write)(
        numbers.tobytes()
    ),
}
for name, write in ways.items():
    for whole in (written_whole, folder_whole):
        try:
            with whole(Path(sys.argv[1], name)) as made:
                write(made / name if whole is folder_whole else made)
        except InputError as error:
            print(error)
"""


def test_a_disk_that_is_full_is_told_in_one_sentence(tmp_path):
    run = [sys.executable, "-W", "error", "-c", FULL, tmp_path]
    ended = subprocess.run(run, capture_output=True, text=True)
    assert ended.stderr == ""
    assert ended.returncode == 0
    told = ended.stdout.splitlines()
    assert len(told) == 14
    for line in told:
        assert re.search(r"cannot be written: (File too large|not all of it .* full disk)\.$", line)
    assert not list(tmp_path.iterdir())


LEFT = """
import os, signal, sys
from pathlib import Path
from senseshift import writing

with getattr(writing, sys.argv[1])(Path(sys.argv[2])):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("whole", [written_whole, folder_whole])
def test_what_a_killed_process_left_is_removed_but_not_what_another_is_at(tmp_path, whole):
    run = [sys.executable, "-c", LEFT, whole.__name__, tmp_path / "a"]
    assert subprocess.run(run).returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    with whole(tmp_path / "a"):
        with whole(tmp_path / "b"):
            assert len(list(tmp_path.iterdir())) == 2
        assert len(list(tmp_path.iterdir())) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
