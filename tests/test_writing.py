import pytest

from senseshift.errors import InputError
from senseshift.writing import written_whole


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
