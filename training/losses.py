"""What training makes small."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def in_lemma(group: Tensor) -> Tensor:
    """Which pairs of a batch's usages are of one lemma, each once."""
    return torch.triu(group[:, None] == group, diagonal=1)


def contrast(cosine: Tensor, same: Tensor, sharpness: float) -> Tensor:
    """CoSENT over the whole batch: no pair of two senses closer than any pair of one sense."""
    apart = torch.logsumexp(sharpness * cosine[~same], dim=0)
    together = torch.logsumexp(-sharpness * cosine[same], dim=0)
    return torch.nn.functional.softplus(apart + together)


def copying(cosine: Tensor, target: Tensor, pair: Tensor, everywhere: float) -> Tensor:
    """Squared distance to the teacher's cosines: within lemmas, and a little over the batch."""
    squared = (cosine - target) ** 2
    return squared[pair].mean() + everywhere * squared.mean()


def cosines(teachers: Sequence[Tensor], rows: Tensor) -> Tensor:
    """Of some usages by every teacher's vectors."""
    return torch.stack([(vectors[rows] @ vectors[rows].T).float() for vectors in teachers])


def as_often(same: Tensor, across: Tensor, weight: Tensor) -> Tensor:
    """Weights by which pairs across two eras share a sense as often as those within one."""
    even = weight.clone()
    rate = weight[same].sum() / weight.sum()
    for pairs in (across, ~across):
        own = weight[pairs & same].sum() / weight[pairs].sum()
        even[pairs & same] *= rate / own
        even[pairs & ~same] *= (1 - rate) / (1 - own)
    return even
