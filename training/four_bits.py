"""Embeddings in four bits: the scale of every block of 32 that loses least."""

from __future__ import annotations

import numpy as np

from e5 import BLOCK, Table

# How far the largest number of a block goes on the scale from −8 to 7; beyond the end it is cut.
REACHES = np.linspace(5.5, 9.5, 17)
ROWS = 4096  # at once


def in_four_bits(matrix: np.ndarray) -> Table:
    """The matrix in blocks of four bits, with the least squared error among many scales.

    A scale may be negative: the number −8 has no counterpart, and serves the side that needs it.
    """
    if matrix.shape[1] % BLOCK:
        raise ValueError(f"rows of {matrix.shape[1]} numbers are not blocks of {BLOCK}")
    parts = [_blocks(matrix[start : start + ROWS]) for start in range(0, len(matrix), ROWS)]
    scale, whole = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Table(scale, (whole + 8).astype(np.uint8).reshape(matrix.shape))


def _blocks(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scales and whole numbers of some rows."""
    blocks = rows.reshape(len(rows), -1, BLOCK).astype(np.float32)
    largest = np.abs(blocks).max(axis=2)
    best = np.full(largest.shape, np.inf, dtype=np.float32)
    scale = np.zeros(largest.shape, dtype=np.float16)
    whole = np.zeros(blocks.shape, dtype=np.int8)
    for reach in np.concatenate([REACHES, -REACHES]):
        first = _rounded(blocks, largest / np.float32(reach))
        # The scale that fits these whole numbers best, as it will be stored, and then theirs.
        length = np.maximum((first * first).sum(axis=2), 1)
        fitted = ((blocks * first).sum(axis=2) / length).astype(np.float16)
        found = _rounded(blocks, fitted.astype(np.float32))
        error = ((blocks - found * fitted[:, :, None].astype(np.float32)) ** 2).sum(axis=2)
        better = error < best
        best[better], scale[better], whole[better] = error[better], fitted[better], found[better]
    return scale, whole


def _rounded(blocks: np.ndarray, scale: np.ndarray) -> np.ndarray:
    steps = np.where(scale == 0, np.float32(1), scale)
    return np.clip(np.rint(blocks / steps[:, :, None]), -8, 7)
