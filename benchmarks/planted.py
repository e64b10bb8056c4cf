"""Two corpora in which it is known which words changed, and a cheap encoder that can see it.

Every sentence has a target in its middle and around it cue words of the sense it is used in, so
that contexts carry the senses as they do in texts. A document keeps to one sense of a word and
mostly to one field of words. Planted on top of that:

- changes: a second sense *gained*, *lost* or *shifted* by 20, 40 or 80 points of its share;
- drift: in the new period all words stand among other style words, some words more than others;
- what must not be found: *bursts* (a few documents full of one word, in a sense of no other),
  *topics* (a field and an event that some documents of one period are about), *names* (whose
  company changes altogether), words whose *frequency* alone changes, and *new* and *gone* words.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PERIODS = ("old", "new")
KINDS, POINTS = ("gained", "lost", "shifted"), (20, 40, 80)
SENTENCES, CONTEXT = 25, 13  # of a document; words of a sentence around its target
TARGET = 6  # its place in a sentence
CUES = 12  # words that tell one sense
DOCUMENTS = 1_000  # made at once
FILE = 16e6  # bytes after which a new file is begun
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Sizes:
    """How much of everything; ``of`` has what fits a corpus of so many megabytes."""

    megabytes: float = 200
    targets: int = 4_500
    cues: int = 1_200
    fillers: int = 400
    fields: int = 60
    each: int = 20  # changes of every kind and size, and a fifth of each trap

    @classmethod
    def of(cls, megabytes: float, targets: int | None = None) -> Sizes:
        """Some 200 usages a word and period, unless the number of words says otherwise."""
        targets = targets or int(np.clip(22.5 * megabytes, 90, 4_500))
        part = targets / 4_500
        fields = max(3, round(60 * part))
        each = max(1, round(20 * part))
        return cls(megabytes, targets, 20 * fields, max(60, round(400 * part)), fields, each)


class Planted:
    """The words, what is planted of them, and the texts.

    Attributes
    ----------
    truth
        For each word what it is: a kind of change with its points, or a kind of trap or company.
    """

    def __init__(self, sizes: Sizes, seed: int = 0) -> None:
        self.sizes, self.seed = sizes, seed
        self._random = np.random.default_rng(seed)
        names = 60
        words = _lemmas(sizes.targets + sizes.cues + sizes.fillers + names, self._random)
        self._targets = np.arange(sizes.targets)
        self._cues = sizes.targets + np.arange(sizes.cues)
        self._fillers = self._cues[-1] + 1 + np.arange(sizes.fillers)
        self._names = self._fillers[-1] + 1 + np.arange(names)
        named = [word.capitalize() for word in words]
        words[self._names[0] :] = named[self._names[0] :]
        self._words, self._first = np.array(words, object), np.array(named, object)
        self.truth: dict[str, tuple[str, int]] = {}
        for kind, group in (("cue", self._cues), ("filler", self._fillers), ("name", self._names)):
            self.truth |= {words[k].lower(): (kind, 0) for k in group}
        self._plant_senses()
        self._plant_traps()
        self.truth |= {words[k]: ("none", 0) for k in self._targets if words[k] not in self.truth}
        style = self._fillers[:60].reshape(2, -1)
        self._style = [style, style[::-1]]
        mean = np.mean([len(word) for word in words[: sizes.targets]]) + 1.2
        self.documents = max(
            8, int(sizes.megabytes * 1e6 / 2 / (SENTENCES * (CONTEXT + 1) * mean + 40))
        )
        self._plant_documents()

    def _plant_senses(self) -> None:
        """Two senses a word with their cues; the share of the second in each period."""
        random, sizes = self._random, self.sizes
        count = sizes.targets
        self._field = self._targets % sizes.fields
        other = (self._field + random.integers(1, sizes.fields, count)) % sizes.fields
        per_field = sizes.cues // sizes.fields
        chosen = np.argsort(random.random((count, 2, per_field)), axis=2)[:, :, :CUES]
        fields = np.stack([self._field, other], axis=1)
        self._sense_cues = self._cues[fields[:, :, None] * per_field + chosen]
        base = np.where(random.random(count) < 0.4, 0.0, random.uniform(0.1, 0.5, count))
        self._second = np.stack([base, base])
        # Neither the commonest words, of which there are few, nor the rarest.
        ranks = np.arange(count // 20, count - count // 10)
        self._free = list(random.permutation(ranks))
        for kind in KINDS:
            for points in POINTS:
                size = points / 100
                before, after = {
                    "gained": (0.0, size), "lost": (size, 0.0),
                    "shifted": (0.5 - size / 2, 0.5 + size / 2),
                }[kind]  # fmt: skip
                for k in self._drawn(sizes.each, kind, points):
                    self._second[:, k] = before, after

    def _plant_traps(self) -> None:
        random, sizes = self._random, self.sizes
        count = sizes.targets
        weights = (np.arange(count) + count / 40) ** -0.8
        self._weights = np.stack([weights, weights])
        trap = 5 * sizes.each
        for k in self._drawn(trap, "frequency"):
            self._weights[1, k] *= 4.0 if random.random() < 0.5 else 0.25
        for kind, absent in (("new", 0), ("gone", 1)):
            self._weights[absent, self._drawn(max(1, trap // 2), kind)] = 0.0
        self._bursting = self._drawn(trap, "burst")
        # How much each word's company is of the style of its time: drift is in all of them.
        self._strength = random.uniform(0.12, 0.28, count)

    def _drawn(self, number: int, kind: str, points: int = 0) -> list[int]:
        drawn, self._free = self._free[:number], self._free[number:]
        for k in drawn:
            self.truth[str(self._words[k])] = kind, points
        return drawn

    def _plant_documents(self) -> None:
        """Which documents are bursts of a word, or about the event of a topic."""
        random = self._random
        self._burst = np.full((2, self.documents), -1)
        self._event = np.full((2, self.documents), -1)
        for word in self._bursting:
            period = random.integers(2)
            self._burst[period, random.integers(0, self.documents, 2)] = word
        for topic in range(3):
            about = max(2, self.documents // 700)
            self._event[int(topic > 0), random.integers(0, self.documents, about)] = topic

    def write(self, folder: Path) -> dict[str, Path]:
        """The corpora as folders of JSONL, a document a row; and the truth beside them."""
        for number, period in enumerate(PERIODS):
            (folder / period).mkdir(parents=True)
            file, part, written = None, 0, FILE
            for lines in self._lines(number):
                if written >= FILE:
                    if file:
                        file.close()
                    part, written = part + 1, 0
                    file = (folder / period / f"{part:04}.jsonl").open("wb")
                assert file is not None
                written += file.write(lines)
            if file:
                file.close()
        (folder / "truth.json").write_text(json.dumps(self.truth), "utf-8")
        return {period: folder / period for period in PERIODS}

    def _lines(self, period: int) -> Iterator[bytes]:
        random = np.random.default_rng([self.seed, period, 1])
        for start in range(0, self.documents, DOCUMENTS):
            numbers = np.arange(start, min(start + DOCUMENTS, self.documents))
            table = self._sentences(random, period, numbers)
            words = self._words[table]
            words[:, :, 0] = self._first[table[:, :, 0]]
            yield "".join(
                f'{{"source": "{PERIODS[period]}-{number}", "text": "'
                + " ".join(" ".join(sentence) + "." for sentence in document)
                + '"}\n'
                for number, document in zip(numbers, words.tolist(), strict=True)
            ).encode()

    def _sentences(self, random: np.random.Generator, period: int, numbers: Ints) -> Ints:
        """The words of documents, by number: document × sentence × word."""
        sizes, shape = self.sizes, (len(numbers), SENTENCES)
        field = random.integers(0, sizes.fields, len(numbers))
        event, burst = self._event[period, numbers], self._burst[period, numbers]
        field = np.where(event >= 0, event % sizes.fields, field)
        target = self._sampled(random, period, shape, field)
        bursting = (burst >= 0)[:, None] & (np.arange(SENTENCES) % 2 == 0)
        target = np.where(bursting, burst[:, None], target)
        luck = _luck(numbers[:, None] + period * self.documents, target)
        sense = (luck < self._second[period, target]).astype(int)
        # A burst is of a sense of its own: the second of a word far away.
        of = np.where(bursting, (target + sizes.targets // 2) % sizes.targets, target)
        cues = self._sense_cues[of, np.where(bursting, 1, sense)]
        wide = (*shape, CONTEXT)
        pick = random.integers(0, cues.shape[2], wide)
        company = np.take_along_axis(cues, pick, axis=2)
        kind = random.random(wide)
        company = np.where(kind < 0.5, company, random.choice(self._cues, wide))
        styled = 0.6 + self._strength[target][:, :, None]
        mine = (random.random(wide) < 0.2).astype(int)
        style = self._style[period][mine, random.integers(0, self._style[0].shape[1], wide)]
        company = np.where((kind >= 0.6) & (kind < styled), style, company)
        filler = self._fillers[60:] if len(self._fillers) > 60 else self._fillers
        rank = (len(filler) * random.random(wide) ** 2).astype(int)
        company = np.where(kind >= styled, filler[rank], company)
        at = field[:, None, None] * 5 + period * 7 + random.integers(0, 5, wide)
        company = np.where(kind > 0.985, self._names[at % len(self._names)], company)
        told = (event >= 0)[:, None, None] & (kind >= 0.6) & (random.random(wide) < 0.5)
        about = self._cues[(event[:, None, None] * 10 + random.integers(0, 10, wide)) % sizes.cues]
        company = np.where(told, about, company)
        company[:, :, 0] = filler[random.integers(0, len(filler), shape)]  # no name begins
        return np.concatenate(
            [company[:, :, :TARGET], target[:, :, None], company[:, :, TARGET:]], axis=2
        )

    def _sampled(
        self, random: np.random.Generator, period: int, shape: tuple[int, int], field: Ints
    ) -> Ints:
        """Targets by their weights: half of them of the document's field, half of any."""
        weights = self._weights[period]
        total = np.cumsum(weights)
        anywhere = np.searchsorted(total, random.random(shape) * total[-1])
        fields = self.sizes.fields
        rows = -(-len(weights) // fields)
        padded = np.zeros(rows * fields)
        padded[: len(weights)] = weights
        within = np.cumsum(padded.reshape(rows, fields).T, axis=1)
        steps = (within / within[:, -1:] + np.arange(fields)[:, None]).ravel()
        place = np.searchsorted(steps, random.random(shape) + field[:, None], side="right")
        near = (place % rows) * fields + place // rows
        near = np.where(near < len(weights), near, anywhere)
        return np.where(random.random(shape) < 0.5, near, anywhere)


def _luck(document: Ints, word: Ints) -> NDArray[np.float64]:
    """A number from 0 to 1 that follows from document and word: one sense in one document."""
    mixed = (document.astype(np.uint64) << np.uint64(24)) + word.astype(np.uint64)
    for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9):
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(factor)
    return (mixed >> np.uint64(11)).astype(np.float64) / 2**53


