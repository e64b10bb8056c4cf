import numpy as np
import pytest

from senseshift.errors import InputError
from senseshift.vectors import read_matrix


def test_files_of_each_kind_are_read(tmp_path):
    x = np.random.default_rng(0).normal(size=(4, 3))
    np.save(tmp_path / "x.npy", x.astype(np.float16))
    np.savetxt(tmp_path / "x.csv", x, delimiter=",")
    np.savetxt(tmp_path / "x.tsv", x, delimiter="\t")
    assert read_matrix(tmp_path / "x.npy") == pytest.approx(x, abs=1e-2)
    assert read_matrix(tmp_path / "x.csv") == pytest.approx(x)
    assert read_matrix(tmp_path / "x.tsv") == pytest.approx(x)


@pytest.mark.parametrize("content", [b"", b"not numbers", b"\x93NUMPY broken"])
@pytest.mark.parametrize("name", ["x.npy", "x.csv"])
def test_broken_files_are_named(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name):
        read_matrix(tmp_path / name)


def test_pickles_are_not_opened(tmp_path):
    np.save(tmp_path / "x.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match=r"x\.npy: expected a \.npy file"):
        read_matrix(tmp_path / "x.npy")


def test_missing_files_are_named(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        read_matrix(tmp_path / "nowhere.npy")
