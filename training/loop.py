"""The loop that teacher and student share, and the development sets that judge them."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor
from torch.utils.data import DataLoader

from batches import Batch, Batches, Corpus, Views, Window
from kinds import EXAMPLE, IN_TEXT, READ, WEBSTER, WRITTEN
from network import TargetEncoder, precision, vectors_of

LINES = 50  # of the log
HELD_OUT_USAGES = 12  # of every lemma held out

# Of windows and their vectors, usages and lemma groups.
Loss = Callable[[list[Window], Tensor, Tensor, Tensor], Tensor]


def arguments(description: str, **defaults: object) -> argparse.ArgumentParser:
    """What both scripts can be told."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("base", type=Path, help="folder of the base model")
    parser.add_argument("work", type=Path, help="folder of prepare.py; results go there too")
    parser.add_argument("--name", help="of the results")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seconds", type=float, help="to train; if fewer than the steps take")
    parser.add_argument("--rate", type=float)
    parser.add_argument("--lemmas", type=int, default=96, help="in a batch")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--wider", type=float, default=0.4, help="share with sentences around")
    parser.add_argument("--narrower", type=float, default=0.0, help="share that is cropped")
    parser.add_argument("--old", type=float, default=0.1, help="share in old spelling")
    parser.add_argument("--among", type=float, default=0.0, help="share among sentences of a text")
    # Beside the root of its number of usages: those written for training are few and the clearest.
    parser.add_argument("--written", type=float, default=3.0, help="weight of its lemmas")
    parser.add_argument("--webster", type=float, default=0.5, help="weight of its lemmas")
    parser.add_argument("--read", type=float, default=3.0, help="weight of its lemmas")
    parser.add_argument("--workers", type=int, default=3, help="processes that make batches")
    parser.set_defaults(**defaults)
    return parser


def batches(
    given: argparse.Namespace, corpus: Corpus, usable: np.ndarray, **others: int
) -> Batches:
    """Batches of usable usages as they were asked for, some of the lemmas of other kinds."""
    if given.among and corpus.source is None:
        raise SystemExit("--among needs usages whose texts prepare.py has told apart.")
    return Batches(
        corpus,
        usable,
        Views(wider=given.wider, narrower=given.narrower, old=given.old, among=given.among),
        seed=given.seed,
        lemmas=given.lemmas,
        **others,
        often={WRITTEN: given.written, WEBSTER: given.webster, READ: given.read},
    )


def save(encoder: TargetEncoder, path: Path) -> None:
    """The weights that were trained, in half precision."""
    frozen = {name for name, weight in encoder.named_parameters() if not weight.requires_grad}
    learnt = {name: weight for name, weight in encoder.state_dict().items() if name not in frozen}
    torch.save({name: weight.half() for name, weight in learnt.items()}, path)


class Development:
    """Area under the curve of "same sense?" by cosine, on pairs that training never sees."""

    def __init__(self, work: Path, corpus: Corpus) -> None:
        self.sets = {path.stem: Corpus(path) for path in sorted(work.glob("*_dev.npz"))}
        self.corpus = corpus
        rng = np.random.default_rng(0)
        of_wordnet = (corpus.kind == IN_TEXT) | (corpus.kind == EXAMPLE)
        rows = rng.permutation(np.flatnonzero((corpus.fold < 0) & of_wordnet))
        order = rows[np.argsort(corpus.lemma[rows], kind="stable")]
        _, first = np.unique(corpus.lemma[order], return_index=True)
        lemmas = np.split(order, first[1:])
        several = [usages[:HELD_OUT_USAGES] for usages in lemmas if len(usages) > 1]
        self.held_out = {"held_out": np.concatenate(several)} | {
            name: np.flatnonzero((corpus.fold < 0) & (corpus.kind == kind))
            for name, kind in (("written", WRITTEN), ("read", READ))
            if ((corpus.fold < 0) & (corpus.kind == kind)).any()
        }

    def measure(self, encoder: TargetEncoder) -> dict[str, float]:
        """The figures of all development sets."""
        figures = {}
        for name, pairs in self.sets.items():
            vectors = vectors_of(encoder, pairs, range(len(pairs))).float().cpu().numpy()
            cosine = (vectors[::2] * vectors[1::2]).sum(axis=1)
            figures[name] = roc_auc_score(pairs.same, cosine)
        for name, usages in self.held_out.items():
            vectors = vectors_of(encoder, self.corpus, usages.tolist()).float()
            lemma, sense = self.corpus.lemma[usages], self.corpus.sense[usages]
            cosine = (vectors @ vectors.T).cpu().numpy()
            pair = np.triu(lemma[:, None] == lemma, 1)
            figures[name] = roc_auc_score((sense[:, None] == sense)[pair], cosine[pair])
        return {name: round(float(figure), 4) for name, figure in figures.items()}


def as_they_are(batch: Batch) -> Batch:
    """Arrays stay arrays on their way from a worker: as tensors each would take an open file."""
    return batch


def train(
    given: argparse.Namespace,
    encoder: TargetEncoder,
    corpus: Corpus,
    batches: Batches,
    loss_of: Loss,
    checks: int = 3,
) -> None:
    """AdamW with a linear rise over a twentieth and a linear fall; the log is the loss curve."""
    steps, log = given.steps, given.work / f"{given.name}.jsonl"
    development = Development(given.work, corpus)
    device = next(encoder.parameters()).device
    learnt = [weight for weight in encoder.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(learnt, lr=given.rate, weight_decay=0.01)
    rise, done = 1 / 20, 0.0
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (rise * steps), (1 - done) / (1 - rise))
    )
    loader = DataLoader(batches, batch_size=None, num_workers=given.workers, collate_fn=as_they_are)
    stream = iter(loader)
    encoder.train()
    began, losses = time.perf_counter(), []
    with log.open("w", encoding="utf-8") as file:
        for step in range(1, steps + 1):
            windows, usages, group = next(stream)
            with precision():
                vectors = encoder(windows)
            groups = torch.as_tensor(group).to(device)
            loss = loss_of(windows, vectors, torch.as_tensor(usages), groups)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learnt, 1.0)
            optimizer.step()
            taken = (time.perf_counter() - began) / given.seconds if given.seconds else 0.0
            done = min(max(step / steps, taken), 1.0)
            schedule.step()
            losses.append(loss.detach())
            check = step % -(-steps // checks) == 0 or done == 1.0
            if check or step % -(-steps // LINES) == 0:
                row = {"step": step, "loss": round(float(torch.stack(losses).mean()), 5)}
                row |= development.measure(encoder) if check else {}
                row["seconds"] = round(time.perf_counter() - began, 1)
                if check:
                    print(log.stem, json.dumps(row), flush=True)
                file.write(json.dumps(row) + "\n")
                file.flush()
                losses = []
            if done == 1.0:
                break
    encoder.eval()
