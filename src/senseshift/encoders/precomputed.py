"""Vectors that were made elsewhere: read, matched to usages, written."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np
import polars as pl
from numpy.lib.npyio import NpzFile

from senseshift.encoders.protocol import Vectors, fingerprint_of
from senseshift.errors import InputError, shortened
from senseshift.reading import contents, expecting, is_there, printable
from senseshift.usages.problems import decode
from senseshift.vectors import load_array
from senseshift.writing import write_array, written_whole

SUFFIXES = (".npy", ".npz", ".parquet")
ID_COLUMNS = ("identifier", "id")
WORD_COLUMNS = ("lemma", "word")
SUM_COLUMN = "crc32"


@dataclass(frozen=True, eq=False)
class Precomputed:
    """Vectors from a file, and which usage each is of, where the file says so; or an array.

    Attributes
    ----------
    path
        Where they come from; None for an array.
    vectors
        One row for each usage.
    ids
        Identifiers of the rows; without them rows belong to usages by position.
    words
        Words of the rows: with them, identifiers need be unique for each word only.
    """

    path: Path | None
    vectors: Vectors
    ids: list[str] | None = None
    words: list[str] | None = None

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name if self.path else "array"

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return int(self.vectors.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the vectors and of whose they are."""
        content = np.ascontiguousarray(self.vectors, dtype="<f4").tobytes()
        settings = {"method": "precomputed 1", "ids": self.ids, "words": self.words}
        return fingerprint_of({**settings, "dimension": self.dimension}, content)

    def match(self, words: Sequence[str], ids: Sequence[str]) -> Vectors:
        """The rows of these usages: by identifier (and word) if known, else by position."""
        if self.ids is None:
            if len(ids) != len(self.vectors):
                raise InputError(self._unequal(len(ids)))
            return self.vectors
        rows = {key: row for row, key in enumerate(_keys(self.words, self.ids))}
        wanted = list(_keys(words if self.words is not None else None, ids))
        self._check(rows, wanted)
        return self.vectors[[rows[key] for key in wanted]]

    def _unequal(self, usages: int) -> str:
        counts = f"has {len(self.vectors)} vectors for {usages} usages"
        if self.path is None:
            return f"The array {counts}: give one row for each usage, in their order."
        return (
            f"{self.path} {counts}, and no identifiers to match them by: give one row for each "
            f"usage, or an id file {self.path.with_suffix('.tsv').name} beside it with a column "
            "identifier."
        )

    def _check(self, rows: dict[tuple[str, ...], int], wanted: list[tuple[str, ...]]) -> None:
        if len(rows) != len(self.vectors):
            raise InputError(
                f"{self.path} has more than one vector for {_repeated(_keys(self.words, self.ids))}"
                ": keep one row for each usage."
            )
        asked = set(wanted)
        if len(asked) != len(wanted):
            raise InputError(
                f"More than one usage is {_repeated(wanted)}, but {self.path} tells rows apart "
                "by no more than that: make identifiers unique, or add a column lemma."
            )
        missing = [key for key in wanted if key not in rows]
        if missing:
            raise InputError(
                f"{self.path} lacks the vector of {_said(missing[0])} ({len(missing)} of "
                f"{len(wanted)} usages lack theirs): encode these usages too."
            )
        surplus = [key for key in rows if key not in asked]
        if surplus:
            raise InputError(
                f"{self.path} has a vector of {_said(surplus[0])}, which is not among the usages "
                f"({len(surplus)} of {len(rows)} rows are of none): remove these rows."
            )


def from_array(array: Any) -> Precomputed:
    """Vectors of usages in their order."""
    return Precomputed(None, _matrix(array, "The array of vectors"))


def _keys(words: Sequence[str] | None, ids: Sequence[str] | None) -> list[tuple[str, ...]]:
    ids = ids or []
    if words is None:
        return [(name,) for name in ids]
    return list(zip(words, ids, strict=True))


def _said(key: tuple[str, ...]) -> str:
    word = f" of the word {shortened(repr(key[0]))}" if len(key) == 2 else ""
    return shortened(repr(key[-1])) + word


def _repeated(keys: Sequence[tuple[str, ...]]) -> str:
    return _said(Counter(keys).most_common(1)[0][0])


