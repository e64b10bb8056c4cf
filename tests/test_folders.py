import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.errors import InputError
from senseshift.folders import files_whole, read_whole

PARTS = ("a", "deep/b", "deep/c")
SUMS = "SHA256SUMS"


def write(folder, content, names=PARTS, **options):
    with files_whole(folder, **options) as made:
        for name in names:
            (made / name).parent.mkdir(exist_ok=True)
            (made / name).write_text(content)


def contents(folder):
    """What a reader finds, our list and what is being written apart."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {n: (folder / n).read_text() for n in names if n != SUMS and not n.startswith(".sense")}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_folder_appears_whole(tmp_path):
    folder = tmp_path / "deep" / "folder"
    with files_whole(folder) as made:
        (made / "a").write_text("here")
        assert not folder.exists()
    assert names(folder) == [SUMS, "a"]
    assert names(tmp_path / "deep") == ["folder"]
    with read_whole(folder):
        assert contents(folder) == {"a": "here"}


def test_the_list_is_one_that_other_tools_check(tmp_path):
    write(tmp_path / "folder", "here")
    checked = ["sha256sum", "--check", "--strict", SUMS]
    assert subprocess.run(checked, cwd=tmp_path / "folder", capture_output=True).returncode == 0


def test_what_is_not_ours_stays_and_what_was_ours_goes(tmp_path):
    write(tmp_path, "old", ("a", "deep/b", "gone/only"))
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("mine")
    (tmp_path / "deep" / "mine").write_text("mine")
    write(tmp_path, "new", ("a", "deep/c"))
    assert contents(tmp_path) == {
        "a": "new", "deep/c": "new", "deep/mine": "mine", "notes.txt": "mine",
        ".git/config": "mine",
    }  # fmt: skip
    assert names(tmp_path) == [".git", SUMS, "a", "deep", "notes.txt"]


def test_of_a_folder_without_a_list_only_what_is_named_is_ours(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "data").mkdir()
    before = ("a.js", "old.js", "data/old.js", "notes", "mine/my.js", "data/notes")
    for name in before:
        (tmp_path / name).write_text("before")
    write(tmp_path, "new", ("a.js", "data/b.js"), owned=["*.js", "data/*.js"])
    ours = {"a.js": "new", "data/b.js": "new"}
    assert contents(tmp_path) == {
        **dict.fromkeys(("notes", "mine/my.js", "data/notes"), "before"),
        **ours,
    }


@pytest.mark.parametrize("name", ["a", "deep", SUMS])
def test_what_is_not_ours_is_never_replaced(tmp_path, name):
    (tmp_path / name).write_text("0" * 64 + "  mine\n")
    (tmp_path / "mine").write_text("mine")
    before = names(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path, "new")
    assert names(tmp_path) == before
    assert (tmp_path / name).read_text() == "0" * 64 + "  mine\n"


@pytest.mark.parametrize("links", [True, False])
@given(failing=st.integers(0, 5))
def test_a_move_that_fails_is_undone_with_all_before_it(tmp_path_factory, links, failing):
    folder = tmp_path_factory.mktemp("folder")
    write(folder, "old", ("a", "deep/b", "gone"))
    moves = 0
    replace = os.replace

    def no_link(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    def fail(source, target):
        nonlocal moves
        moves += 1
        if moves == failing + 1:
            raise PermissionError(13, "Permission denied", source)
        replace(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", fail)
        if not links:
            patch.setattr(os, "link", no_link)
        with pytest.raises(InputError, match="cannot be written: Permission denied"):
            write(folder, "new")
    assert contents(folder) == {"a": "old", "deep/b": "old", "gone": "old"}
    assert names(folder) == [SUMS, "a", "deep", "gone"]
    with read_whole(folder):
        pass


KILLED = """
import os, signal, sys
from pathlib import Path
from senseshift.folders import files_whole

moves, replace = 0, os.replace
def killed(source, target):
    global moves
    moves += 1
    if moves == int(sys.argv[2]) + 1:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target)
os.replace = killed
with files_whole(Path(sys.argv[1])) as made:
    (made / "deep").mkdir()
    for name in ("a", "deep/b", "deep/c"):
        (made / name).write_text("new")