def _lemmas(number: int, random: np.random.Generator) -> list[str]:
    """English words that are their own lemma, so that a lemmatizer leaves them as they are."""
    import simplemma
    from simplemma.strategies import DefaultDictionaryFactory

    known = DefaultDictionaryFactory().get_dictionary("en")
    fit = sorted(
        word
        for word in {str(lemma) for lemma in known.values()}
        if 5 <= len(word) <= 9 and word.isascii() and word.isalpha() and word.islower()
        and simplemma.lemmatize(word, "en") == word
    )  # fmt: skip
    return [fit[k] for k in random.permutation(len(fit))[:number]]


class ContextVectors:
    """An encoder for the volume: the sum of random vectors of the words around a target."""

    def __init__(self, dimension: int = 64, around: int = 6) -> None:
        self.dimension, self.around = dimension, around
        self._table: NDArray[np.float32] | None = None
        self._rows: dict[str, int] = {}

    def __getstate__(self) -> dict[str, object]:
        return {"dimension": self.dimension, "around": self.around, "_table": None, "_rows": {}}

    def __call__(
        self, texts: Sequence[str], spans: Sequence[tuple[int, int]]
    ) -> NDArray[np.float32]:
        """One row for each text."""
        if self._table is None:
            made = np.random.default_rng(7).normal(size=(2**15 + 1, self.dimension))
            made[-1] = 0.0  # where there is no word
            self._table = made.astype(np.float32)
        rows = np.full((len(texts), 2 * self.around), 2**15)
        for k, (text, (start, end)) in enumerate(zip(texts, spans, strict=True)):
            before = text[max(0, start - 80) : start].split()[-self.around :]
            after = text[end : end + 80].split()[: self.around]
            near = [self._row(word) for word in before + after]
            rows[k, : len(near)] = near
        return self._table[rows].sum(axis=1)

    def _row(self, word: str) -> int:
        row = self._rows.get(word)
        if row is None:
            row = zlib.crc32(word.strip(".,").lower().encode()) % 2**15
            self._rows[word] = row
        return row