def read_vectors(path: str | Path) -> Precomputed:
    """Vectors from ``.npy`` (with ids in a ``.tsv`` beside it), ``.npz`` or ``.parquet``.

    A ``.npy`` may have an id file beside it: same stem, ``.tsv``, TAB separated, with a column
    ``identifier`` and perhaps ``lemma``, and ``crc32`` of each vector, which is then checked. An
    ``.npz`` holds ``vectors`` and perhaps ``ids`` and ``words``; a Parquet file a list column
    ``vector`` and perhaps ``id`` and ``word``.
    """
    path = Path(path).expanduser()
    if not is_there(path) or path.is_dir():
        raise InputError(
            f"There is no file {printable(path)}: give precomputed vectors that exist."
        )
    readers = {".npy": _read_npy, ".npz": _read_npz, ".parquet": _read_parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path} ends in none of {', '.join(SUFFIXES)}: give vectors as one.")
    vectors, ids, words = reader(path)
    for what, values in (("identifiers", ids), ("words", words)):
        if values is not None and len(values) != len(vectors):
            raise InputError(
                f"{path} has {len(vectors)} vectors, but {len(values)} {what} go with it: "
                "there must be one for each row, in the same order."
            )
    return Precomputed(path, vectors, ids, words if ids is not None else None)


Parts = tuple[Vectors, list[str] | None, list[str] | None]


def _read_npy(path: Path) -> Parts:
    vectors = _matrix(load_array(path), path)
    beside = path.with_suffix(".tsv")
    if not is_there(beside):
        return vectors, None, None
    text = decode(contents(beside), printable(beside))
    with expecting(beside, "a TAB separated table"):
        table = pl.read_csv(text.encode(), separator="\t", quote_char=None, infer_schema=False)
    ids = _column(table, ID_COLUMNS, beside)
    if ids is None:
        raise InputError(
            f"{printable(beside)} has no column identifier (it has {_some(table.columns)}): add "
            f"one, or remove the file to match {printable(path.name)} by position."
        )
    _check_sums(table, vectors, path, beside)
    return vectors, ids, _column(table, WORD_COLUMNS, beside)


def _check_sums(table: pl.DataFrame, vectors: Vectors, path: Path, beside: Path) -> None:
    """Where the id file says which vector each row is of, it must be that one."""
    if SUM_COLUMN not in table.columns or table.height != len(vectors):
        return
    same = [said == found for said, found in zip(table[SUM_COLUMN], _sums(vectors), strict=True)]
    if not all(same):
        raise InputError(
            f"{path} and {beside.name} do not belong together: row {same.index(False) + 1} of the "
            "vectors is another than its identifier was written with; encode the usages again, "
            f"or remove the column {SUM_COLUMN} if you changed the vectors yourself."
        )


def _sums(vectors: Vectors) -> list[str]:
    """A checksum of every vector, which binds it to its identifier in another file."""
    return [f"{crc32(row.tobytes()):08x}" for row in np.asarray(vectors, "<f4")]


def _read_npz(path: Path) -> Parts:
    with expecting(path, "NumPy arrays"), path.open("rb") as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, NpzFile):
            raise InputError(f"{printable(path)} holds one array, not several: call it .npy.")
        with archive:
            if "vectors" not in archive:
                raise InputError(
                    f"{printable(path)} has no array vectors (it has {_some(archive.files)})."
                )
            vectors = _matrix(archive["vectors"], path)
            names = {name: _names(archive[name], name, path) for name in _NAMED if name in archive}
    return vectors, names.get("ids"), names.get("words")


_NAMED = ("ids", "words")


def _names(array: Any, name: str, path: Path) -> list[str]:
    """An array of identifiers or words as a list of text."""
    if array.ndim != 1 or array.dtype.kind not in "USiu":
        raise InputError(
            f"{printable(path)}: the array {name} must be a row of texts, "
            f"not {shortened(str(array.dtype), 40)} of shape {array.shape}."
        )
    if array.dtype.kind == "S":
        array = np.char.decode(array, "utf-8")
    return [str(value) for value in array]


