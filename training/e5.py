"""The base of the multilingual encoder: multilingual-e5-small out of its packed 4-bit file.

    from e5 import Packed
    packed = Packed.read(Path("e5-small-q4.bin"))

The file has the tokenizer's pieces with their scores, then a directory of tensors. Matrices come in
blocks of 32 weights: a scale in half precision and 32 numbers of four bits, the lower halves of 16
bytes first. They are kept as they are, so that the word embeddings can go into the released file
without a second rounding.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

BLOCK = 32
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")  # The first pieces, in this order.
WORDS = "embeddings.word_embeddings.weight"
PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


@dataclass(frozen=True)
class Table:
    """A matrix of four bits: ``scale[row, block]·(four[row, column] − 8)``."""

    scale: np.ndarray  # float16, rows × blocks
    four: np.ndarray  # uint8 from 0 to 15, rows × columns

    def __getitem__(self, rows: np.ndarray | slice) -> Table:
        return Table(self.scale[rows], self.four[rows])

    def floats(self) -> np.ndarray:
        """The matrix itself."""
        whole = self.four.astype(np.float32) - 8
        return whole * np.repeat(self.scale.astype(np.float32), BLOCK, axis=1)


@dataclass(frozen=True)
class Packed:
    """Pieces, scores and weights, these by their names in the original model."""

    pieces: list[str]
    scores: np.ndarray
    weights: dict[str, np.ndarray | Table]
    config: dict[str, int]

    @classmethod
    def read(cls, path: Path) -> Packed:
        """All of a packed file."""
        content = path.read_bytes()
        if content[:4] != b"E5S1":
            raise ValueError(f"{path} is no packed E5 model: it begins with {content[:4]!r}")
        hidden, layers, heads, wide, _, positions, _ = struct.unpack_from("<7i", content, 8)
        place = 8 + 7 * 4 + 8  # Beyond the epsilon and the size of a block.
        (count,) = struct.unpack_from("<i", content, place)
        place += 5 * 4  # Beyond the numbers of the special pieces.
        (length,) = struct.unpack_from("<Q", content, place)
        place += 8
        bounds = np.frombuffer(content, np.uint32, count + 1, place)
        place += bounds.nbytes
        scores = np.frombuffer(content, np.float32, count, place)
        place += scores.nbytes
        text = content[place : place + length]
        pieces = [text[a:b].decode() for a, b in pairwise(bounds)]
        place += length
        (_, normalising) = struct.unpack_from("<iI", content, place)
        tensors = _tensors(content, place + 8 + normalising)
        # The table of words has some empty rows at its end.
        words = _table(tensors["emb.word"].reshape(-1, hidden // BLOCK * (2 + BLOCK // 2)))
        weights: dict[str, np.ndarray | Table] = {
            WORDS: words[: len(pieces)],
            "embeddings.position_embeddings.weight": tensors["emb.pos"].reshape(-1, hidden),
            "embeddings.token_type_embeddings.weight": tensors["emb.type"].reshape(-1, hidden),
            "embeddings.LayerNorm.weight": tensors["emb.ln.w"],
            "embeddings.LayerNorm.bias": tensors["emb.ln.b"],
        }
        for layer in range(layers):
            for short, name in PARTS.items():
                weight, bias = tensors[f"l{layer}.{short}.w"], tensors[f"l{layer}.{short}.b"]
                if weight.dtype == np.uint8:
                    weight = _table(weight.reshape(len(bias), -1))
                weights[f"encoder.layer.{layer}.{name}.weight"] = weight
                weights[f"encoder.layer.{layer}.{name}.bias"] = bias
        config = {
            "hidden_size": hidden,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "intermediate_size": wide,
            "max_position_embeddings": positions,
        }
        return cls(pieces, scores, weights, config)


def _tensors(content: bytes, place: int) -> dict[str, np.ndarray]:
    """The tensors by their short names: numbers, or the bytes of four-bit blocks."""
    (count,) = struct.unpack_from("<i", content, place)
    place += 4
    found = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", content, place)
        name = content[place + 2 : place + 2 + length].decode()
        kind, _, start, size = struct.unpack_from("<BIQQ", content, place + 2 + length)
        place += 2 + length + 21
        found[name] = np.frombuffer(
            content,
            np.uint8 if kind else np.float32,
            offset=start,
            count=size if kind else size // 4,
        )
    return found


def _table(rows: np.ndarray) -> Table:
    parted = rows.reshape(len(rows), -1, 2 + BLOCK // 2)
    scale = np.ascontiguousarray(parted[:, :, :2]).view(np.float16)[:, :, 0]
    four = np.concatenate([parted[:, :, 2:] & 15, parted[:, :, 2:] >> 4], axis=2)
    return Table(scale, four.reshape(len(rows), -1))


def two_a_byte(four: np.ndarray) -> np.ndarray:
    """Numbers of four bits in bytes, the earlier in the lower half."""
    return four[:, ::2] | four[:, 1::2] << 4


def one_a_byte(packed: np.ndarray) -> np.ndarray:
    """What :func:`two_a_byte` was given."""
    return np.stack([packed & 15, packed >> 4], axis=2).reshape(len(packed), -1)


def save(weights: dict[str, np.ndarray | Table], path: Path) -> None:
    """Weights in a file, those of four bits two to a byte."""
    arrays = {}
    for name, weight in weights.items():
        if isinstance(weight, Table):
            arrays[f"{name}.scale"] = weight.scale
            arrays[f"{name}.four"] = two_a_byte(weight.four)
        else:
            arrays[name] = weight
    np.savez_compressed(path, **arrays)


def load(path: Path) -> dict[str, np.ndarray | Table]:
    """What :func:`save` wrote."""
    arrays = dict(np.load(path))
    weights: dict[str, np.ndarray | Table] = {}
    for name, array in arrays.items():
        whole, _, part = name.rpartition(".")
        if part == "four":
            weights[whole] = Table(arrays[f"{whole}.scale"], one_a_byte(array))
        elif part != "scale":
            weights[name] = array
    return weights
