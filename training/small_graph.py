"""A small student as an ONNX graph: four bits in the file, eight when it runs.

Weights are unpacked by operations on constants, which the runtime carries out once, when it reads
the graph; it folds standard operations only, none of its own. Needs onnxruntime 1.23.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from onnx import TensorProto

import e5
from equalise import Even
from graph import Graph

BLOCK = 32  # inputs of a row that share a multiple
MIDDLE = 8  # what a number of four bits has for 0
UNKNOWN = "[UNK]"
# A layer's parts by the names that the graph knows them by.
LINEAR = {
    "attend": "attention.self",
    "gather": "attention.output.dense",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
}
NORMS = {"attended": "attention.output.LayerNorm", "fed": "output.LayerNorm"}


def packed_in(path: Path) -> dict[str, np.ndarray]:
    """A student as ``small.py`` packed it."""
    packed = dict(np.load(path))
    if "words.four" not in packed:
        raise SystemExit(f"{path} is no packed student: it has no words.four")
    return packed


def pieces_in(base: Path) -> list[str]:
    """The word pieces of a folder's tokenizer, in their order."""
    known = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return sorted(known, key=known.get)


def english(piece: str) -> bool:
    """Whether a word piece is of Latin letters or of signs that English text may have."""
    return not piece.startswith("[unused") and all(
        letter < "\u0250" or "\u2000" <= letter < "\u2c00" for letter in piece
    )


def named(packed: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What layers have, by the names that the graph knows it by."""
    weights = {}
    layers = {name.split(".")[0] for name in packed if name.endswith(".fed")}
    norms = {"norm": "embeddings.LayerNorm"}
    for layer in layers:
        norms |= {f"{layer}.{ours}": f"encoder.layer.{layer}.{n}" for ours, n in NORMS.items()}
        for ours, name in LINEAR.items():
            for part in ("four", "multiple", "scale", "bias", "even"):
                array = packed[f"{layer}.{ours}.{part}"]
                weights[f"encoder.layer.{layer}.{name}.{part}"] = array
    for ours, name in norms.items():
        weights |= dict(zip((f"{name}.weight", f"{name}.bias"), packed[ours], strict=True))
    if "head" in packed:
        weights[f"head.{len(layers)}.weight"] = packed["head"]
    return weights


class SmallGraph(Graph):
    """An encoder cut from MPNet, as ``small.py`` packs it."""

    epsilon = 1e-5

    def __init__(self, packed: dict[str, np.ndarray], pieces: list[str]) -> None:
        if len(pieces) != len(packed["words.four"]):
            raise ValueError(
                f"the tokenizer has {len(pieces)} pieces, not {len(packed['words.four'])}"
            )
        heads, width = len(packed["near"]), packed["turn"].shape[1]
        config = {"hidden_size": width, "num_attention_heads": heads}
        super().__init__(named(packed), config, "eight")
        self.packed, self.pieces = packed, pieces
        self.constant("half", 4, np.uint8)  # of a byte's bits
        self.constant("middle", MIDDLE, np.int8)

    def even(self, name: str | None) -> Even:
        """How the inputs of a linear map were scaled in training."""
        if name is None:
            return super().even(None)
        shift, scale = self.weights[f"{name}.even"]
        return Even(scale, shift, np.zeros_like(shift), None)

    def linear(self, x: str, name: str, added: np.ndarray | float = 0.0) -> str:
        """``x·Wᵀ + b``, and something more, where ``x`` is already scaled."""
        # What a shift of the inputs comes to is part of what training left to be added.
        scale, bias = self.weights[f"{name}.scale"], self.weights[f"{name}.bias"] + added
        if name.endswith("attention.self"):
            scale, bias = self.for_attention(name, scale, bias)
        zero = self.constant(f"{name}.zero", np.zeros(len(scale)), np.int8)
        return self.product(x, name, self.whole(name), zero, scale, bias)

    def whole(self, name: str) -> str:
        """A linear map's weights in eight bits: numbers of four by the multiples of their blocks.

        Nothing here is wider than a byte, so that unpacking takes little of the time and memory
        in which the graph is read.
        """
        rows = self.weights[f"{name}.four"].shape[0]
        four = e5.one_a_byte(self.weights[f"{name}.four"]).T.reshape(-1, BLOCK, rows)
        multiple = self.weights[f"{name}.multiple"].astype(np.int64).T.reshape(-1, 1, rows)
        product = self.add(
            "Mul",
            self.unpacked(f"{name}.four", four, axis=1),
            self.unpacked(f"{name}.multiple", multiple + MIDDLE, axis=2),
        )
        return self.add("Reshape", product, self.constant(f"{name}.shape", [-1, rows], np.int64))

    def unpacked(self, name: str, numbers: np.ndarray, axis: int) -> str:
        """Numbers around 8 that the file has two a byte, of both halves of an axis, around 0."""
        early, late = np.split(numbers.astype(np.uint8), 2, axis)
        both = self.constant(name, early | late << 4, np.uint8)
        raised = self.add("BitShift", both, "half", direction="LEFT")
        lower = self.add("BitShift", raised, "half", direction="RIGHT")
        upper = self.add("BitShift", both, "half", direction="RIGHT")
        joined = self.add("Concat", lower, upper, axis=axis)
        return self.add("Sub", self.add("Cast", joined, to=TensorProto.INT8), "middle")

    def words(self, ids: str) -> str:
        """Their main directions, turned back; pieces of other scripts are unknown."""
        stay = np.array([english(piece) for piece in self.pieces])
        rows = np.cumsum(stay) - 1
        rows[~stay] = rows[self.pieces.index(UNKNOWN)]
        # The file has these, as the scales, half as wide as they are read.
        row_of = self.add("Cast", self.constant("rows", rows, np.uint16), to=TensorProto.INT32)
        four = self.constant(e5.WORDS, self.packed["words.four"][stay], np.uint8)
        scale = self.in_half(f"{e5.WORDS}.scale", self.packed["words.scale"][stay])
        main = self.of_four_bits(four, scale, self.add("Gather", row_of, ids))
        return self.add("MatMul", main, self.in_half("turn", self.packed["turn"]))

    def positions(self) -> str:
        """What is added to the words by their places."""
        return self.in_half("positions", self.packed["places"])

    def in_half(self, name: str, values: np.ndarray) -> str:
        """A constant that the file has in half precision."""
        return self.add("Cast", self.constant(name, values, np.float16), to=TensorProto.FLOAT)

    def nearness(self, places: str) -> list[str]:
        """What is added to attention by the distance of the token that is read."""
        added = self.packed["near"]
        own = self.add("Unsqueeze", places, self.constant("second", [1], np.int64))
        distances = self.add("Sub", places, own)
        # The first of them are of tokens that come before.
        first = self.constant("first", added.shape[1] // 2, np.int64)
        near = self.constant("near", added[None])
        return [self.add("Gather", near, self.add("Add", distances, first), axis=2)]
