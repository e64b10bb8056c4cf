"""A small student cut from a large encoder, that learns with the few bits it is released with.

Some of the layers stay, of their feed-forward networks the neurons that do most, and of the word
embeddings their main directions. Weights have four bits: blocks of 32 inputs share a whole
multiple, and an output its scale, so that their products are whole numbers of seven bits.
Activations have eight, as the runtime gives them, after what is far off in a channel is evened out.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import parametrize

from batches import LONGEST, Corpus, Window
from e5 import two_a_byte
from four_bits import in_four_bits
from network import FourBits, TargetEncoder

BLOCK, LARGEST = 32, 7  # inputs that share a multiple, and the largest multiple
STEPS = 255  # of an activation
EVENNESS = 0.5  # power of a channel's range that goes over to the weights
BEGIN, END, PAD = 101, 102, 0  # of BERT's vocabulary
SAMPLE = 256  # usages that are looked at before training


def fast() -> torch.dtype:
    """What products are made in; whole numbers up to 256 are exact in it."""
    return torch.bfloat16 if torch.is_autocast_enabled("cuda") else torch.float32


class EightBits(torch.autograd.Function):
    """Activations as whole numbers with one step; gradients pass as they are."""

    @staticmethod
    def forward(ctx, x: Tensor) -> tuple[Tensor, Tensor]:
        """The numbers, and the step."""
        low, high = x.aminmax()
        step = ((high.clamp(min=0) - low.clamp(max=0)).float() / STEPS).clamp(min=1e-12)
        ctx.save_for_backward(step)
        ctx.mark_non_differentiable(step)
        return (x / step).round().to(fast()), step

    @staticmethod
    def backward(ctx, slope: Tensor, _: Tensor) -> Tensor:
        """As if the numbers had not been rounded."""
        (step,) = ctx.saved_tensors
        return slope / step


class Rounded(nn.Module):
    """A linear map with weights of four bits, once its inputs have been watched."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(weight.clone()), nn.Parameter(bias.clone())
        self.register_buffer("shift", torch.zeros(weight.shape[1]))
        self.register_buffer("scale", torch.ones(weight.shape[1]))
        self.watched: list[Tensor] | None = []

    def settle(self, *, shifted: bool) -> None:
        """Even out the inputs that were watched; from now on everything is rounded."""
        seen = torch.cat(self.watched)
        self.watched = None
        with torch.no_grad():
            if shifted:
                self.shift.copy_(seen.mean(dim=0))
            spread = (seen - self.shift).abs().amax(dim=0)
            self.scale.copy_((spread / spread.median()).clamp(min=1.0) ** EVENNESS)
            self.bias += self.weight @ self.shift
            self.weight *= self.scale

    def whole(self) -> tuple[Tensor, Tensor, Tensor]:
        """Whole numbers of four bits, the multiples of their blocks and the scales of outputs."""
        blocks = self.weight.detach().reshape(len(self.weight), -1, BLOCK)
        largest = blocks.gather(2, blocks.abs().argmax(dim=2, keepdim=True))
        steps = largest / -8
        scale = (steps.abs().amax(dim=1, keepdim=True) / LARGEST).clamp(min=1e-12)
        multiple = (steps / scale).round()
        multiple = torch.where(multiple == 0, torch.where(steps < 0, -1.0, 1.0), multiple)
        four = (blocks / (multiple * scale)).round().clamp(-8, 7)
        return four, multiple, scale[:, :, 0]

    def round(self) -> None:
        """Round the weights as they are now, for the batches that come."""
        four, multiple, scale = self.whole()
        exact = self.weight / scale
        whole = exact + ((four * multiple).reshape(exact.shape) - exact).detach()
        self.rounded = whole.to(fast()), scale[:, 0], self.bias.to(fast())

    def forward(self, x: Tensor) -> Tensor:
        """``x·Wᵀ + b`` in whole numbers."""
        if self.watched is not None:
            self.watched.append(x.detach().reshape(-1, x.shape[-1]).float())
            return functional.linear(x, self.weight, self.bias)
        whole, scale, bias = self.rounded
        read, step = EightBits.apply((x - self.shift) / self.scale)
        return torch.addcmul(bias, functional.linear(read, whole), (step * scale).to(bias.dtype))


