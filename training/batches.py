"""Usages as tokens, in one view or another, and the batches that training takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from torch.utils.data import IterableDataset

from kinds import BARE, GLOSS, IN_TEXT, READ, WRITTEN
from one_sense import OneSense

LONGEST = 126  # tokens beside the two special ones
USAGES = 8  # of a lemma in a batch

EQUALLY: Mapping[int, float] = {}

Window = tuple[np.ndarray, int, int]  # token ids, where the target begins and ends
Batch = tuple[list[Window], np.ndarray, np.ndarray]  # and their usages, and groups by lemma


@dataclass(frozen=True)
class Views:
    """How a usage is shown in training: as it is, in a wider or narrower context, in old print."""

    wider: float = 0.0  # share of usages in running text that get the sentences beside their own
    narrower: float = 0.0  # share of usages whose context is cropped
    old: float = 0.0  # share in old spelling
    among: float = 0.0  # share that stands among sentences of some text, which tell nothing of it


class Corpus:
    """The arrays of ``prepare.py``."""

    def __init__(self, path: Path) -> None:
        arrays = dict(np.load(path))
        self.texts = [(arrays.pop("tokens"), arrays.pop("bounds"), arrays.pop("places"))]
        if "old_tokens" in arrays:
            old = (arrays.pop(f"old_{name}") for name in ("tokens", "bounds", "places"))
            self.texts.append(tuple(old))
        self.lemma, self.sense = arrays.get("lemma"), arrays.get("sense")
        self.fold, self.kind = arrays.get("fold"), arrays.get("kind")
        self.same, self.number = arrays.get("same"), arrays.get("number")
        self.source, self.era = arrays.get("source"), arrays.get("era")
        self.group, self.family = arrays.get("group"), arrays.get("family")
        if self.kind is not None:
            # Sentences of running text come first, in the order of their texts.
            running = self.texts[0][2][self.kind == IN_TEXT, 0]
            self.running = 1 + int(running.max(initial=-1))
        if self.source is not None:
            known = np.flatnonzero(self.fold >= 0)
            texts = np.unique(self.source[known])
            self._by_text = [known[self.source[known] == text] for text in texts]

    def __len__(self) -> int:
        return len(self.texts[0][2])

    def rows_in(self, other: Corpus) -> np.ndarray:
        """Where the same usages stand among those of another tokenizer, or −1."""
        rows = np.searchsorted(other.number, self.number).clip(max=len(other) - 1)
        return np.where(other.number[rows] == self.number, rows, -1)

    def word(self, usage: int) -> int:
        """The first token of a usage's target."""
        tokens, bounds, places = self.texts[0]
        sentence, first, _ = places[usage]
        return int(tokens[bounds[sentence] + first])

    def sample(self, count: int) -> list[Window]:
        """Some usages as they are."""
        rows = np.random.default_rng(0).choice(len(self), size=min(count, len(self)), replace=False)
        return [self.window(row, None, Views()) for row in rows]

    def window(self, usage: int, rng: np.random.Generator | None, views: Views) -> Window:
        """The tokens of a usage; without chance, its sentence or the middle of it."""
        chance = rng.random(4) if rng else np.ones(4)
        tokens, bounds, places = self.texts[int(chance[2] < views.old)]
        sentence, first, last = places[usage]
        low, high = bounds[sentence], bounds[sentence + 1]
        first, last = low + first, low + last
        if chance[0] < views.wider and self.kind[usage] == IN_TEXT:
            low = bounds[max(sentence - rng.integers(0, 3), 0)]
            high = bounds[min(sentence + 1 + rng.integers(0, 3), self.running)]
        room = LONGEST
        if chance[1] < views.narrower:
            room = int(rng.integers(last - first + 8, max(LONGEST, last - first + 9)))
        if high - low > room:
            spare = max(room - (last - first), 0)
            before = spare // 2 if rng is None else int(spare * rng.uniform(0.2, 0.8))
            start = min(max(first - before, low), high - room)
            low, high = start, start + room
        last = min(last, high)
        found = tokens[low:high].astype(np.int64), int(first - low), int(last - low)
        return self._among(found, rng) if chance[3] < views.among else found

    def _among(self, window: Window, rng: np.random.Generator) -> Window:
        """A usage with up to four sentences of one text around it, as far as there is room."""
        tokens, bounds, places = self.texts[0]
        text = self._by_text[rng.integers(len(self._by_text))]
        count = 1 + int(rng.integers(4))
        chosen = [places[usage, 0] for usage in rng.choice(text, size=count)]
        others = [tokens[bounds[sentence] : bounds[sentence + 1]] for sentence in chosen]
        split = int(rng.integers(count + 1))
        own, first, last = window
        before = np.concatenate([own[:0], *others[:split]])
        after = np.concatenate([own[:0], *others[split:]])
        room = max(LONGEST - len(own), 0)
        # Of what is too long an equal share goes from both ends, so that the target stays inside.
        taken = min(len(before), max(room // 2, room - len(after)))
        before, after = before[len(before) - taken :], after[: room - taken]
        return np.concatenate([before, own, after]), first + taken, last + taken


def together(corpus: Corpus) -> list[np.ndarray]:
    """Labels by closely related senses and by related ones; words of one sense have that one.

    −1 where nobody judged how a sense is related to the others.
    """
    plain = (corpus.kind == WRITTEN) & (corpus.group < 0)  # words that were written with one sense
    return [
        np.where(corpus.kind == BARE, corpus.sense, np.where(plain, 0, judged))
        for judged in (corpus.group, corpus.family)
    ]


def labelled_groups(corpus: Corpus, usable: np.ndarray) -> list[list[np.ndarray]]:
    """For every lemma with a sense used twice and another, or known to be plain: by sense."""
    by_lemma: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for usage in np.flatnonzero(usable & (corpus.kind != BARE)):
        by_lemma[int(corpus.lemma[usage])][int(corpus.sense[usage])].append(int(usage))
    groups = [[np.array(usages) for usages in senses.values()] for senses in by_lemma.values()]
    return [
        senses
        for senses in groups
        if max(map(len, senses)) > 1
        and (len(senses) > 1 or corpus.kind[senses[0][0]] in (WRITTEN, READ))
    ]


def bare_groups(corpus: Corpus, usable: np.ndarray) -> list[np.ndarray]:
    """Usages without labels by lemma: words of definitions, and lemmas with one sense."""
    by_lemma = defaultdict(list)
    for usage in np.flatnonzero(usable & (corpus.kind != GLOSS)):
        by_lemma[int(corpus.lemma[usage])].append(int(usage))
    return [np.array(usages) for usages in by_lemma.values() if len(usages) > 3]


def of_senses(senses: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Up to eight usages of two to four senses of a lemma, frequent senses more often."""
    sizes = np.sqrt([len(usages) for usages in senses])
    count = min(int(rng.integers(2, 5)), len(senses))
    chosen = rng.choice(len(senses), size=count, replace=False, p=sizes / sizes.sum())
    shuffled = [rng.permutation(senses[sense]) for sense in chosen]
    share = -(-USAGES // count)
    taken = np.concatenate([usages[:share] for usages in shuffled])[:USAGES]
    rest = np.concatenate([usages[share:] for usages in shuffled])
    return np.concatenate([taken, rng.permutation(rest)[: USAGES - len(taken)]])


def disguised(window: Window, word: int) -> Window:
    """A usage with another word in the place of its target."""
    tokens, first, last = window
    return np.concatenate([tokens[:first], [word], tokens[last:]]), first, first + 1


class Batches(IterableDataset):
    """Endless batches: the windows of some lemmas' usages, and which usage and lemma each is.

    Of words with one sense some come as they are: whatever they are used about, it is one sense.
    Others come in twos, a third word in the place of both, as if they were its senses: only what
    is said around a usage can tell them apart.
    """

    def __init__(
        self,
        corpus: Corpus,
        usable: np.ndarray,
        views: Views,
        *,
        seed: int,
        lemmas: int = 96,
        bare: int = 0,
        single: int = 0,
        disguised: int = 0,
        often: Mapping[int, float] = EQUALLY,
    ) -> None:
        self.corpus, self.views, self.seed, self.often = corpus, views, seed, often
        self.labelled = lemmas - bare - single - disguised
        self.bare, self.single, self.disguised = bare, single, disguised
        self.by_sense = labelled_groups(corpus, usable)
        self.unlabelled = bare_groups(corpus, usable) if bare else []
        if single + disguised:
            alone = usable & (corpus.kind == BARE) & (corpus.sense > 0)
            self.alone = OneSense(np.flatnonzero(alone), corpus.lemma, corpus.source)
            _, first, last = corpus.texts[0][2].T
            self.short = np.flatnonzero(usable & (corpus.kind == WRITTEN) & (last - first == 1))

    def __iter__(self) -> Iterator[Batch]:
        import torch

        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        kinds = [self.corpus.kind[senses[0][0]] for senses in self.by_sense]
        weight = np.sqrt([sum(map(len, senses)) for senses in self.by_sense])
        weight *= [self.often.get(int(kind), 1.0) for kind in kinds]
        weight /= weight.sum()
        while True:
            lemmas = rng.choice(len(weight), size=self.labelled, replace=False, p=weight)
            rows = [of_senses(self.by_sense[lemma], rng) for lemma in lemmas]
            if self.bare:
                chosen = rng.choice(len(self.unlabelled), size=self.bare, replace=False)
                rows += [rng.permutation(self.unlabelled[lemma])[:USAGES] for lemma in chosen]
            rows += [self.alone.group(1, USAGES, rng) for _ in range(self.single)]
            masks = {}
            for _ in range(self.disguised):
                masks[len(rows)] = self.corpus.word(rng.choice(self.short))
                rows.append(self.alone.group(2, USAGES, rng))
            usages = np.concatenate(rows)
            group = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
            windows = [self.corpus.window(usage, rng, self.views) for usage in usages]
            for place in np.flatnonzero(np.isin(group, list(masks))):
                windows[place] = disguised(windows[place], masks[group[place]])
            yield windows, usages, group
