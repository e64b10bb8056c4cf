"""A trained encoder as one small ONNX file with weights of eight bits.

    python training/export.py all-MiniLM-L6-v2/ work/student.pt src/senseshift/encoders/bundled/
    python training/export.py base/ work/m1.pt packages/senseshift-xx/src/senseshift_xx/model/

Every weight matrix has a scale for each of its output channels, every word's embedding one of its
own, or by ``--embeddings 4`` one for every 32 of its numbers, which are of four bits then.
Activations are quantised when the graph runs; with ``--texts`` what they are on these texts is seen
to beforehand, which loses far less. ``--bits float`` leaves all as it is. The words of the
multilingual base stay the four bits that they are.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

import e5
from equalise import Even, Seen, kept, texts_of, watch
from four_bits import in_four_bits
from rounding import nearest, rounded

CONTRIB = "com.microsoft"
OPSET = 17
ENGLISH = {"name": "senseshift-en-2", "languages": ["en"]}
# Of the languages whose letters have a place in the vocabulary, those that the base has read.
LANGUAGES = [
    "be", "bg", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "eu", "fi",
    "fr", "fy", "ga", "gd", "gl", "hbs", "hr", "hu", "is", "it", "la", "lt", "lv", "mk", "nb",
    "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr", "uk",
]  # fmt: skip
MULTILINGUAL = {"name": "senseshift-xx-2", "languages": LANGUAGES}
LONGEST = 128  # tokens that the student was trained with
# Products of eight by eight bits can overflow on processors without VNNI, which then give other
# vectors than newer ones: matrices keep to seven, which measurably loses nothing.
MATRIX, TABLE = 63, 127
TEXTS = 512  # that are looked at
LOWEST = 0.8  # cosine of a token's state in eight bits with what it was


@dataclass(frozen=True)
class State:
    """Tokens' states as the next product reads them, and as they are but for a constant."""

    read: str
    kept: str
    shift: np.ndarray


class Graph:
    """Nodes and weights of a BERT encoder, written down one after the other."""

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
            # Shares of attention sum to 1: what is done to values is done to what they come to.
            last = self.even(name.replace("self", "output.dense"))
            weight, bias = weight.copy(), bias.copy()
            weight[-len(last.scale) :] /= last.scale[:, None]
            bias[-len(last.scale) :] = (bias[-len(last.scale) :] - last.shift) / last.scale
        if self.bits == "float":
            product = self.add("MatMul", x, self.constant(f"{name}.weight", weight.T))
            return self.add("Add", product, self.constant(f"{name}.bias", bias))
        if even.covariance is None:
            whole, scale = nearest(weight, MATRIX)
        else:
            whole, scale = rounded(weight, even.covariance, MATRIX)
            bias = bias + (weight - whole * scale[:, None]) @ even.mean
        zero = self.constant(f"{name}.zero", np.zeros(len(weight)), np.int8)
        return self.add(
            "DynamicQuantizeMatMul",
            x,
            self.constant(f"{name}.weight", whole.T, np.int8),
            self.constant(f"{name}.scale", scale),
            zero,
            self.constant(f"{name}.bias", bias),
            domain=CONTRIB,
        )

    def embeddings(self, ids: str) -> State:
        """Word + position + type, normalised."""
        words = self.words(ids)
        length = self.add("Gather", self.add("Shape", ids), self.constant("one", 1, np.int64))
        zero, step = self.constant("zero", 0, np.int64), "one"
        places = self.add("Range", zero, length, step)
        # All types are 0: their one row is part of the positions.
        position = self.weights["embeddings.position_embeddings.weight"][:LONGEST]
        position = position + self.weights["embeddings.token_type_embeddings.weight"][0]
        positions = self.add("Gather", self.constant("positions", position), places)
        total = self.add("Add", words, positions)
        return self.normalised(total, "embeddings.LayerNorm", "encoder.layer.0.attention.self")

    def words(self, ids: str) -> str:
        """Their embeddings."""
        name, table = e5.WORDS, self.weights[e5.WORDS]
        if isinstance(table, e5.Table):
            if self.bits == "float":
                return self.add("Gather", self.constant(name, table.floats()), ids)
            taken = self.add(
                "GatherBlockQuantized",
                self.constant(name, e5.two_a_byte(table.four), np.uint8),
                ids,
                self.constant(f"{name}.scale", table.scale, np.float16),
                domain=CONTRIB,
                bits=4,
                block_size=e5.BLOCK,
                gather_axis=0,
                quantize_axis=1,
            )
            return self.add("Cast", taken, to=TensorProto.FLOAT)
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
        read = self.add("LayerNormalization", x, scale, shift, epsilon=1e-12, axis=-1)
        kept = read
        if reader in self.seen:
            kept = self.add("Mul", read, self.constant(f"{name}.kept", even.scale))
        return State(read, kept, even.shift)

    def layer(self, x: State, mask: str, number: int, reader: str | None) -> State:
        """Attention and feed-forward network, each added to what it read."""
        name = f"encoder.layer.{number}"
        query = self.add("Split", self.linear(x.read, f"{name}.attention.self"), outputs=3, axis=-1)
        attended = self.add(
            "MultiHeadAttention",
            query,
            f"{query}_1",
            f"{query}_2",
            "",
            mask,
            domain=CONTRIB,
            num_heads=self.config["num_attention_heads"],
        )
        x = self.added(x, attended, f"{name}.attention.output", f"{name}.intermediate.dense")
        wide = self.add("Gelu", self.linear(x.read, f"{name}.intermediate.dense"), domain=CONTRIB)
        if f"{name}.output.dense" in self.seen:
            scale = self.constant(f"{name}.wide", 1 / self.even(f"{name}.output.dense").scale)
            wide = self.add("Mul", wide, scale)
        return self.added(x, wide, f"{name}.output", reader)

    def added(self, x: State, y: str, name: str, reader: str | None) -> State:
        """``x`` and a linear map of ``y``, normalised."""
        # Not Add: the runtime would fuse it with the normalisation, which is slower on a CPU.
        total = self.add("Sum", self.linear(y, f"{name}.dense", x.shift), x.kept)
        return self.normalised(total, f"{name}.LayerNorm", reader)

    def model(self) -> onnx.ModelProto:
        """The whole encoder: a state for every token."""
        mask = self.add("Cast", "attention_mask", to=TensorProto.INT32)
        x = self.embeddings("input_ids")
        layers = {name.split(".")[2] for name in self.weights if name.startswith("encoder.layer.")}
        made = []
        for number in range(len(layers)):
            after = f"encoder.layer.{number + 1}.attention.self"
            x = self.layer(x, mask, number, after if number + 1 < len(layers) else None)
            made.append(x)
        mean = x.kept
        if self.averaged > 1:
            mean = self.add("Mean", *(state.kept for state in made[-self.averaged :]))
            if self.seen:
                shift = np.mean([state.shift for state in made[-self.averaged :]], axis=0)
                mean = self.add("Add", mean, self.constant("shift", shift))
        self.nodes.append(helper.make_node("Identity", [mean], ["last_hidden_state"]))
        axes = ["batch", "sequence"]
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, axes)
            for name in ("input_ids", "attention_mask")
        ]
        states = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, [*axes, self.config["hidden_size"]]
        )
        graph = helper.make_graph(self.nodes, "senseshift", inputs, [states], self.constants)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=domains, ir_version=8)
        model.producer_name = "senseshift"
        return model


