"""A large encoder taught to tell senses apart, and its vectors of every usage.

    python training/train_teacher.py all-mpnet-base-v2/ work/ --fold 0 --seed 0

The lemmas of one fold are left out, so that their vectors show how the teacher generalises.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from batches import Batches, Corpus, Views
from encoder import TargetEncoder, vectors_of
from loop import Development, train
from losses import contrast, in_lemma
from torch import Tensor


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("base", type=Path)
    arguments.add_argument("work", type=Path)
    arguments.add_argument("--name", default="teacher")
    arguments.add_argument("--fold", type=int, default=-1, help="left out; −1: none")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--steps", type=int, default=1200)
    arguments.add_argument("--rate", type=float, default=3e-5)
    arguments.add_argument("--lemmas", type=int, default=96, help="in a batch")
    arguments.add_argument("--layers", type=int, default=1, help="averaged")
    arguments.add_argument("--dropout", type=float, default=0.1)
    arguments.add_argument("--wider", type=float, default=0.0)
    arguments.add_argument("--narrower", type=float, default=0.0)
    arguments.add_argument("--old", type=float, default=0.0)
    arguments.add_argument("--glosses", action="store_true", help="as usages of their senses")
    arguments.add_argument("--no-vectors", action="store_true")
    given = arguments.parse_args()

    torch.manual_seed(given.seed)
    corpus = Corpus(given.work / "training.npz")
    usable = (corpus.fold >= 0) & ((corpus.fold != given.fold) | (given.fold < 0))
    if not given.glosses:
        usable &= corpus.kind != 2
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = TargetEncoder(given.base, layers=given.layers, dropout=given.dropout).to(device)
    sense = torch.as_tensor(corpus.sense).to(device)

    def loss_of(vectors: Tensor, usages: Tensor, group: Tensor) -> Tensor:
        pair = in_lemma(group)
        senses = sense[usages.to(device)]
        return contrast((vectors @ vectors.T)[pair], (senses[:, None] == senses)[pair])

    views = Views(wider=given.wider, narrower=given.narrower, old=given.old)
    batches = Batches(corpus, usable, views, seed=given.seed, lemmas=given.lemmas)
    log = given.work / f"{given.name}.jsonl"
    train(encoder, batches, loss_of, Development(given.work, corpus), log, steps=given.steps, rate=given.rate)
    torch.save({k: v.half() for k, v in encoder.state_dict().items()}, given.work / f"{given.name}.pt")
    if not given.no_vectors:
        usages = range(len(corpus))
        vectors = vectors_of(encoder, corpus, usages).float()
        if given.wider:  # What the sentences around say counts as much.
            vectors += vectors_of(encoder, corpus, usages, Views(wider=1.0)).float()
        unit = torch.nn.functional.normalize(vectors, dim=1)
        np.save(given.work / f"{given.name}.npy", unit.half().cpu().numpy())


if __name__ == "__main__":
    main()