class Layer(nn.Module):
    """Attention and feed-forward network, each added to what it read and normalised."""

    def __init__(self, found: nn.Module, neurons: Tensor) -> None:
        super().__init__()
        attention = found.attention.attn
        parts = (attention.q, attention.k, attention.v)
        self.heads = attention.num_attention_heads
        self.attend = Rounded(
            torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts])
        )
        self.gather = Rounded(attention.o.weight, attention.o.bias)
        wide, narrow = found.intermediate.dense, found.output.dense
        self.widen = Rounded(wide.weight[neurons], wide.bias[neurons])
        self.narrow = Rounded(narrow.weight[:, neurons], narrow.bias)
        self.attended = deepcopy(found.attention.LayerNorm)
        self.fed = deepcopy(found.output.LayerNorm)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """The next states."""
        batch, length, width = x.shape
        parts = self.attend(x).reshape(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = parts.to(bias.dtype)
        found = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        found = found.transpose(1, 2).reshape(batch, length, width)
        x = self.attended(x + self.gather(found))
        return self.fed(x + self.narrow(functional.gelu(self.widen(x))))


class SmallEncoder(TargetEncoder):
    """Layers, neurons and directions of a large encoder; rounded after ``settle``."""

    def __init__(
        self, large: TargetEncoder, layers: Sequence[int], neurons: int, rank: int, corpus: Corpus
    ) -> None:
        nn.Module.__init__(self)
        self.begin, self.end, self.pad, self.shift, self.layers = BEGIN, END, PAD, 0, 1
        base = large.base
        words, places = base.embeddings.word_embeddings, base.embeddings.position_embeddings
        table = words.weight.detach()[large.shift :][: len(words.weight) - large.shift - 1].clone()
        special = {BEGIN: large.begin, END: large.end, PAD: large.pad}
        table[list(special)] = words.weight.detach()[list(special.values())]
        often = np.bincount(corpus.texts[0][0], minlength=len(table)).astype(np.float32)
        often[[BEGIN, END]] = often.max()
        self.words = nn.Embedding(len(table), rank)
        self.turn = nn.Linear(rank, table.shape[1], bias=False)
        main, turn = main_directions(table, torch.from_numpy(often), rank)
        self.words.weight = nn.Parameter(main)
        self.turn.weight = nn.Parameter(turn)
        first = words.padding_idx + 1
        self.places = nn.Parameter(places.weight.detach()[first : first + LONGEST + 2].clone())
        self.norm = deepcopy(base.embeddings.LayerNorm)
        found = [base.encoder.layer[number] for number in layers]
        useful = useful_neurons(large, found, corpus.sample(SAMPLE), neurons)
        self.stacked = nn.ModuleList(map(Layer, found, useful))
        with torch.no_grad():
            near = base.encoder.compute_position_bias(torch.zeros(1, LONGEST + 2, table.shape[1]))
        self.register_buffer("near", near[0].clone())

    def forward(self, windows: Sequence[Window]) -> Tensor:
        """Unit vectors of the usages, in their order."""
        for module in self.modules():
            if isinstance(module, Rounded) and module.watched is None:
                module.round()
        return super().forward(windows)

    def states(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Of every token, in the last layer."""
        length = ids.shape[1]
        x = self.norm(self.turn(self.words(ids)).float() + self.places[:length])
        bias = self.near[:, :length, :length] + torch.where(mask.bool(), 0.0, -1e4)[:, None, None]
        bias = bias.to(fast())
        for layer in self.stacked:
            x = layer(x, bias)
        return x

    def settle(self, windows: Sequence[Window]) -> None:
        """Look at some usages, and round from now on."""
        with torch.inference_mode():
            self(windows)
        for name, module in self.named_modules():
            if isinstance(module, Rounded):
                # Beyond the activation function a shift would be one more step of the graph.
                module.settle(shifted=not name.endswith("narrow"))
        parametrize.register_parametrization(self.words, "weight", FourBits())

    def packed(self) -> dict[str, np.ndarray]:
        """What is released, in the bits in which it is."""
        words = in_four_bits(self.words.weight.detach().cpu().numpy())
        arrays: dict[str, np.ndarray | Tensor] = {
            "words.four": two_a_byte(words.four),
            "words.scale": words.scale,
            "turn": self.turn.weight.T.half(),
            "places": self.places.half(),
            # What one token is to another depends on how far it is, first on how far before.
            "near": torch.cat([self.near[:, 1:, 0].flip(1), self.near[:, 0]], dim=1),
            "norm": torch.stack([self.norm.weight, self.norm.bias]),
        }
        for number, layer in enumerate(self.stacked):
            for name in ("attended", "fed"):
                norm = getattr(layer, name)
                arrays[f"{number}.{name}"] = torch.stack([norm.weight, norm.bias])
            for name in ("attend", "gather", "widen", "narrow"):
                made = getattr(layer, name)
                four, multiple, scale = made.whole()
                key = f"{number}.{name}"
                rows = four.reshape(len(four), -1) + 8
                arrays[f"{key}.four"] = two_a_byte(rows.to(torch.uint8).cpu().numpy())
                arrays[f"{key}.multiple"] = multiple[:, :, 0].to(torch.int8)
                arrays |= {f"{key}.scale": scale[:, 0], f"{key}.bias": made.bias}
                arrays[f"{key}.even"] = torch.stack([made.shift, made.scale])
        return {
            name: array.detach().cpu().numpy() if isinstance(array, Tensor) else array
            for name, array in arrays.items()
        }


def main_directions(table: Tensor, often: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """A table of words in fewer numbers, and the map that turns them back, by frequent words most.

    The numbers are turned at random, so that all are of one size and lose alike in four bits.
    """
    weight = (often + 1).sqrt()[:, None]
    _, _, directions = torch.linalg.svd(table * weight, full_matrices=False)
    torch.manual_seed(0)
    rotation, _ = torch.linalg.qr(torch.randn(rank, rank))
    turn = directions[:rank].T @ rotation
    return table @ turn, turn


def useful_neurons(
    large: TargetEncoder, layers: Sequence[nn.Module], windows: Sequence[Window], count: int
) -> list[Tensor]:
    """Of each layer's feed-forward network the neurons that add most to the states."""
    active: dict[nn.Module, Tensor] = {}

    def watch(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        total = inputs[0].detach().float().pow(2).sum(dim=(0, 1))
        active[module] = active.get(module, 0) + total

    watching = [layer.output.dense.register_forward_pre_hook(watch) for layer in layers]
    with torch.inference_mode():
        large(windows)
    for each in watching:
        each.remove()
    useful = []
    for layer in layers:
        size = active[layer.output.dense].sqrt() * layer.output.dense.weight.norm(dim=0)
        useful.append(size.argsort(descending=True)[:count].sort().values)
    return useful
