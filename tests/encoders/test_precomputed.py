from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damage import damaged, is_one_sentence, read_or_told
from senseshift.encoders import encode, load, read_vectors, write_vectors
from senseshift.errors import InputError
from tiny_models import make_usages

VECTORS = np.arange(12, dtype=np.float32).reshape(4, 3)
USAGES = make_usages([("a bank", 2, 6)] * 4, ["bank", "bank", "river", "river"])
WORDS, IDS = USAGES.table["word"].to_list(), USAGES.table["id"].to_list()
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".parquet"])
def test_what_is_written_is_matched_again_in_any_order(tmp_path, suffix):
    order = [2, 0, 3, 1]
    path = tmp_path / f"v{suffix}"
    files = write_vectors(path, VECTORS[order], [IDS[i] for i in order], [WORDS[i] for i in order])
    assert sorted(tmp_path.iterdir()) == sorted(files)
    made = encode(USAGES, path)
    assert made.dtype == np.float32
    np.testing.assert_array_equal(made, VECTORS)
    np.testing.assert_array_equal(encode(USAGES.table[::-1], str(path)), VECTORS[::-1])
    source = load(path)
    assert (source.name, source.dimension) == (path.name, 3)
    assert source.fingerprint == load(path).fingerprint


def test_the_fingerprint_follows_vectors_and_identifiers(tmp_path):
    prints = set()
    for change, name in ((0.0, "u0"), (1.0, "u0"), (0.0, "u9")):
        write_vectors(tmp_path / "v.npz", VECTORS + change, [name, *IDS[1:]], WORDS)
        prints.add(load(tmp_path / "v.npz").fingerprint)
    assert len(prints) == 3


def test_identifiers_may_be_unique_for_a_word_only(tmp_path):
    table = USAGES.table.with_columns(id=pl.Series(["1", "2", "1", "2"]))
    write_vectors(tmp_path / "v.npy", VECTORS[::-1], ["2", "1", "2", "1"], WORDS[::-1])
    np.testing.assert_array_equal(encode(table, tmp_path / "v.npy"), VECTORS)
    # Without the words they cannot be told apart, in the file or among the usages.
    (tmp_path / "v.tsv").write_text("identifier\n2\n1\n2\n1\n")
    with pytest.raises(InputError, match="more than one vector for '2'"):
        encode(table, tmp_path / "v.npy")
    (tmp_path / "v.tsv").write_text("identifier\n2\n1\n3\n4\n")
    with pytest.raises(InputError, match="More than one usage is '1'"):
        encode(table, tmp_path / "v.npy")


def test_without_identifiers_the_position_counts(tmp_path):
    path = tmp_path / "v.npy"
    np.save(path, VECTORS.astype(np.float16))
    np.testing.assert_array_equal(encode(USAGES, path), VECTORS)
    np.savez(tmp_path / "v.npz", vectors=VECTORS)
    np.testing.assert_array_equal(encode(USAGES, tmp_path / "v.npz"), VECTORS)
    pl.DataFrame({"vector": VECTORS.tolist()}).write_parquet(tmp_path / "v.parquet")
    np.testing.assert_array_equal(encode(USAGES, tmp_path / "v.parquet"), VECTORS)
    with pytest.raises(InputError, match=r"4 vectors for 3 usages.*id file v\.tsv"):
        encode(USAGES.table[:3], path)


def test_an_array_has_a_row_for_each_usage():
    np.testing.assert_array_equal(encode(USAGES, VECTORS.astype(np.float64)), VECTORS)
    with pytest.raises(InputError, match=r"^The array has 4 vectors for 3 usages: give one row"):
        encode(USAGES.table[:3], VECTORS)
    with pytest.raises(InputError, match=r"^The array of vectors must hold a matrix of numbers"):
        encode(USAGES, VECTORS[0])


def test_missing_and_surplus_vectors_are_named_and_counted(tmp_path):
    path = tmp_path / "v.npy"
    write_vectors(path, VECTORS, IDS, WORDS)
    with pytest.raises(InputError, match=r"a vector of 'u2' of the word 'river'.*2 of 4 rows"):
        encode(USAGES.table[:2], path)
    write_vectors(path, VECTORS[:1], IDS[:1], WORDS[:1])
    with pytest.raises(InputError, match=r"lacks the vector of 'u1' of the word 'bank' \(3 of 4"):
        encode(USAGES, path)


