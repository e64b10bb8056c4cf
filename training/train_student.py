"""A small encoder that copies the teachers' cosines.

    python training/train_student.py all-mpnet-base-v2/ work/ t0 t1 t2 t3 --name student \\
        --start work/t0.pt --layers 0 2 4 7 9 11 --neurons 2048 --rank 416 --rate 2e-4

With ``--rank`` it is cut from the base and learns with four bits (``small.py``). It may go on from
the graph of another, with its layers and its head:

    python training/train_student.py all-MiniLM-L6-v2/ work/ t0 t1 t2 t3 --name student \\
        --start work/s12/model.onnx --rate 2e-4

A base of ``vocabulary.py`` has a tokenizer of its own, so that its teachers learnt in another
folder:

    python training/train_student.py english/ xx/ t0 t1 t2 t3 --learnt work/ --itself 0.5 \\
        --layers --averaged 4 --four-bits --name student
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from batches import Corpus, Window
from loop import arguments, batches, save, train
from losses import copying, cosines, in_lemma
from network import MultilingualEncoder, TargetEncoder, vectors_of
from refine import released, weights_in
from small import SAMPLE, SmallEncoder

LAYERS = (0, 1, 2, 3, 3, 4, 5)  # of a base with six


def main() -> None:
    """Train, and write weights."""
    parser = arguments(
        __doc__, name="student", steps=8000, rate=3e-4, dropout=0.0, narrower=0.15, old=0.15
    )
    parser.add_argument("teachers", nargs="+", help="one for each fold, in their order")
    parser.add_argument(
        "--start", type=Path, help="weights or a graph to begin with, instead of the base's own"
    )
    parser.add_argument("--learnt", type=Path, help="folder where the teachers learnt, if another")
    parser.add_argument(
        "--itself", type=float, default=0.0, help="weight of its own cosines before it learns"
    )
    parser.add_argument("--bare", type=int, default=32, help="lemmas without labels in a batch")
    parser.add_argument("--everywhere", type=float, default=0.3, help="weight of other pairs")
    parser.add_argument(
        "--unseen", type=float, default=0.25, help="weight of the teacher that did not see a lemma"
    )
    parser.add_argument(
        "--layers",
        type=int,
        nargs="*",
        help="from below; one named twice is copied; a graph keeps its own if none is named",
    )
    parser.add_argument("--averaged", type=int, default=1, help="layers from above")
    parser.add_argument("--four-bits", action="store_true", help="for the words' embeddings")
    parser.add_argument("--rank", type=int, help="numbers of a word; with it all has four bits")
    parser.add_argument("--neurons", type=int, default=3072, help="of a layer, with --rank")
    given = parser.parse_args()

    torch.manual_seed(given.seed)
    corpus = Corpus(given.work / "training.npz")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    kind = MultilingualEncoder if (given.base / "base.npz").exists() else TargetEncoder
    layers = given.layers
    if given.start and given.start.suffix == ".onnx":
        encoder = released(given.base, weights_in(given.start), given.dropout)
    else:
        layers = LAYERS if layers is None else layers
        encoder = kind(given.base, dropout=given.dropout, layers=given.averaged)
        if given.start:
            encoder.load_state_dict(torch.load(given.start, weights_only=True, map_location="cpu"))
    if given.rank:
        encoder = SmallEncoder(encoder, layers, given.neurons, given.rank, corpus)
        encoder.settle(corpus.sample(SAMPLE))
    else:
        if layers:
            encoder.stack(layers)
        if given.four_bits:
            encoder.round_words()
    encoder.to(device)
    fold = torch.as_tensor(corpus.fold.astype(np.int64)).clamp(min=0).to(device)
    learnt = given.learnt or given.work
    theirs = corpus.rows_in(Corpus(learnt / "training.npz"))
    of_theirs = [np.load(learnt / f"{name}.npy", mmap_mode="r") for name in given.teachers]
    teachers = [torch.from_numpy(vectors[theirs]).to(device) for vectors in of_theirs]
    usable = (corpus.fold >= 0) & (theirs >= 0)
    before = [vectors_of(encoder, corpus, range(len(corpus)))] if given.itself else []

    def loss_of(_: list[Window], vectors: Tensor, usages: Tensor, group: Tensor) -> Tensor:
        rows = usages.to(device)
        taught = cosines(teachers, rows)
        target, pair = taught.mean(dim=0), in_lemma(group)
        if given.unseen:
            alone = taught.gather(0, fold[rows].expand(1, len(rows), len(rows)))[0]
            target = torch.where(pair, torch.lerp(target, alone, given.unseen), target)
        if before:
            target = torch.lerp(target, cosines(before, rows)[0], given.itself)
        return copying(vectors @ vectors.T, target, pair, given.everywhere)

    taken = batches(given, corpus, usable, bare=given.bare)
    train(given, encoder, corpus, taken, loss_of)
    if isinstance(encoder, SmallEncoder):
        np.savez(given.work / f"{given.name}.npz", **encoder.packed())
        return
    if given.four_bits:
        encoder.keep_rounded()
    save(encoder, given.work / f"{given.name}.pt")


if __name__ == "__main__":
    main()