def weights_of(path: Path) -> dict[str, np.ndarray]:
    """The student's weights by their names in the base model."""
    if path.suffix == ".pt":
        loaded = torch.load(path, weights_only=True, map_location="cpu")
    else:
        from safetensors.torch import load_file

        loaded = load_file(path)
    return {name.removeprefix("base."): tensor.float().numpy() for name, tensor in loaded.items()}


def main() -> None:
    """Write model, tokenizer and settings."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("base", type=Path)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("output", type=Path)
    arguments.add_argument("--bits", default="eight", choices=["eight", "float"])
    arguments.add_argument(
        "--embeddings", type=int, default=8, choices=[4, 8], help="bits of words"
    )
    arguments.add_argument("--texts", type=Path, nargs="+", help="files like what will be read")
    arguments.add_argument("--name", help="of the encoder, if not the released one's")
    arguments.add_argument("--layers", type=int, default=1, help="from above that are averaged")
    given = arguments.parse_args()
    config = json.loads((given.base / "config.json").read_text())
    given.output.mkdir(parents=True, exist_ok=True)
    weights, settings = weights_of(given.weights), ENGLISH
    if (given.base / "base.npz").exists():
        weights |= {e5.WORDS: e5.load(given.base / "base.npz")[e5.WORDS]}
        settings = MULTILINGUAL
    elif given.embeddings == 4:
        weights[e5.WORDS] = in_four_bits(weights[e5.WORDS])
    seen = None
    if given.texts and given.bits == "eight":
        tokenizer = Tokenizer.from_file(str(given.base / "tokenizer.json"))
        tokenizer.enable_truncation(LONGEST)
        texts = texts_of(given.texts, TEXTS)
        seen = watch(Graph(weights, config, "float").model(), tokenizer, texts)
    model = Graph(weights, config, given.bits, given.layers, seen).model()
    if seen:
        whole = Graph(weights, config, "float", given.layers).model()
        cosines = kept(whole, model, tokenizer, texts)
        print(f"states keep a cosine of {cosines.mean():.4f}, at least {cosines.min():.4f}")
        if cosines.min() < LOWEST:
            raise SystemExit(f"Eight bits spoil some states (below {LOWEST}): nothing is written.")
    onnx.save(model, given.output / "model.onnx")
    tokenizer = json.loads((given.base / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer |= {"truncation": None, "padding": None}
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (given.output / "tokenizer.json").write_text(text, encoding="utf-8")
    settings = settings | {"name": given.name or settings["name"], "max_length": LONGEST}
    (given.output / "senseshift.json").write_text(json.dumps(settings) + "\n")
    size = (given.output / "model.onnx").stat().st_size
    print(f"{given.output / 'model.onnx'}: {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
