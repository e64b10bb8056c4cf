"""An encoder as an ONNX graph: nodes and weights, written down one after the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import e5
from equalise import Even, Seen
from rounding import nearest, rounded

CONTRIB = "com.microsoft"
OPSET = 17
LONGEST = 128  # tokens that the student was trained with
# Products of eight by eight bits can overflow on processors without VNNI, which then give other
# vectors than newer ones: matrices keep to seven, which measurably loses nothing.
MATRIX, TABLE = 63, 127


@dataclass(frozen=True)
class State:
    """Tokens' states as the next product reads them, and as they are but for a constant."""

    read: str
    kept: str
    shift: np.ndarray


class Graph:
    """A BERT encoder with weights of eight bits, or in float32."""

    epsilon = 1e-12  # of layer normalisation

    def __init__(
        self,
        weights: dict[str, np.ndarray | e5.Table],
        config: dict[str, int],
        bits: str,
        averaged: int = 1,
        seen: dict[str, Seen] | None = None,
    ) -> None:
        self.weights, self.config, self.bits, self.averaged = weights, config, bits, averaged
        self.seen = seen or {}
        self.evened: dict[str, Even] = {}
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def add(
        self, kind: str, *inputs: str, domain: str = "", outputs: int = 1, **attributes: object
    ) -> str:
        """A node; its first output's name."""
        name = f"{kind}_{len(self.nodes)}"
        names = [name, *(f"{name}_{i}" for i in range(1, outputs))]
        self.nodes.append(helper.make_node(kind, inputs, names, name, domain=domain, **attributes))
        return name

    def constant(self, name: str, values: object, kind: type = np.float32) -> str:
        """A weight by its name."""
        self.constants.append(numpy_helper.from_array(np.asarray(values, dtype=kind), name))
        return name

    def matrix(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """A linear map's weights and what it adds; queries, keys and values are one."""
        if not name.endswith("attention.self"):
            return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self.weights[f"{part}.weight"] for part in parts])
        return weight, np.concatenate([self.weights[f"{part}.bias"] for part in parts])

    def even(self, name: str | None) -> Even:
        """How the inputs of a linear map are scaled; None reads them as they are."""
        if name is None:
            return Even.plain(self.config["hidden_size"])
        weight, _ = self.matrix(name)
        if name not in self.seen:
            return Even.plain(weight.shape[1])
        if name not in self.evened:
            # Beyond the activation function a shift would be one more step, and brings little.
            shifted = "attention" in name or "intermediate" in name
            self.evened[name] = Even.of(self.seen[name], weight, MATRIX, shifted)
        return self.evened[name]

    def linear(self, x: str, name: str, added: np.ndarray | float = 0.0) -> str:
        """``x·Wᵀ + b``, and something more, where ``x`` is already scaled."""
        weight, bias = self.matrix(name)
        even = self.even(name)
        bias = bias + weight @ even.shift + added
        weight = weight * even.scale
        if name.endswith("attention.self"):
            weight, bias = self.for_attention(name, weight, bias)
        if self.bits == "float":
            product = self.add("MatMul", x, self.constant(f"{name}.weight", weight.T))
            return self.add("Add", product, self.constant(f"{name}.bias", bias))
        if even.covariance is None:
            whole, scale = nearest(weight, MATRIX)
        else:
            whole, scale = rounded(weight, even.covariance, MATRIX)
            bias = bias + (weight - whole * scale[:, None]) @ even.mean
        zero = self.constant(f"{name}.zero", np.zeros(len(weight)), np.int8)
        whole = self.constant(f"{name}.weight", whole.T, np.int8)
        return self.product(x, name, whole, zero, scale, bias)

    def for_attention(
        self, name: str, weight: np.ndarray, bias: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows' weights, or their scales, with values as the map beyond attention reads them."""
        # Shares of attention sum to 1: what is done to values is done to what they come to.
        last = self.even(name.replace("self", "output.dense"))
        values = slice(-len(last.scale), None)
        weight, bias = weight.copy(), bias.copy()
        weight[values] = (weight[values].T / last.scale).T
        bias[values] = (bias[values] - last.shift) / last.scale
        return weight, bias

    def product(
        self, x: str, name: str, whole: str, zero: str, scale: np.ndarray, bias: np.ndarray
    ) -> str:
        """``x·W + b`` in whole numbers of eight bits, to which ``x`` is rounded for it."""
        return self.add(
            "DynamicQuantizeMatMul",
            x,
            whole,
            self.constant(f"{name}.scale", scale),
            zero,
            self.constant(f"{name}.bias", bias),
            domain=CONTRIB,
        )

    def places(self, ids: str) -> str:
        """The numbers of the tokens."""
        length = self.add("Gather", self.add("Shape", ids), self.constant("one", 1, np.int64))
        return self.add("Range", self.constant("zero", 0, np.int64), length, "one")

    def embeddings(self, words: str, places: str) -> State:
        """Word + position + type, normalised."""
        total = self.add("Add", words, self.add("Gather", self.positions(), places))
        return self.normalised(total, "embeddings.LayerNorm", "encoder.layer.0.attention.self")

    def positions(self) -> str:
        """What is added to the words by their places."""
        # All types are 0: their one row is part of the positions.
        position = self.weights["embeddings.position_embeddings.weight"][:LONGEST]
        position = position + self.weights["embeddings.token_type_embeddings.weight"][0]
        return self.constant("positions", position)

    def nearness(self, places: str) -> list[str]:
        """What attention is told of tokens' distances: nothing here."""
        return []

    def of_four_bits(self, four: str, scale: str, ids: str) -> str:
        """Rows of a table, in the precision of its scales."""
        return self.add(
            "GatherBlockQuantized",
            four,
            ids,
            scale,
            domain=CONTRIB,
            bits=4,
            block_size=e5.BLOCK,
            gather_axis=0,
            quantize_axis=1,
        )

    def words(self, ids: str) -> str:
        """Their embeddings."""
        name, table = e5.WORDS, self.weights[e5.WORDS]
        if isinstance(table, e5.Table):
            if self.bits == "float":
                return self.add("Gather", self.constant(name, table.floats()), ids)
            four = self.constant(name, e5.two_a_byte(table.four), np.uint8)
            scale = self.constant(f"{name}.scale", table.scale, np.float16)
            return self.add("Cast", self.of_four_bits(four, scale, ids), to=TensorProto.FLOAT)
        if self.bits == "float":
            return self.add("Gather", self.constant(name, table), ids)
        whole, scale = nearest(table, TABLE)
        taken = self.add("Gather", self.constant(name, whole, np.int8), ids)
        taken = self.add("Cast", taken, to=TensorProto.FLOAT)
        sizes = self.add("Gather", self.constant(f"{name}.scale", scale[:, None]), ids)
        return self.add("Mul", taken, sizes)

    def normalised(self, x: str, name: str, reader: str | None) -> State:
        """Layer normalisation, scaled for the linear map that reads it next."""
        even = self.even(reader)
        gain, bias = (self.weights[f"{name}.{part}"] for part in ("weight", "bias"))
        scale = self.constant(f"{name}.weight", gain / even.scale)
        shift = self.constant(f"{name}.bias", (bias - even.shift) / even.scale)
        read = self.add("LayerNormalization", x, scale, shift, epsilon=self.epsilon, axis=-1)
        kept = read
        if (even.scale != 1).any():
            kept = self.add("Mul", read, self.constant(f"{name}.kept", even.scale))
        return State(read, kept, even.shift)

    def layer(self, x: State, beside: list[str], number: int, reader: str | None) -> State:
        """Attention and feed-forward network, each added to what it read."""
        name = f"encoder.layer.{number}"
        query = self.add("Split", self.linear(x.read, f"{name}.attention.self"), outputs=3, axis=-1)
        attended = self.add(
            "MultiHeadAttention",
            query,
            f"{query}_1",
            f"{query}_2",
            "",
            *beside,
            domain=CONTRIB,
            num_heads=self.config["num_attention_heads"],
        )
        x = self.added(x, attended, f"{name}.attention.output", f"{name}.intermediate.dense")
        wide = self.add("Gelu", self.linear(x.read, f"{name}.intermediate.dense"), domain=CONTRIB)
        scale = self.even(f"{name}.output.dense").scale
        if (scale != 1).any():
            wide = self.add("Mul", wide, self.constant(f"{name}.wide", 1 / scale))
        return self.added(x, wide, f"{name}.output", reader)

    def added(self, x: State, y: str, name: str, reader: str | None) -> State:
        """``x`` and a linear map of ``y``, normalised."""
        # Not Add: the runtime would fuse it with the normalisation, which is slower on a CPU.
        total = self.add("Sum", self.linear(y, f"{name}.dense", x.shift), x.kept)
        return self.normalised(total, f"{name}.LayerNorm", reader)

    def mean(self, layers: list[State]) -> str:
        """The mean of some layers' states."""
        if len(layers) == 1:
            return layers[0].kept
        mean = self.add("Mean", *(state.kept for state in layers))
        shift = np.mean([state.shift for state in layers], axis=0)
        return self.add("Add", mean, self.constant("shift", shift)) if shift.any() else mean

    @property
    def head(self) -> dict[int, np.ndarray]:
        """The linear maps that read states, by how many layers made these."""
        names = (name.split(".") for name in self.weights)
        numbers = [int(name[1]) for name in names if name[0] == "head" and name[2] == "weight"]
        return {number: self.weights[f"head.{number}.weight"] for number in numbers}

    def mapped(self, made: list[State]) -> str:
        """The sum of what linear maps make of some layers' states, which they read unrounded."""
        parts, shift = [], 0.0
        for number, weight in self.head.items():
            state, name = made[number - 1], f"head.{number}"
            shift = shift + weight @ state.shift + self.weights.get(f"{name}.bias", 0.0)
            if self.bits == "float":
                known = self.constant(f"{name}.weight", weight.T)
                parts.append(self.add("MatMul", state.kept, known))
                continue
            whole, scale = nearest(weight, TABLE)
            known = self.constant(f"{name}.weight", whole.T, np.int8)
            known = self.add("Cast", known, to=TensorProto.FLOAT)
            part = self.add("MatMul", state.kept, known)
            parts.append(self.add("Mul", part, self.constant(f"{name}.scale", scale)))
        return self.add("Sum", *parts, self.constant("shift", shift))

    def model(self) -> onnx.ModelProto:
        """The whole encoder: a state for every token."""
        mask = self.add("Cast", "attention_mask", to=TensorProto.INT32)
        words, places = self.words("input_ids"), self.places("input_ids")
        x = self.embeddings(words, places)
        beside = [mask, *self.nearness(places)]
        layers = {name.split(".")[2] for name in self.weights if name.startswith("encoder.layer.")}
        made = []
        for number in range(len(layers)):
            after = f"encoder.layer.{number + 1}.attention.self"
            x = self.layer(x, beside, number, after if number + 1 < len(layers) else None)
            made.append(x)
        size = self.config["hidden_size"]
        if self.head:
            size = len(next(iter(self.head.values())))
            last = self.mapped(made)
        else:
            last = self.mean(made[-self.averaged :])
        self.nodes.append(helper.make_node("Identity", [last], ["last_hidden_state"]))
        axes = ["batch", "sequence"]
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, axes)
            for name in ("input_ids", "attention_mask")
        ]
        states = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, [*axes, size]
        )
        graph = helper.make_graph(self.nodes, "senseshift", inputs, [states], self.constants)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=domains, ir_version=8)
        model.producer_name = "senseshift"
        return model
