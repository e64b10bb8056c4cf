import io
import stat
import zipfile
from contextlib import suppress

import pytest
from archives import archive, graphs
from hypothesis import given
from hypothesis import strategies as st

import senseshift
from senseshift.datasets.unpack import unpack
from senseshift.errors import InputError


def zipped(path, members):
    with zipfile.ZipFile(path, "w") as file:
        for member, content in members:
            file.writestr(member, content)
    return path


@pytest.mark.parametrize("top", ["dwug_en/", "any name/", ""])
def test_it_can_be_read_with_or_without_a_folder_about_it(tmp_path, top):
    (tmp_path / "a.zip").write_bytes(archive(top=top))
    unpack(tmp_path / "a.zip", tmp_path / "out")
    assert senseshift.read(tmp_path / "out").words == ("mouse_nn", "überspannen")


def test_clutter_of_other_systems_is_left_out(tmp_path):
    files = {f"dwug_en/{name}": content for name, content in graphs().items()}
    files |= {"__MACOSX/dwug_en/._README.md": b"x", "dwug_en/.DS_Store": b"x"}
    (tmp_path / "a.zip").write_bytes(archive(files, top=""))
    unpack(tmp_path / "a.zip", tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"README.md", "data", "clusters"}


def test_names_in_utf8_that_do_not_say_so_are_read_right(tmp_path):
    zipped(tmp_path / "a.zip", [("dwug_de/data/uberspannen/uses.csv", "x"), ("dwug_de/b", "y")])
    # the same bytes a Unix zip writes: UTF-8, without the flag that says so
    content = (tmp_path / "a.zip").read_bytes()
    content = content.replace(b"uberspannen", "Übermaße".encode() + b"n")
    (tmp_path / "a.zip").write_bytes(content)
    unpack(tmp_path / "a.zip", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out" / "data").iterdir()] == ["Übermaßen"]


@pytest.mark.parametrize(
    "name", ["../evil", "a/../../evil", "/etc/evil", "C:/evil", "..\\evil", "C:\\evil", ".."]
)
def test_no_member_leads_out_of_the_folder(tmp_path, name):
    zipped(tmp_path / "a.zip", [("good/file", "x"), (name, "x")])
    with pytest.raises(InputError, match="leads out of its folder"):
        unpack(tmp_path / "a.zip", tmp_path / "in" / "out")
    assert [path.name for path in tmp_path.rglob("*")] == ["a.zip"]  # not even the good one


@given(st.lists(st.sampled_from(["..", ".", "a", "b", "/", "\\", "C:", "ü"]), min_size=1))
def test_whatever_the_name_nothing_is_written_outside(tmp_path_factory, parts):
    folder = tmp_path_factory.mktemp("unpack")
    zipped(folder / "a.zip", [("/".join(parts), "x"), ("b/c", "x")])
    inside = folder / "in" / "out"
    with suppress(InputError, OSError):
        unpack(folder / "a.zip", inside)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert [path for path in files if inside not in path.parents] == [folder / "a.zip"]


def test_links_are_refused(tmp_path):
    link = zipfile.ZipInfo("dwug_en/data")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    zipped(tmp_path / "a.zip", [(link, "/etc"), ("dwug_en/data/passwd", "x")])
    with pytest.raises(InputError, match="leads out"):
        unpack(tmp_path / "a.zip", tmp_path / "out")


def test_what_is_broken_or_empty_is_told(tmp_path):
    content = archive(padding=10_000)
    for broken in (
        b"<html>not a zip</html>",
        content[:-30],
        content[:3000] + b"\0" * 200 + content[3200:],
    ):
        (tmp_path / "a.zip").write_bytes(broken)
        with pytest.raises(InputError, match=r"a\.zip cannot be unpacked"):
            unpack(tmp_path / "a.zip", tmp_path / "out")
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    (tmp_path / "a.zip").write_bytes(empty.getvalue())
    with pytest.raises(InputError, match="empty"):
        unpack(tmp_path / "a.zip", tmp_path / "out")