"""


def test_whoever_comes_after_a_killed_process_finds_the_old_or_the_new(tmp_path):
    seen = []
    ended = -signal.SIGKILL
    while ended:
        folder, same = tmp_path / f"{len(seen)}", tmp_path / f"{len(seen)} again"
        write(folder, "old", ("a", "deep/b", "gone"))
        (folder / "notes").write_text("mine")
        ended = subprocess.run([sys.executable, "-c", KILLED, folder, f"{len(seen)}"]).returncode
        assert ended in (0, -signal.SIGKILL)
        shutil.copytree(folder, same)
        assert (folder / "a").is_file()  # as there was, there is always one
        assert (folder / SUMS).is_file()
        with read_whole(folder):
            found = contents(folder)
        assert found.pop("notes") == "mine"
        assert found in ({"a": "old", "deep/b": "old", "gone": "old"}, dict.fromkeys(PARTS, "new"))
        seen.append(found["a"])
        write(same, "newer")
        assert contents(same) == {**dict.fromkeys(PARTS, "newer"), "notes": "mine"}
        assert names(same) == [SUMS, "a", "deep", "notes"]  # nothing of what was left
    # Six moves; after the first, which makes all of it ready, the rest is made up for.
    assert seen == ["old"] + ["new"] * 6


def test_files_that_do_not_belong_together_are_told(tmp_path):
    write(tmp_path, "old")
    (tmp_path / "deep" / "b").write_text("changed")
    with (
        pytest.raises(InputError, match=r"deep/b is not the file.*SHA256SUMS"),
        read_whole(tmp_path),
    ):
        pass
    (tmp_path / "deep" / "b").unlink()
    with pytest.raises(InputError, match="deep/b cannot be read"), read_whole(tmp_path):
        pass
    (tmp_path / SUMS).unlink()
    with read_whole(tmp_path):
        assert contents(tmp_path) == {"a": "old", "deep/c": "old"}


def test_a_list_names_nothing_outside_its_folder(tmp_path):
    folder = tmp_path / "folder"
    write(folder, "old", ("a",))
    (tmp_path / "outside").write_text("mine")
    with (folder / SUMS).open("a") as file:
        file.write(f"{'0' * 64}  ../outside\n{'0' * 64}  {tmp_path}/outside\n")
    write(folder, "new", ("b",))
    assert (tmp_path / "outside").read_text() == "mine"


def test_two_that_write_at_once_do_not_mix(tmp_path):
    folder = tmp_path / "folder"
    failures = []

    def many(content):
        try:
            for _ in range(20):
                write(folder, content)
        except Exception as error:
            failures.append(error)

    threads = [Thread(target=many, args=(content,)) for content in "xyz"]
    for thread in threads:
        thread.start()
    read = 0
    while any(thread.is_alive() for thread in threads):
        with read_whole(folder):
            found = contents(folder)
        read += 1
        assert len(set(found.values())) <= 1
    assert not failures
    assert read > 1
    assert names(folder) == [SUMS, "a", "deep"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "notes").write_text("mine")
    link = tmp_path / "link"
    link.symlink_to("real")
    for content in ("old", "new"):
        write(link, content, ("a",))
    assert link.is_symlink()
    assert contents(tmp_path / "real") == {"a": "new", "notes": "mine"}
    to_come = tmp_path / "to come"
    to_come.symlink_to("later")
    write(to_come, "new", ("a",))
    assert contents(tmp_path / "later") == {"a": "new"}


def test_what_goes_wrong_while_files_are_made_leaves_what_was_there(tmp_path):
    write(tmp_path, "old")

    def stopped(error):
        with files_whole(tmp_path) as made:
            (made / "a").write_text("new")
            raise error

    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            stopped(error)
    assert contents(tmp_path) == dict.fromkeys(PARTS, "old")
    assert names(tmp_path) == [SUMS, "a", "deep"]


def test_an_error_that_is_not_of_the_writing_keeps_its_words(tmp_path):
    for error in (ConnectionResetError(104, "Connection reset by peer"), TimeoutError("slow")):
        with pytest.raises(type(error)) as raised, files_whole(tmp_path / "folder"):
            raise error
        assert raised.value is error
    with pytest.raises(FileNotFoundError, match="none"), files_whole(tmp_path / "folder"):
        (tmp_path / "none").read_text()
    with (
        pytest.raises(InputError, match="folder cannot be written: Is a directory") as told,
        files_whole(tmp_path / "folder") as made,
    ):
        made.write_text("")
    assert isinstance(told.value.__cause__, IsADirectoryError)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "folder"):
        with pytest.raises(InputError, match="cannot be written"), files_whole(Path(path)):
            pass