def test_an_id_file_is_not_quoted(tmp_path):
    np.save(tmp_path / "v.npy", VECTORS[:2])
    (tmp_path / "v.tsv").write_text('lemma\tgrouping\tidentifier\nbank\t1\t"u0\nbank\t2\tu1\n')
    table = USAGES.table[:2].with_columns(id=pl.Series(['"u0', "u1"]))
    np.testing.assert_array_equal(encode(table, tmp_path / "v.npy"), VECTORS[:2])


def save(path, **arrays):
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("v.npy", lambda p: None, "There is no file"),
        ("v.npy", lambda p: p.write_bytes(b"no array"), "expected a .npy file with one array"),
        ("v.npy", lambda p: np.save(p, np.ones(3)), r"not float64 of shape \(3,\)"),
        ("v.npy", lambda p: np.save(p, np.array([["a"]])), "must hold a matrix of numbers"),
        (
            "v.npy",
            lambda p: np.save(p, np.array([[{}]]), allow_pickle=True),
            "expected a .npy file with one array",
        ),
        (
            "v.npy",
            lambda p: (np.save(p, VECTORS), p.with_suffix(".tsv").write_text("a\tb\n1\t2\n")),
            "no column identifier",
        ),
        (
            "v.npy",
            lambda p: (np.save(p, VECTORS), p.with_suffix(".tsv").write_text("identifier\n1\n")),
            "4 vectors, but 1 identifiers",
        ),
        (
            "v.npy",
            lambda p: (
                np.save(p, VECTORS),
                p.with_suffix(".tsv").write_bytes(b"identifier\n\xff\n"),
            ),
            "expected UTF-8, found the byte 0xff",
        ),
        ("v.npz", lambda p: save(p, other=VECTORS), "no array vectors"),
        ("v.npz", lambda p: save(p, vectors=VECTORS, ids=["a"]), "4 vectors, but 1 identifiers"),
        ("v.npz", lambda p: save(p, vectors=np.array([[{}]])), "expected NumPy arrays"),
        ("v.parquet", lambda p: p.write_bytes(b"PAR1"), "expected a Parquet file"),
        ("v.parquet", lambda p: pl.DataFrame({"x": [1]}).write_parquet(p), "no list column vector"),
        (
            "v.parquet",
            lambda p: pl.DataFrame({"vector": [[1.0], [1.0, 2.0]]}).write_parquet(p),
            "of one length",
        ),
        (
            "v.parquet",
            lambda p: pl.DataFrame({"id": ["a", None], "vector": [[1.0], [2.0]]}).write_parquet(p),
            "column id is empty in row 2",
        ),
    ],
)
def test_a_broken_file_is_named(tmp_path, name, make, message):
    make(tmp_path / name)
    with pytest.raises(InputError, match=message) as caught:
        read_vectors(tmp_path / name)
    assert str(tmp_path / name)[:-4] in str(caught.value)


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("v.npz", lambda p: p.write_bytes(b"PK\x03\x04 no archive"), "expected NumPy arrays"),
        ("v.npz", lambda p: np.save(p.open("wb"), VECTORS), "holds one array, not several"),
        ("v.npz", lambda p: save(p, vectors=VECTORS, ids=np.array("a")), "array ids must be a row"),
        ("v.npz", lambda p: save(p, vectors=VECTORS, ids=VECTORS), "array ids must be a row"),
        ("v.npy", lambda p: save(p.open("wb"), vectors=VECTORS), "expected a .npy file"),
        (
            "v.npy",
            lambda p: p.write_bytes(b"\x93NUMPY\x01\x00\x10\x00{'descr': '<f4', "),
            "expected a .npy file",
        ),
        (
            "v.parquet",
            lambda p: pl.DataFrame({"vector": [[1.0], [None]]}).write_parquet(p),
            "a vector lacks a number",
        ),
        (
            "v.parquet",
            lambda p: pl.DataFrame({"vector": [["a"]]}).write_parquet(p),
            "must hold a matrix of numbers",
        ),
        (
            "v.parquet",
            lambda p: pl.DataFrame({"id": [["a"]], "vector": [[1.0]]}).write_parquet(p),
            "expected text in the column id",
        ),
        ("x" * 300 + ".npy", lambda p: None, "There is no file"),
    ],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of the files that are made here
def test_a_file_that_is_not_what_it_seems_is_told_in_one_sentence(tmp_path, name, make, message):
    make(tmp_path / name)
    with pytest.raises(InputError, match=message) as caught:
        read_vectors(tmp_path / name)
    assert is_one_sentence(caught.value)


