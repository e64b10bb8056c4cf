"""The networks in training: a target's mean token state, for MiniLM and for MPNet alike."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

from batches import Corpus, Views, Window

AS_IT_IS = Views()
PARTS = 4  # of a batch, by length, so that little is padding


class TargetEncoder(nn.Module):
    """A base model whose target token states in the last layer, averaged, are a usage's vector."""

    def __init__(self, base: str | Path, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.base = AutoModel.from_pretrained(
            base,
            add_pooling_layer=False,
            dtype=torch.float32,
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
        states = self.base(input_ids=moved[0], attention_mask=moved[1]).last_hidden_state
        return torch.einsum("bt,btd->bd", moved[2], states.float())


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
    """Half precision where the machine has it."""
    return torch.autocast("cuda", dtype=torch.bfloat16, enabled=torch.cuda.is_available())
