"""A head for an encoder: linear maps of what some of its layers know of a target, added up.

    python training/train_head.py all-MiniLM-L6-v2/ work/ work/s11/model.onnx --name s12
    python training/train_head.py all-MiniLM-L6-v2/ work/ work/b.npz --name s13

The second is of a student that was cut from a large encoder (``small.py``), whose last layer alone
is read.  The encoder stays as it is.  The head learns the chance that two usages of a word have one
sense, by their cosine and alike for all words, of which each counts the same: so one cut does for
all of them.  Usages that were read in texts of many times teach most of it.  Of these, pairs within
an era and across two share a sense equally often, so that the manner of an era tells less.  A
processor does it in minutes.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import Tensor, nn

from batches import Corpus, Window
from kinds import IN_TEXT, READ, WRITTEN
from loop import Development, save
from losses import as_often, in_lemma
from network import TargetEncoder, vectors_of
from refine import released, weights_in
from small import BEGIN, END
from small_graph import SmallGraph, packed_in, pieces_in

FEWEST, MOST = 6, 30  # usages of a word in a batch
WORDS = {READ: 60, WRITTEN: 20, IN_TEXT: 20}  # of each kind in a batch
DRAWN = 30_000  # usages in running text, of many more
BELOW = 0.5  # what lower layers weigh beside the uppermost, to begin with
SHARPNESS, MIDDLE = 10.0, 0.55  # of the chance by cosine, to begin with
RISE = 20  # steps
LAYERS = (5, 7)  # of a graph with seven


class Packed:
    """A student that was cut from a large encoder, as the graph of its packed weights runs."""

    def __init__(self, path: Path, base: Path) -> None:
        self.arrays, self.head = packed_in(path), None
        self.arrays.pop("head", None)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        graph = SmallGraph(self.arrays, pieces_in(base)).model().SerializeToString()
        self.session = onnxruntime.InferenceSession(graph, options)

    def __call__(self, windows: Sequence[Window]) -> Tensor:
        """Unit vectors of the usages, each alone, as when it is released."""
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            states = torch.from_numpy(np.stack(list(threads.map(self._state, windows))))
        vectors = states if self.head is None else states @ self.head.T
        return nn.functional.normalize(vectors, dim=1)

    def _state(self, window: Window) -> np.ndarray:
        tokens, first, last = window
        ids = np.concatenate([[BEGIN], tokens, [END]])[None].astype(np.int64)
        (states,) = self.session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        return states[0, first + 1 : last + 1].mean(axis=0)

    def train(self) -> None:
        """It never learns; training asks."""

    eval = train


@dataclass(frozen=True)
class Labelled:
    """Usages of one kind: what the encoder knows of them, their senses and eras, rows by word."""

    known: Tensor
    sense: np.ndarray
    era: np.ndarray
    words: list[np.ndarray]

    @classmethod
    def of(cls, encoder: TargetEncoder | Packed, corpus: Corpus, kind: int) -> Labelled | None:
        """Those to train with, of words of which there are enough; None where there is no word."""
        senses = corpus.sense if kind == WRITTEN else corpus.group
        usages = np.flatnonzero((corpus.kind == kind) & (corpus.fold >= 0) & (senses >= 0))
        if kind == IN_TEXT and len(usages) > DRAWN:
            usages = np.sort(np.random.default_rng(0).choice(usages, DRAWN, replace=False))
        lemma = corpus.lemma[usages]
        order = np.argsort(lemma, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(lemma[order])) + 1)
        words = [rows for rows in parts if len(rows) >= FEWEST]
        if not words:
            return None
        known = vectors_of(encoder, corpus, usages.tolist(), size=256).float().cpu()
        return cls(known, senses[usages].astype(np.int64), corpus.era[usages], words)


def read_all(encoder: TargetEncoder, layers: list[int]) -> None:
    """Let an encoder tell all that some layers know, one after the other."""
    width = encoder.base.config.hidden_size
    maps = torch.eye(width * len(layers)).split(width, dim=1)
    encoder.read_by({str(number): each for number, each in zip(layers, maps, strict=True)})


def main_directions(known: Tensor, layers: int, size: int) -> Tensor:
    """A map of what some layers know to the directions in which usages differ most."""
    weight = torch.cat([BELOW * torch.eye(known.shape[1] // layers)] * layers, dim=1)
    weight[:, -len(weight) :] /= BELOW  # the uppermost layer
    states = nn.functional.normalize(known @ weight.T, dim=1)
    return torch.linalg.eigh(states.T @ states).eigenvectors[:, -size:].T @ weight


def batches(kinds: dict[int, Labelled], seed: int) -> Iterator[tuple[Tensor, ...]]:
    """Of the usages of some words what is known, their senses and eras, and whose they are."""
    chance = np.random.default_rng(seed)
    while True:
        parts = []
        for kind, of in kinds.items():
            count = min(WORDS[kind], len(of.words))
            for word in chance.choice(len(of.words), count, replace=False):
                parts.append((of, chance.permutation(of.words[word])[:MOST]))
        group = np.repeat(np.arange(len(parts)), [len(rows) for _, rows in parts])
        known = torch.cat([of.known[rows] for of, rows in parts])
        sense, era = (
            torch.from_numpy(np.concatenate([getattr(of, name)[rows] for of, rows in parts]))
            for name in ("sense", "era")
        )
        yield known, sense, era, torch.from_numpy(group)


def loss_of(cosine: Tensor, sense: Tensor, era: Tensor, group: Tensor, curve: Tensor) -> Tensor:
    """How unlikely senses are by the chance that cosines give; every word counts the same."""
    pair = in_lemma(group)
    same = (sense[:, None] == sense)[pair]
    size = torch.bincount(group)[group].float()
    weight = (2 / (size * (size - 1)))[:, None].expand_as(cosine)[pair] / (1 + group.max())
    of_era = (era >= 0)[:, None].expand_as(cosine)[pair]
    across = (era[:, None] != era)[pair]
    weight[of_era] = as_often(same[of_era], across[of_era], weight[of_era])
    odds = curve[0] * (cosine[pair] - curve[1])
    unlikely = nn.functional.binary_cross_entropy_with_logits
    return unlikely(odds, same.float(), weight=weight, reduction="sum")


def learn(
    weight: Tensor, kinds: dict[int, Labelled], steps: int, rate: float, dropout: float, seed: int
) -> Tensor:
    """The map after so many batches, by Adam."""
    weight, curve = weight.clone().requires_grad_(), torch.tensor([SHARPNESS, MIDDLE])
    groups = [{"params": [weight]}, {"params": [curve.requires_grad_()], "lr": 1e-2}]
    optimizer = torch.optim.Adam(groups, lr=rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / RISE, 1.0) * (1 - step / steps)
    )
    for step, (known, *labels) in zip(range(1, steps + 1), batches(kinds, seed), strict=False):
        vectors = nn.functional.normalize(nn.functional.dropout(known, dropout) @ weight.T, dim=1)
        loss = loss_of(vectors @ vectors.T, *labels, curve)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % max(steps // 10, 1) == 0:
            print(f"step {step}: loss {loss.item():.4f}", flush=True)
    return weight.detach()


def main() -> None:
    """Train, and write the encoder with its head."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path, help="folder of the base model")
    parser.add_argument("work", type=Path, help="folder of prepare.py; results go there too")
    parser.add_argument("graph", type=Path, help="of export.py, or what small.py packed")
    parser.add_argument("--name", default="headed", help="of the results")
    parser.add_argument(
        "--layers", type=int, nargs="+", help="of a graph that are read; 5 and 7 if none is named"
    )
    parser.add_argument("--size", type=int, default=256, help="of the vectors")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    torch.manual_seed(given.seed)
    corpus = Corpus(given.work / "training.npz")
    if corpus.era is None or not (corpus.era >= 0).any():
        raise SystemExit("A head is taught by usages that were read: prepare.py --read has them.")
    if given.graph.suffix == ".npz":
        if given.layers:
            parser.error("--layers is for a graph: of a packed student the last one is read")
        packed = Packed(given.graph, given.base)
        packed.head = taught(packed, corpus, 1, given)
        print(given.name, json.dumps(Development(given.work, corpus).measure(packed)))
        np.savez(given.work / f"{given.name}.npz", **packed.arrays, head=packed.head.numpy())
        return
    layers = sorted(given.layers or LAYERS)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = released(given.base, weights_in(given.graph), 0.0).to(device)
    if layers[-1] > (most := len(encoder.base.encoder.layer)):
        parser.error(f"{given.graph} has {most} layers")
    read_all(encoder, layers)
    maps = taught(encoder, corpus, len(layers), given).split(encoder.base.config.hidden_size, dim=1)
    encoder.read_by({str(number): each for number, each in zip(layers, maps, strict=True)})
    print(given.name, json.dumps(Development(given.work, corpus).measure(encoder)))
    save(encoder, given.work / f"{given.name}.pt")


def taught(
    encoder: TargetEncoder | Packed, corpus: Corpus, layers: int, given: argparse.Namespace
) -> Tensor:
    """A map of what some layers of an encoder tell, one after the other."""
    found = {kind: Labelled.of(encoder, corpus, kind) for kind in WORDS}
    kinds = {kind: of for kind, of in found.items() if of}
    weight = main_directions(kinds[READ].known, layers, given.size)
    return learn(weight, kinds, given.steps, given.rate, given.dropout, given.seed)


if __name__ == "__main__":
    main()
