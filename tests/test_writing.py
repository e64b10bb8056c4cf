import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.errors import InputError
from senseshift.writing import file_names, folder_whole, written_whole


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


def test_a_folder_that_is_there_is_replaced_only_when_asked_for_and_only_by_a_whole_one(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "before").touch()

    def fill(error=None, **options):
        with folder_whole(folder, **options) as made:
            (made / "after").touch()
            if error:
                raise error

    with pytest.raises(InputError, match="folder exists"):
        fill()
    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            fill(error, replace=True)
    assert [path.name for path in folder.iterdir()] == ["before"]
    fill(replace=True)
    assert [path.name for path in folder.iterdir()] == ["after"]
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(InputError, match="cannot be written"),
        folder_whole(tmp_path / "file" / "folder"),
    ):
        pass


@given(st.lists(st.text(min_size=1), unique=True))
def test_every_word_has_a_file_name_of_its_own(tmp_path_factory, words):
    names = file_names(words)
    assert list(names) == words
    assert len({name.casefold() for name in names.values()}) == len(words)
    folder = tmp_path_factory.mktemp("names")
    for name in names.values():
        (folder / name).touch()  # in this folder and no other
    assert {path.name for path in folder.iterdir()} == set(names.values())