def _read_parquet(path: Path) -> Parts:
    with expecting(path, "a Parquet file"), path.open("rb") as file:
        table = pl.read_parquet(file)
    column = table.get_column("vector", default=None)
    if column is None or not isinstance(column.dtype, pl.List | pl.Array):
        raise InputError(
            f"{printable(path)} has no list column vector (it has {_some(table.columns)})."
        )
    if isinstance(column.dtype, pl.Array):
        column = column.arr.to_list()
    lengths = column.list.len()
    if lengths.null_count() or lengths.n_unique() > 1:
        raise InputError(f"{printable(path)}: the vectors must all be there and of one length.")
    flat = column.explode()
    if flat.null_count():
        raise InputError(f"{printable(path)}: a vector lacks a number.")
    matrix = flat.to_numpy()
    vectors = _matrix(matrix.reshape(table.height, -1) if table.height else matrix, path)
    return vectors, _column(table, ID_COLUMNS, path), _column(table, WORD_COLUMNS, path)


def _matrix(array: Any, path: Path | str) -> Vectors:
    matrix = np.asarray(array)
    if matrix.ndim != 2 or matrix.shape[1] == 0 or matrix.dtype.kind not in "fiu":
        raise InputError(
            f"{printable(path)} must hold a matrix of numbers (usages × dimensions), "
            f"not {shortened(str(matrix.dtype), 40)} of shape {matrix.shape}."
        )
    # What float32 cannot hold becomes what is not finite, and is told as such.
    with np.errstate(over="ignore", invalid="ignore"):
        return matrix.astype(np.float32)


def _column(table: pl.DataFrame, names: Sequence[str], path: Path) -> list[str] | None:
    for name in names:
        if name in table.columns:
            column = table[name]
            if column.null_count():
                row = int(column.is_null().arg_max() or 0)
                raise InputError(f"{printable(path)}: the column {name} is empty in row {row + 1}.")
            with expecting(path, f"text in the column {name}"):
                return column.cast(pl.String).to_list()
    return None


def _some(names: Sequence[str]) -> str:
    return shortened(", ".join(names), 200) or "none"


def check_output(path: Path) -> None:
    """Say at once if the name of a file does not tell how to write vectors to it."""
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path} ends in none of {', '.join(SUFFIXES)}: choose one.")


def write_vectors(
    path: str | Path, vectors: Vectors, ids: Sequence[str], words: Sequence[str]
) -> list[Path]:
    """Write vectors so that :func:`read_vectors` matches them again; returns the files made.

    The ending decides: ``.npy`` (with a ``.tsv`` beside it), ``.npz`` or ``.parquet``.
    """
    path = Path(path).expanduser()
    check_output(path)
    if len(ids) != len(vectors) or len(words) != len(vectors):
        raise InputError(
            f"There are {len(vectors)} vectors, {len(ids)} identifiers and {len(words)} words: "
            "each vector needs one of both."
        )
    if path.suffix == ".npy":
        return _write_npy(path, vectors, ids, words)
    if path.suffix == ".npz":
        id_array, word_array = np.array(ids, str), np.array(words, str)
        return [
            _write(path, lambda f: np.savez(f, vectors=vectors, ids=id_array, words=word_array))
        ]
    shape = pl.Array(pl.Float32, vectors.shape[1])
    columns = {"word": words, "id": ids, "vector": pl.Series(vectors, dtype=shape)}
    return [_write(path, pl.DataFrame(columns).write_parquet)]


def _write_npy(
    path: Path, vectors: Vectors, ids: Sequence[str], words: Sequence[str]
) -> list[Path]:
    for value in (*ids, *words):
        if {"\t", "\n", "\r"} & set(value) or not value:
            raise InputError(
                f"{value!r} cannot stand in a TAB separated id file: write .npz or .parquet."
            )
    rows = zip(words, ids, _sums(vectors), strict=True)
    lines = ["\t".join(("lemma", "identifier", SUM_COLUMN)), *map("\t".join, rows), ""]
    beside = path.with_suffix(".tsv")
    # Both are complete, on the disk, before either gets its name; the one with the checksums gets
    # it first, so that between the two it tells that the vectors are others.
    with written_whole(path) as file, written_whole(beside) as id_file:
        write_array(file, vectors)
        id_file.write("\n".join(lines).encode())
        for one in (file, id_file):
            one.flush()
            os.fsync(one.fileno())
    return [beside, path]


def _write(path: Path, write: Callable[[BinaryIO], object]) -> Path:
    with written_whole(path) as file:
        write(file)
    return path
