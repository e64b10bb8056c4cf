"""The networks in training: a target's mean token state, for MiniLM, MPNet and E5 alike."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel

import e5
from batches import Corpus, Views, Window

AS_IT_IS = Views()
# On a processor the fused kernel takes more than half of a step for its gradients; MPNet has none.
ATTENTION = None if torch.cuda.is_available() else "eager"
PARTS = 4  # of a batch, by length, so that little is padding


class TargetEncoder(nn.Module):
    """A base model whose target token states make a usage's vector.

    It is their average over the last layers, or with a head the sum of what linear maps make of
    those of some layers, which are known by how many layers from below made them.
    """

    def __init__(self, base: str | Path, *, dropout: float = 0.1, layers: int = 1) -> None:
        super().__init__()
        self.layers, self.head = layers, nn.ModuleDict()
        self.base = AutoModel.from_pretrained(
            base,
            add_pooling_layer=False,
            dtype=torch.float32,
            attn_implementation=ATTENTION,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
        )
        tokenizer = AutoTokenizer.from_pretrained(base)
        self.begin, self.end = tokenizer.cls_token_id, tokenizer.sep_token_id
        self.pad = tokenizer.pad_token_id
        # The arrays hold the word pieces of BERT's vocabulary, which MPNet numbers otherwise.
        self.shift = tokenizer.convert_tokens_to_ids("the") - 1996

    def stack(self, layers: Sequence[int]) -> None:
        """Its layers from below, by their numbers; one named twice is copied."""
        found = self.base.encoder.layer
        self.base.encoder.layer = nn.ModuleList(deepcopy(found[number]) for number in layers)

    def read_by(self, maps: Mapping[str, Tensor], added: Tensor | None = None) -> None:
        """Let linear maps of the states of some layers make the vectors, with something added."""
        self.head.clear()
        for number, weight in maps.items():
            own = nn.Linear(*reversed(weight.shape), bias=added is not None)
            own.weight.data.copy_(weight)
            if added is not None:
                own.bias.data.copy_(added / len(maps))
            self.head[number] = own
        self.head.to(self._words.weight.device)

    def round_words(self) -> None:
        """Let the network learn with word embeddings of four bits."""
        self._words.requires_grad_(True)
        parametrize.register_parametrization(self._words, "weight", FourBits())

    def keep_rounded(self) -> None:
        """The word embeddings stay as they were rounded."""
        parametrize.remove_parametrizations(self._words, "weight", leave_parametrized=True)

    @property
    def _words(self) -> nn.Module:
        return self.base.embeddings.word_embeddings

    def forward(self, windows: Sequence[Window]) -> Tensor:
        """Unit vectors of the usages, in their order."""
        order = sorted(range(len(windows)), key=lambda row: len(windows[row][0]))
        parts = [part for part in np.array_split(order, PARTS) if len(part)]
        vectors = torch.cat([self._part([windows[row] for row in part]) for part in parts])
        back = torch.empty(len(order), dtype=torch.long)
        back[order] = torch.arange(len(order))
        return nn.functional.normalize(vectors.float(), dim=1)[back.to(vectors.device)]

    def _part(self, windows: Sequence[Window]) -> Tensor:
        length = 2 + max(len(ids) for ids, _, _ in windows)
        length += -length % 8
        ids = np.full((len(windows), length), self.pad)
        mask = np.zeros((len(windows), length), dtype=np.int64)
        weights = np.zeros((len(windows), length), dtype=np.float32)
        for row, (tokens, first, last) in enumerate(windows):
            ids[row, 0], ids[row, len(tokens) + 1] = self.begin, self.end
            ids[row, 1 : len(tokens) + 1] = tokens + self.shift
            mask[row, : len(tokens) + 2] = 1
            weights[row, first + 1 : last + 1] = 1 / (last - first)
        device = next(self.parameters()).device
        moved = [torch.from_numpy(a).to(device, non_blocking=True) for a in (ids, mask, weights)]
        return torch.einsum("bt,btd->bd", moved[2], self.states(moved[0], moved[1]).float())

    def states(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Of every token, by its head or averaged over the last layers."""
        deep = self.layers > 1 or len(self.head) > 0
        found = self.base(input_ids=ids, attention_mask=mask, output_hidden_states=deep)
        if self.head:
            return sum(read(found.hidden_states[int(k)]).float() for k, read in self.head.items())
        if self.layers == 1:
            return found.last_hidden_state
        return torch.stack([s.float() for s in found.hidden_states[-self.layers :]]).mean(dim=0)


class FourBits(nn.Module):
    """A table rounded to blocks of four bits as it will be released; gradients pass as they are."""

    def forward(self, weight: Tensor) -> Tensor:
        """The rounded table."""
        blocks = weight.detach().reshape(len(weight), -1, e5.BLOCK)
        largest = blocks.gather(2, blocks.abs().argmax(dim=2, keepdim=True))
        scale = (largest / -8).half().float()
        whole = (blocks / torch.where(scale == 0, 1.0, scale)).round().clamp(-8, 7)
        return weight + ((whole * scale).reshape(weight.shape) - weight).detach()


class MultilingualEncoder(TargetEncoder):
    """The base of ``vocabulary.py``: words as they are, and the mean of the last layers."""

    def __init__(self, base: Path, *, dropout: float = 0.1, layers: int = 3) -> None:
        nn.Module.__init__(self)
        config = BertConfig(
            **json.loads((base / "config.json").read_text()),
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
        )
        self.base = BertModel(config, add_pooling_layer=False)
        found = e5.load(base / "base.npz").items()
        weights = {name: w.floats() if isinstance(w, e5.Table) else w for name, w in found}
        tensors = {name: torch.from_numpy(weight) for name, weight in weights.items()}
        self.base.load_state_dict(tensors, strict=False)
        self.head = nn.ModuleDict()
        self.base.embeddings.word_embeddings.requires_grad_(False)
        self.begin, self.pad, self.end = (e5.SPECIAL.index(n) for n in ("<s>", "<pad>", "</s>"))
        self.shift, self.layers = 0, layers


def vectors_of(
    encoder: TargetEncoder,
    corpus: Corpus,
    usages: Sequence[int],
    views: Views = AS_IT_IS,
    size: int = 2048,
) -> Tensor:
    """Vectors of usages in some view, in half precision on the encoder's device."""
    encoder.eval()
    found = []
    rng = np.random.default_rng(0) if views != AS_IT_IS else None
    windows = {usage: corpus.window(usage, rng, views) for usage in usages}
    order = sorted(usages, key=lambda usage: -len(windows[usage][0]))
    with torch.inference_mode(), precision():
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            found.append(encoder([windows[row] for row in rows]).half())
    encoder.train()
    place = {usage: i for i, usage in enumerate(order)}
    return torch.cat(found)[[place[usage] for usage in usages]]


def precision() -> torch.autocast:
    """Half precision where the machine multiplies it at once."""
    if torch.cuda.is_available():
        return torch.autocast("cuda", dtype=torch.bfloat16)
    able = torch.cpu.get_capabilities()
    fast = able.get("amx_bf16", False) or able.get("avx512_bf16", False)
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast)
