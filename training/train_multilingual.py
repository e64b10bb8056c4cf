"""One encoder for many languages, taught by English senses and by translations.

    python training/train_multilingual.py base/ xx/ work/ t0 t1 t2 t3 --name m1

A batch has three parts: English usages with senses, told apart and at the cosines of the English
teachers; Swedish usages with senses; and words with their translations, where the cosines of the
English words are copied within and across the languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import IterableDataset

from batches import USAGES, Batch, Batches, Corpus, Views, Window
from kinds import BARE, GLOSS
from loop import arguments, batches, save, train
from losses import contrast, copying, cosines, in_lemma
from network import MultilingualEncoder

FEWEST, MOST = 4, 400  # usages of a lemma in the pairs


class Translations:
    """Words with their translations: groups of one lemma, in English or in the other language."""

    def __init__(self, work: Path) -> None:
        self.english, self.other = (Corpus(work / f"pairs_{n}.npz") for n in ("english", "other"))
        rng = np.random.default_rng(0)
        self.groups = []
        for corpus in (self.english, self.other):
            order = rng.permutation(len(corpus))
            order = order[np.argsort(corpus.lemma[order], kind="stable")]
            _, first = np.unique(corpus.lemma[order], return_index=True)
            parts = np.split(order, first[1:])
            self.groups.append([rows[:MOST] for rows in parts if len(rows) >= FEWEST])
        self.weights = [np.sqrt([len(rows) for rows in part]) for part in self.groups]
        self.weights = [weight / weight.sum() for weight in self.weights]

    def some(self, count: int, rng: np.random.Generator) -> list[np.ndarray]:
        """Usages of some lemmas, a third of these English."""
        chosen = []
        for part, share in ((0, count // 3), (1, count - count // 3)):
            lemmas = rng.choice(
                len(self.groups[part]), size=share, replace=False, p=self.weights[part]
            )
            chosen += [rng.permutation(self.groups[part][lemma])[:USAGES] for lemma in lemmas]
        return chosen


class Mixed(IterableDataset):
    """English senses, Swedish senses and translations; usages are numbered over all of them."""

    def __init__(
        self, english: Batches, swedish: Batches | None, pairs: Translations, count: int
    ) -> None:
        self.parts = [english, *([swedish] if swedish else [])]
        self.pairs, self.count, self.seed = pairs, count, english.seed

    def __iter__(self) -> Iterator[Batch]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, 1, worker.id if worker else 0])
        streams = [iter(part) for part in self.parts]
        as_it_is = Views()
        while True:
            windows, usages, groups, before = [], [], [], 0
            for part, stream in zip(self.parts, streams, strict=True):
                made, rows, group = next(stream)
                windows += made
                usages.append(rows + before)
                groups.append(group + (1 + groups[-1].max() if groups else 0))
                before += len(part.corpus)
            chosen = self.pairs.some(self.count, rng)
            rows = np.concatenate(chosen)
            group = np.repeat(np.arange(len(chosen)), [len(part) for part in chosen])
            for corpus in (self.pairs.english, self.pairs.other):
                windows += [corpus.window(row, None, as_it_is) for row in rows]
                usages.append(rows + before)
                groups.append(group + 1 + groups[len(self.parts) - 1].max())
            yield windows, np.concatenate(usages), np.concatenate(groups)


def main() -> None:
    """Train, and write weights."""
    parser = arguments(
        __doc__, name="multilingual", steps=6000, rate=2e-4, lemmas=64, dropout=0.0, narrower=0.15
    )
    parser.add_argument("english", type=Path, help="folder where the teachers learnt")
    parser.add_argument("teachers", nargs="+", help="their names")
    parser.add_argument("--bare", type=int, default=16, help="lemmas without labels in a batch")
    parser.add_argument("--swedish", type=int, default=16, help="Swedish lemmas in a batch")
    parser.add_argument("--pairs", type=int, default=32, help="lemmas with translations")
    parser.add_argument("--everywhere", type=float, default=0.3, help="weight of other pairs")
    parser.add_argument("--contrast", type=float, default=0.05, help="weight of the labels")
    parser.add_argument("--translations", type=float, default=1.0, help="weight of the pairs")
    parser.add_argument("--sharpness", type=float, default=8.0, help="of the contrast")
    parser.add_argument("--layers", type=int, default=3, help="from above that are averaged")
    given = parser.parse_args()

    torch.manual_seed(given.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    corpus, swedish = Corpus(given.work / "training.npz"), Corpus(given.work / "swedish.npz")
    pairs = Translations(given.work)
    rows = corpus.rows_in(Corpus(given.english / "training.npz"))
    known = torch.as_tensor(rows >= 0).to(device)
    of_english, of_pairs = [], []
    for name in given.teachers:
        own = np.load(given.english / f"{name}.npy", mmap_mode="r")
        of_english.append(torch.from_numpy(own[rows]).to(device))
        of_pairs.append(
            torch.from_numpy(np.load(given.work / f"pairs_taught.{name}.npy")).to(device)
        )
    encoder = MultilingualEncoder(given.base, dropout=given.dropout, layers=given.layers).to(device)
    usable = (corpus.fold >= 0) & (corpus.kind != GLOSS)
    labelled = (
        Batches(swedish, swedish.fold >= 0, Views(), seed=given.seed, lemmas=given.swedish)
        if given.swedish
        else None
    )
    mixed = Mixed(batches(given, corpus, usable, bare=given.bare), labelled, pairs, given.pairs)
    told = [corpus.sense, swedish.sense + corpus.sense.max() + 1][: len(mixed.parts)]
    sense = torch.as_tensor(np.concatenate(told)).to(device)
    bare = torch.as_tensor(corpus.kind == BARE).to(device)
    swedes = len(sense)

    def loss_of(_: list[Window], vectors: Tensor, usages: Tensor, group: Tensor) -> Tensor:
        rows = usages.to(device)
        cosine, pair = vectors @ vectors.T, in_lemma(group)
        own = rows.clamp(max=len(corpus) - 1)
        english, told = rows < len(corpus), rows < swedes
        named = told & ~(english & bare[own])
        senses = sense[rows.clamp(max=swedes - 1)]
        between = pair & named[:, None] & named
        same = (senses[:, None] == senses)[between]
        loss = given.contrast * contrast(cosine[between], same, given.sharpness)
        for part, copied, before, weight in (
            (english & known[own], of_english, 0, 1.0),
            (~told, of_pairs, swedes, given.translations),
        ):
            chosen = part.nonzero()[:, 0]
            target = cosines(copied, rows[chosen] - before).mean(dim=0)
            block = cosine[chosen][:, chosen]
            near = pair[chosen][:, chosen]
            loss = loss + weight * copying(block, target, near, given.everywhere)
        return loss

    train(given, encoder, corpus, mixed, loss_of)
    save(encoder, given.work / f"{given.name}.pt")


if __name__ == "__main__":
    main()