def test_identifiers_in_bytes_are_text(tmp_path):
    save(tmp_path / "v.npz", vectors=VECTORS, ids=np.array([name.encode() for name in IDS]))
    assert read_vectors(tmp_path / "v.npz").ids == IDS


def test_numbers_too_large_are_told_with_the_usage(tmp_path):
    huge = VECTORS.astype(np.float64)
    huge[2, 1] = 1e300
    save(tmp_path / "v.npz", vectors=huge, ids=IDS, words=WORDS)
    with pytest.raises(InputError, match=r"'u2' of the word 'river' from v\.npz"):
        encode(USAGES, tmp_path / "v.npz")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Sound files of every format."""
    folder = tmp_path_factory.mktemp("sound")
    for suffix in (".npy", ".npz", ".parquet"):
        write_vectors(folder / f"v{suffix}", VECTORS, IDS, WORDS)
    np.savez_compressed(folder / "small.npz", vectors=VECTORS, ids=IDS)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_read_or_told(tmp_path_factory, files, data):
    name, spoilt = data.draw(damaged(files))
    folder = tmp_path_factory.mktemp("damaged")
    for each in {"v.npy", "v.tsv"} if name in ("v.npy", "v.tsv") else {name}:
        (folder / each).write_bytes(spoilt if each == name else files[each])
    with read_or_told():
        read_vectors(folder / name.replace(".tsv", ".npy")).match(WORDS, IDS)


def test_vectors_that_are_not_finite_are_an_error(tmp_path):
    broken = VECTORS.copy()
    broken[2, 1] = np.inf
    write_vectors(tmp_path / "v.npz", broken, IDS, WORDS)
    with pytest.raises(InputError, match=r"'u2' of the word 'river' from v\.npz"):
        encode(USAGES, tmp_path / "v.npz")


def test_what_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(InputError, match="cannot stand in a TAB separated id file"):
        write_vectors(tmp_path / "v.npy", VECTORS, ["a\tb", *IDS[1:]], WORDS)
    with pytest.raises(InputError, match="ends in none of"):
        write_vectors(tmp_path / "v.csv", VECTORS, IDS, WORDS)
    with pytest.raises(InputError, match="4 vectors, 1 identifiers and 4 words"):
        write_vectors(tmp_path / "v.npy", VECTORS, ["a"], WORDS)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="cannot be written"):
        write_vectors(tmp_path / "no folder" / "v.npz", VECTORS, IDS, WORDS)


DEAD = """
import os, resource, signal, sys
import numpy as np
from senseshift.encoders import write_vectors

moves, replace = 0, os.replace
def killed(source, target):
    global moves
    moves += 1
    if str(moves) == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target)
os.replace = killed
if sys.argv[2] == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
vectors = -np.arange(80, dtype=np.float32).reshape(4, 20)
write_vectors(sys.argv[1], vectors, ["u3", "u2", "u1", "u0"], ["river", "river", "bank", "bank"])
"""


@pytest.mark.parametrize("when", ["1", "2", "full"])
def test_vectors_never_go_with_other_identifiers(tmp_path, when):
    path = tmp_path / "v.npy"
    write_vectors(path, VECTORS, IDS, WORDS)
    ended = subprocess.run([sys.executable, "-c", DEAD, path, when], capture_output=True, text=True)
    assert ended.returncode == (1 if when == "full" else -signal.SIGKILL)
    if when == "2":  # between the two files
        with pytest.raises(InputError, match=r"v\.tsv do not belong together: row 1"):
            encode(USAGES, path)
    else:
        np.testing.assert_array_equal(encode(USAGES, path), VECTORS)
    write_vectors(path, VECTORS, IDS, WORDS)
    np.testing.assert_array_equal(encode(USAGES, path), VECTORS)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["v.npy", "v.tsv"]


def test_dwug_vectors_are_matched_by_word_and_identifier():
    if not (SHARED / "dwug_en_vectors.npy").is_file():
        pytest.skip(f"{SHARED} has no dwug_en_vectors.npy")
    known = pl.read_csv(
        SHARED / "dwug_en_vectors.tsv", separator="\t", quote_char=None, infer_schema=False
    )
    usages = known.select(
        word="lemma", id="identifier", text=pl.lit("x"), start=pl.lit(0), end=pl.lit(1)
    )
    order = np.random.default_rng(0).permutation(usages.height)
    made = encode(usages[order], SHARED / "dwug_en_vectors.npy")
    assert made.shape == (9107, 384)
    expected = np.load(SHARED / "dwug_en_vectors.npy").astype(np.float32)
    np.testing.assert_array_equal(made, expected[order])
