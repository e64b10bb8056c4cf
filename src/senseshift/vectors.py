"""Vectors of usages: checked, made unit length, turned into costs and weights."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.reading import expecting, is_there, printable

Floats = NDArray[np.float64]
Weighting = Literal["uniform", "norm", "frequency"]


def as_vectors(vectors: ArrayLike, name: str) -> Floats:
    """A non-empty, finite float64 matrix with one non-zero row for each usage."""
    try:
        given = np.asarray(vectors)
        if given.dtype.kind == "c":
            raise TypeError("complex")
        with np.errstate(over="ignore", invalid="ignore"):  # told below, by row
            matrix = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"The {name} vectors must be one matrix of numbers with a row for each usage."
        ) from None
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InputError(
            f"The {name} vectors must be a matrix (usages × dimensions), "
            f"not of shape {matrix.shape}."
        )
    if matrix.shape[0] == 0:
        raise InputError(f"There are no {name} usages: a comparison needs at least one a side.")
    broken = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if broken.size:
        raise InputError(
            f"The {name} vector in row {broken[0]} holds a number that is not finite: "
            "encode this usage again or leave it out."
        )
    return matrix


def read_matrix(path: Path) -> Floats:
    """Vectors from a ``.npy`` file, or from a text file with a row of numbers for each usage."""
    if not is_there(path):
        raise InputError(f"There is no file {printable(path)}.")
    if path.suffix == ".npy":
        array = load_array(path)
    else:
        delimiter = {".csv": ",", ".tsv": "\t"}.get(path.suffix)
        with (
            expecting(path, "a .npy, .csv or .tsv file with one row of numbers for each usage"),
            warnings.catch_warnings(action="ignore", category=UserWarning),  # of an empty file
        ):
            array = np.loadtxt(path, delimiter=delimiter, ndmin=2, encoding="utf-8")
    return as_vectors(array, f"{printable(path)}:")


def load_array(path: Path) -> NDArray[Any]:
    """The array of a ``.npy`` file."""
    with expecting(path, "a .npy file with one array"), path.open("rb") as file:
        # NumPy would open archives too.
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        return array


def as_pair(old: ArrayLike, new: ArrayLike) -> tuple[Floats, Floats]:
    """Old and new vectors of the same dimension."""
    u, v = as_vectors(old, "old"), as_vectors(new, "new")
    if u.shape[1] != v.shape[1]:
        raise InputError(
            f"The old vectors have {u.shape[1]} dimensions and the new ones {v.shape[1]}: "
            "encode both with the same model."
        )
    return u, v


def unit(vectors: Floats, name: str) -> Floats:
    """The vectors at length 1; a zero vector has no direction and is an error."""
    # Scaled by the largest entry first, so that no square overflows or vanishes.
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    zero = np.flatnonzero(largest == 0.0)
    if zero.size:
        raise InputError(
            f"The {name} vector in row {zero[0]} is zero and has no direction: "
            "encode this usage again or leave it out."
        )
    scaled = vectors / largest
    result: Floats = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    return result


def cosine_cost(unit_old: Floats, unit_new: Floats) -> Floats:
    """Cosine distances ``1 − cos``, never below zero."""
    return np.maximum(1.0 - unit_old @ unit_new.T, 0.0)


def weigh(vectors: Floats, weighting: Weighting) -> Floats:
    """Weights of total 1: all equal, or in proportion to the lengths of the vectors.

    Frequency weighs one side against the other, see :func:`totals`, and its usages all alike.
    """
    if weighting in ("uniform", "frequency"):
        return np.full(vectors.shape[0], 1.0 / vectors.shape[0])
    if weighting != "norm":
        raise InputError(f"The weights {weighting!r} are not one of uniform, norm, frequency.")
    # Scaled by the largest entry of all, so that no square overflows.
    lengths = np.linalg.norm(vectors / (np.abs(vectors).max() or 1.0), axis=1)
    result: Floats = lengths / lengths.sum()
    return result


def totals(frequencies: tuple[float, float] | None) -> tuple[float, float]:
    """Total weights of the two sides in proportion to a word's frequencies, 1 in the mean.

    >>> totals((30.0, 90.0))
    (0.5, 1.5)
    """
    if frequencies is None:
        raise InputError(
            "The weights 'frequency' need to know how often the word is used in either period: "
            "have its usages found in corpora, or take weights='uniform'."
        )
    old, new = (float(frequency) for frequency in frequencies)
    if not (0.0 < old < np.inf and 0.0 < new < np.inf):
        raise InputError(
            f"The frequencies of the word are {old:g} and {new:g}: "
            "both must be positive and finite to be weights."
        )
    mean = old / 2.0 + new / 2.0
    return old / mean, new / mean
