from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damage import damaged, is_one_sentence, read_or_told
from senseshift.errors import InputError
from senseshift.vectors import as_vectors, read_matrix, unit, weigh


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


def test_an_empty_text_file_is_told(tmp_path):
    (tmp_path / "x.csv").write_text("\n\n")
    with pytest.raises(InputError, match=r"x\.csv: usages"):
        read_matrix(tmp_path / "x.csv")


def test_what_is_quoted_is_cut(tmp_path):
    (tmp_path / "x.csv").write_text("x" * 10**6)
    with pytest.raises(InputError, match=r"x\.csv: expected .*could not convert") as caught:
        read_matrix(tmp_path / "x.csv")
    assert is_one_sentence(caught.value)


def test_names_that_no_file_can_have():
    with pytest.raises(InputError, match="There is no file"):
        read_matrix(Path("x" * 300 + ".npy"))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, np.longdouble("1e4000")])
def test_what_is_not_finite_is_named_by_row(value):
    x = np.ones((3, 2), dtype=np.longdouble)
    x[1, 0] = value
    with pytest.raises(InputError, match="The old vector in row 1 holds a number that is not fini"):
        as_vectors(x, "old")


@pytest.mark.parametrize("vectors", [[[10**400]], [[1j]], [["a"]], [[1], [1, 2]], [[None, {}]]])
def test_what_is_no_number_is_told(vectors):
    with pytest.raises(InputError, match="must be one matrix of numbers"):
        as_vectors(vectors, "old")


@pytest.mark.parametrize("scale", [1e300, 1e-300, 5e-324])
def test_huge_and_tiny_vectors_have_lengths_and_directions(scale):
    x = as_vectors(np.array([[3.0, 4.0], [1.0, 0.0]]) * scale, "old")
    assert weigh(x, "norm").sum() == pytest.approx(1)
    assert np.linalg.norm(unit(x, "old"), axis=1) == pytest.approx(1)
    if scale > 1e-320:
        assert weigh(x, "norm") == pytest.approx([5 / 6, 1 / 6])


NUMBERS = np.random.default_rng(0).normal(size=(4, 3))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    np.save(folder / "x.npy", NUMBERS)
    np.savetxt(folder / "x.csv", NUMBERS, delimiter=",")
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_read_or_told(tmp_path_factory, files, data):
    name, spoilt = data.draw(damaged(files))
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_bytes(spoilt)
    with read_or_told():
        assert np.isfinite(read_matrix(path)).all()
