"""A small encoder that copies the teachers' cosines.

    python training/train_student.py all-MiniLM-L6-v2/ work/ teacher0 teacher1 teacher2 teacher3
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from batches import Batches, Corpus, Views
from encoder import TargetEncoder
from loop import Development, train
from losses import contrast, copying, in_lemma
from torch import Tensor


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("base", type=Path)
    arguments.add_argument("work", type=Path)
    arguments.add_argument("teachers", nargs="+")
    arguments.add_argument("--name", default="student")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--steps", type=int, default=2500)
    arguments.add_argument("--rate", type=float, default=2e-4)
    arguments.add_argument("--lemmas", type=int, default=96, help="in a batch")
    arguments.add_argument("--bare", type=int, default=0, help="of them without labels")
    arguments.add_argument("--layers", type=int, default=1, help="averaged")
    arguments.add_argument("--everywhere", type=float, default=0.3)
    arguments.add_argument("--supervised", type=float, default=0.0)
    arguments.add_argument("--unseen", type=float, default=0.0, help="share of a lemma's target from the teacher that did not see it")
    arguments.add_argument("--dropout", type=float, default=0.1)
    arguments.add_argument("--wider", type=float, default=0.0)
    arguments.add_argument("--narrower", type=float, default=0.0)
    arguments.add_argument("--old", type=float, default=0.0)
    arguments.add_argument("--held-out-too", action="store_true", help="learn from every lemma")
    given = arguments.parse_args()

    torch.manual_seed(given.seed)
    corpus = Corpus(given.work / "training.npz")
    usable = (corpus.fold >= 0) | given.held_out_too
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = TargetEncoder(given.base, layers=given.layers, dropout=given.dropout).to(device)
    sense = torch.as_tensor(corpus.sense).to(device)
    fold = torch.as_tensor(corpus.fold.astype(np.int64)).clamp(min=0).to(device)
    teachers = [torch.from_numpy(np.load(given.work / f"{name}.npy")).to(device) for name in given.teachers]

    def loss_of(vectors: Tensor, usages: Tensor, group: Tensor) -> Tensor:
        rows = usages.to(device)
        taught = torch.stack([(t[rows] @ t[rows].T).float() for t in teachers])
        target, pair = taught.mean(dim=0), in_lemma(group)
        if given.unseen:
            alone = taught.gather(0, fold[rows].expand(1, len(rows), len(rows)))[0]
            target = torch.where(pair, torch.lerp(target, alone, given.unseen), target)
        cosine = vectors @ vectors.T
        loss = copying(cosine, target, pair, given.everywhere)
        if given.supervised:
            senses = sense[rows]
            known = pair & (senses >= 1)[:, None]
            loss = loss + given.supervised * contrast(cosine[known], (senses[:, None] == senses)[known])
        return loss

    views = Views(wider=given.wider, narrower=given.narrower, old=given.old)
    batches = Batches(corpus, usable, views, seed=given.seed, lemmas=given.lemmas, bare=given.bare)
    log = given.work / f"{given.name}.jsonl"
    train(encoder, batches, loss_of, Development(given.work, corpus), log, steps=given.steps, rate=given.rate)
    torch.save({k: v.half() for k, v in encoder.state_dict().items()}, given.work / f"{given.name}.pt")


if __name__ == "__main__":
    main()
