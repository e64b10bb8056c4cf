"""What the inputs of each product look like, and scales for them that lose least in eight bits.

Activations of a text have one scale, and in some channels a few tokens are twenty times larger than
all others, so that little is left for the rest. A channel divided by a number, with the weights
that read it multiplied by the same, gives the same product: numbers are chosen for which rounding
costs least. What a channel has on average is taken away likewise, and its product added.
"""

from __future__ import annotations

import gzip
import random
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from tokenizers import Tokenizer

STEPS, RATE = 160, 0.05
EXTREMES = 128  # texts whose smallest and largest values the scales are fitted to
STEPS_OF_ACTIVATIONS = 255
# By how much rounding that knows the inputs (rounding.py) loses less than rounding to the nearest.
ROUNDED_WELL = 0.5
AT_ONCE = 1024  # tokens


@dataclass
class Seen:
    """A product's inputs over many texts."""

    count: int = 0
    total: np.ndarray | float = 0.0
    squares: np.ndarray | float = 0.0  # xᵀx
    lows: list[np.ndarray] = field(default_factory=list)  # of every text, by channel
    highs: list[np.ndarray] = field(default_factory=list)
    waiting: list[np.ndarray] = field(default_factory=list)

    def add(self, states: np.ndarray) -> None:
        """Those of one text."""
        self.lows.append(states.min(axis=0))
        self.highs.append(states.max(axis=0))
        self.waiting.append(states)
        if sum(map(len, self.waiting)) >= AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Sum up what waits."""
        if self.waiting:
            states = np.concatenate(self.waiting)
            self.count += len(states)
            self.total = self.total + states.sum(axis=0, dtype=np.float64)
            self.squares = self.squares + states.T @ states
            self.waiting = []

    @property
    def mean(self) -> np.ndarray:
        """Of every channel."""
        return np.asarray(self.total / self.count, dtype=np.float32)

    @property
    def covariance(self) -> np.ndarray:
        """Of the channels."""
        mean = self.total / self.count
        return np.asarray(self.squares / self.count - np.outer(mean, mean), dtype=np.float64)


@dataclass(frozen=True)
class Even:
    """Inputs as a product reads them, ``(x − shift) / scale``, and what is known of these."""

    scale: np.ndarray
    shift: np.ndarray
    mean: np.ndarray
    covariance: np.ndarray | None

    @classmethod
    def plain(cls, channels: int) -> Even:
        """As they are, nothing known."""
        nothing = np.zeros(channels, dtype=np.float32)
        return cls(np.ones(channels, dtype=np.float32), nothing, nothing, None)

    @classmethod
    def of(cls, seen: Seen, weight: np.ndarray, largest: int, shifted: bool) -> Even:
        """The scales that lose least when ``weight`` reads them."""
        mean, covariance = seen.mean, seen.covariance
        shift = mean if shifted else np.zeros_like(mean)
        some = slice(None, None, -(-len(seen.lows) // EXTREMES))
        lows, highs = (np.stack(each[some]) - shift for each in (seen.lows, seen.highs))
        scale = least_loss(weight, np.diag(covariance), lows, highs, largest)
        return cls(scale, shift, (mean - shift) / scale, covariance / np.outer(scale, scale))


def least_loss(
    weight: np.ndarray, variance: np.ndarray, lows: np.ndarray, highs: np.ndarray, largest: int
) -> np.ndarray:
    """A scale for every channel: the product's squared error by both roundings is smallest."""
    size, reads = torch.from_numpy(np.abs(weight)), torch.from_numpy(np.square(weight).sum(axis=0))
    low, high = torch.from_numpy(lows), torch.from_numpy(highs)
    spread = torch.from_numpy(np.maximum(variance, 1e-12).astype(np.float32))
    logarithm = torch.zeros(weight.shape[1], requires_grad=True)
    optimiser = torch.optim.Adam([logarithm], lr=RATE)
    slower = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.02, STEPS)
    for _ in range(STEPS):
        scale = logarithm.exp()
        width = (high / scale).amax(1).clamp(min=0) - (low / scale).amin(1).clamp(max=0)
        step = width / STEPS_OF_ACTIVATIONS
        of_inputs = step.square().mean() * (reads * scale.square()).sum()
        step = (size * scale).amax(1) / largest
        of_weights = step.square().sum() * (spread / scale.square()).sum()
        optimiser.zero_grad()
        (of_inputs + ROUNDED_WELL * of_weights).log().backward()
        optimiser.step()
        slower.step()
    return logarithm.detach().exp().numpy()


def watch(model: onnx.ModelProto, tokenizer: Tokenizer, texts: list[str]) -> dict[str, Seen]:
    """The inputs of every product of a graph in float32, by the name of its matrix."""
    graph = model.graph
    known = {tensor.name for tensor in graph.initializer}
    products = [n for n in graph.node if n.op_type == "MatMul" and n.input[1] in known]
    inputs = list(dict.fromkeys(node.input[0] for node in products))
    for name in inputs:
        graph.output.append(onnx.helper.make_empty_tensor_value_info(name))
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    found = {name: Seen() for name in inputs}
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids])
        made = session.run(inputs, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        for name, states in zip(inputs, made, strict=True):
            found[name].add(states[0])
    for seen in found.values():
        seen.settle()
    return {n.input[1].removesuffix(".weight"): found[n.input[0]] for n in products}


def kept(
    whole: onnx.ModelProto, rounded: onnx.ModelProto, tokenizer: Tokenizer, texts: list[str]
) -> np.ndarray:
    """The cosines of the tokens' states by two graphs."""
    sessions = [
        onnxruntime.InferenceSession(m.SerializeToString(), providers=["CPUExecutionProvider"])
        for m in (whole, rounded)
    ]
    cosines = []
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids])
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        states = [session.run(None, inputs)[0][0] for session in sessions]
        units = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in states]
        cosines.append((units[0] * units[1]).sum(axis=1))
    return np.concatenate(cosines)


def texts_of(paths: list[Path], count: int) -> list[str]:
    """Some texts, as many from each file: columns of one to four neighbouring lines."""
    chance, texts = random.Random(0), []
    for path in paths:
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
        rows = [line.split("\t") for line in content.decode("utf-8").splitlines() if line.strip()]
        for _ in range(-(-count // len(paths))):
            start, lines = chance.randrange(len(rows)), chance.randint(1, 4)
            column = chance.randrange(len(rows[start]))
            near = rows[start : start + lines]
            texts.append(" ".join(row[column] for row in near if column < len(row)))
    return texts
