"""A large encoder taught to tell senses apart, and its vectors of every usage.

    python training/train_teacher.py all-mpnet-base-v2/ work/ --fold 0 --seed 0 --name t0

The lemmas of one fold are left out, so that their vectors show how the teacher generalises.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from batches import Corpus, Views, Window, together
from kinds import BARE, GLOSS, IN_TEXT
from loop import arguments, batches, save, train
from losses import contrast, in_lemma
from network import TargetEncoder, vectors_of


def main() -> None:
    """Train, and write weights and vectors."""
    parser = arguments(__doc__, name="teacher", steps=600, rate=5e-5, lemmas=80)
    parser.add_argument("--fold", type=int, default=-1, help="left out; −1: none")
    parser.add_argument("--glosses", action="store_true", help="as usages of their senses")
    parser.add_argument("--no-vectors", action="store_true", help="only to see how it learns")
    parser.add_argument("--also", type=Path, help="usages in a file whose vectors are wanted too")
    parser.add_argument("--sharpness", type=float, default=8.0, help="of the contrast")
    parser.add_argument("--single", type=int, default=0, help="words of one sense in a batch")
    parser.add_argument("--disguised", type=int, default=0, help="words made of two such ones")
    parser.add_argument("--related", action="store_true", help="closely related senses are one")
    given = parser.parse_args()

    torch.manual_seed(given.seed)
    corpus = Corpus(given.work / "training.npz")
    usable = (corpus.fold >= 0) & ((corpus.fold != given.fold) | (given.fold < 0))
    if not given.glosses:
        usable &= corpus.kind != GLOSS
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = TargetEncoder(given.base, dropout=given.dropout).to(device)
    levels = [corpus.sense]
    if given.related:
        levels = together(corpus)
        usable &= (corpus.kind == BARE) | (levels[0] >= 0)
    labels = [torch.as_tensor(of).to(device) for of in levels]

    def loss_of(_: list[Window], vectors: Tensor, usages: Tensor, group: Tensor) -> Tensor:
        pair, rows = in_lemma(group), usages.to(device)
        cosine = (vectors @ vectors.T)[pair]
        same = [(of[rows][:, None] == of[rows])[pair] for of in labels]
        return sum(contrast(cosine, one, given.sharpness) for one in same) / len(same)

    taken = batches(given, corpus, usable, single=given.single, disguised=given.disguised)
    train(given, encoder, corpus, taken, loss_of)
    save(encoder, given.work / f"{given.name}.pt")
    if not given.no_vectors:
        vectors = vectors_of(encoder, corpus, range(len(corpus))).float()
        if given.wider:  # What the sentences around say counts as much.
            running = np.flatnonzero(corpus.kind == IN_TEXT).tolist()
            vectors[running] += vectors_of(encoder, corpus, running, Views(wider=1.0)).float()
        unit = torch.nn.functional.normalize(vectors, dim=1)
        np.save(given.work / f"{given.name}.npy", unit.half().cpu().numpy())
    if given.also:
        others = Corpus(given.also)
        found = vectors_of(encoder, others, range(len(others)))
        np.save(given.also.with_suffix(f".{given.name}.npy"), found.cpu().numpy())


if __name__ == "__main__":
    main()
