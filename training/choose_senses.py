"""Which calibration, which way to induce senses and which cut, by held-out words."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score

from planted_words import Held, unit
from prepare import CHOOSE, FIRST_EXAMPLE, RELATED, Row, group_of, one_name, related
from senseshift.calibration import Calibration, fit
from senseshift.encoders import Encoder
from senseshift.senses.induction import SMALLEST, alone, grouped, lean, merges
from texts import LABELLED, labelled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Word = tuple[Floats, Ints]  # vectors and senses of a word's usages
Sides = list[NDArray[np.bool_]]  # of each word, which usages are of a new text

NEW_FROM = 1900  # year of an address
LABELS = Path(__file__).parent / "annotated" / "addresses.tsv"
ADDRESSES, READ = "addresses, concepts", "many texts, concepts"
CUTS = np.round(np.arange(0.20, 0.621, 0.02), 2)
FOLDS = 10
SIZES = {"held out, 20–59": (20, 59), "held out, 60–400": (60, 400)}  # usages of a lemma
CONCEPTS = "held out, concepts"
LEMMAS, MOST = 60, 150  # of each size, and usages of one
FREQUENT = 20  # usages of a lemma that counts
TINY = 1e-6
FEATURES: dict[str, Callable[[Floats], Floats]] = {
    "logistic": lambda d: d,
    "logistic in √d": np.sqrt,
    "logistic in the angle": lambda d: np.arccos(np.clip(1.0 - d, -1.0, 1.0)),
}


def words_of(held: Held) -> list[Word]:
    """Every held-out word as it is."""
    return [(held.units[at], senses) for _, at, senses in held.each()]


def concepts_of(held: Held) -> list[Word]:
    """The same with closely related senses as one, of words of which somebody judged them."""
    judged = {
        (lemma.rpartition(".")[0], sense.rpartition("-")[2]): f"group {group}"
        for lemma, sense, group, _ in related(RELATED)
        if lemma.rpartition(".")[2].startswith("test")
    }
    pairs = zip(held.words.tolist(), held.senses.tolist(), strict=True)
    return words_of(replace(held, senses=np.array([judged.get(pair, pair[1]) for pair in pairs])))


def skewed(held: Held, seed: int = 0) -> list[Word]:
    """The same with uneven shares: of each sense another part of its usages is taken."""
    rng, found = np.random.default_rng(seed), []
    for units, senses in words_of(held):
        share = rng.dirichlet(np.ones(senses.max() + 1))
        taken = [
            rng.permutation(np.flatnonzero(senses == k))[
                : max(2, round(part * (senses == k).sum()))
            ]
            for k, part in enumerate(share / share.max())
        ]
        rows = np.concatenate(taken)
        found.append((units[rows], senses[rows]))
    return found


def held_lemmas(path: Path, encoder: Encoder) -> dict[str, list[Word]]:
    """Words of SemCor and WordNet that were held out too: their senses are finer, usages many.

    Also all of them with closely related senses as one, words of one sense among them: as far as
    senses were judged.
    """
    group = {(lemma, sense): number for lemma, sense, number, _ in related(RELATED)}
    rows: dict[str, list[Row]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in one_name(map(json.loads, file), group):
            if group_of(row[0], set()) < 0:
                rows.setdefault(row[0], []).append(row)
    rng = np.random.default_rng(0)
    found: dict[str, list[Word]] = {CONCEPTS: [], **{name: [] for name in SIZES}}
    for lemma, of in rows.items():
        some = [of[k] for k in rng.permutation(len(of))[:MOST]]
        if len(of) < FREQUENT:
            continue
        spans = [(row[3], row[4]) for row in some]
        units = unit(np.asarray(encoder.encode([row[2] for row in some], spans), np.float64))
        names, senses = np.unique([row[1] for row in some], return_inverse=True)
        for name, (low, high) in SIZES.items():
            if low <= len(of) <= high and len(names) > 1 and len(found[name]) < LEMMAS:
                found[name].append((units, senses))
        only = 0 if len(names) == 1 else -1
        groups = np.array([group.get((lemma, name), only) for name in names])[senses]
        if (judged := groups >= 0).sum() >= FREQUENT:
            found[CONCEPTS].append((units[judged], groups[judged]))
    return found


def real_words(path: Path, encoder: Encoder) -> tuple[dict[str, list[Word]], Sides]:
    """Words of the State of the Union addresses by their senses, and with near ones together."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        addresses = [json.loads(line) for line in lines]
    all_texts = [address["text"] for address in addresses]
    with LABELS.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    if len(all_texts) < max(int(row["address"]) for row in rows):
        raise SystemExit(f"{path} has {len(all_texts)} texts, fewer than were labelled.")
    texts = [
        all_texts[int(row["address"]) - 1][int(row["first"]) : int(row["last"])] for row in rows
    ]
    spans = [(int(row["start"]), int(row["end"])) for row in rows]
    for row, text, (start, end) in zip(rows, texts, spans, strict=True):
        if not text[start:end].lower().startswith(row["word"][:2]):
            raise SystemExit(f"{path} has other texts than those that were labelled.")
    units = unit(np.asarray(encoder.encode(texts, spans), np.float64))
    words = np.array([row["word"] for row in rows])
    of = [np.flatnonzero(words == word) for word in np.unique(words)]
    found = {}
    for name, column in (("addresses", "sense"), (ADDRESSES, "concept")):
        labels = np.array([row[column] for row in rows])
        found[name] = [(units[at], np.unique(labels[at], return_inverse=True)[1]) for at in of]
    years = np.array([addresses[int(row["address"]) - 1]["year"] for row in rows])
    return found, [years[at] >= NEW_FROM for at in of]


def sentences_in(path: Path) -> Iterator[str]:
    """A sentence a line, or those of usages as extract.py and webster.py write them."""
    if path.suffix != ".gz":
        yield from path.read_text("utf-8").splitlines()
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for _, _, text, *_ in map(json.loads, lines):
            yield text


def read_words(texts: Sequence[Path], encoder: Encoder) -> tuple[dict[str, list[Word]], Sides]:
    """Words of many texts whose usages were read: closely related senses are one there."""
    sentences = (sentence for path in texts for sentence in sentences_in(path))
    rows = list(labelled(LABELLED, sentences, CHOOSE))
    if not rows:
        raise SystemExit("None of the usages that were read is in these texts.")
    units = unit(
        np.asarray(encoder.encode([r[2] for r in rows], [r[3:5] for r in rows]), np.float64)
    )
    words, senses = (np.array([row[k] for row in rows]) for k in (0, 1))
    of = [np.flatnonzero(words == word) for word in np.unique(words)]
    is_new = np.array([not row[-1] for row in rows])
    found = [(units[at], np.unique(senses[at], return_inverse=True)[1]) for at in of]
    return {READ: found}, [is_new[at] for at in of]


def main_shares(path: Path) -> Floats:
    """What share of its usages in running text the main sense of a noun has, of frequent nouns."""
    counts: dict[str, Counter[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            lemma, sense, text, *_ = json.loads(line)
            if text.startswith(FIRST_EXAMPLE):
                break
            if lemma.endswith(".n"):
                counts.setdefault(lemma, Counter())[sense] += 1
    shares = [max(c.values()) / c.total() for c in counts.values() if c.total() >= FREQUENT]
    return np.array(shares)


def pairs_of(words: Sequence[Word]) -> tuple[Floats, NDArray[np.bool_], Ints]:
    """Distances of all pairs of usages of each word, whether they differ, and whose they are."""
    distances, different, owners = [], [], []
    for number, (units, senses) in enumerate(words):
        upper = np.triu_indices(len(units), 1)
        distances.append(np.maximum(1.0 - units @ units.T, 0.0)[upper])
        different.append((senses[:, None] != senses)[upper])
        owners.append(np.full(upper[0].size, number))
    return np.concatenate(distances), np.concatenate(different), np.concatenate(owners)


def calibrations(words: Sequence[Word]) -> Iterator[tuple[str, float, float]]:
    """Every form with its log loss and Brier score, cross-validated over the words."""
    d, y, owners = pairs_of(words)
    weights = 1.0 / np.bincount(owners)[owners]
    chances = {name: np.empty(d.size) for name in ("logistic through zero", *FEATURES, "isotonic")}
    folds = np.random.default_rng(0).permutation(len(words)) % min(FOLDS, len(words))
    for fold in range(folds.max() + 1):
        test = folds[owners] == fold
        train = ~test
        known = fit(d[train], y[train], owners[train])
        chances["logistic through zero"][test] = known.cost(d[test])
        for name, feature in FEATURES.items():
            model = LogisticRegression(C=1e6)
            model.fit(feature(d[train])[:, None], y[train], sample_weight=weights[train])
            chances[name][test] = model.predict_proba(feature(d[test])[:, None])[:, 1]
        steps = IsotonicRegression(out_of_bounds="clip")
        steps.fit(d[train], y[train], sample_weight=weights[train])
        chances["isotonic"][test] = steps.predict(d[test])
    for name, chance in chances.items():
        p = np.clip(chance, TINY, 1.0 - TINY)
        loss = -np.log(np.where(y, p, 1.0 - p))
        yield (
            name,
            float(np.average(loss, weights=weights)),
            float(np.average((p - y) ** 2, weights=weights)),
        )


def calibration_of(words: Sequence[Word]) -> Calibration:
    """The curve by all words, without a cut."""
    return fit(*pairs_of(words))


def plain(units: Floats) -> Callable[[float], Ints]:
    """Average linkage; small groups are senses too."""
    tree = merges(units)
    return lambda cut: fcluster(tree, cut, "distance").astype(np.int64) - 1


def leaning(
    smallest: float, on_neighbours: bool = True
) -> Callable[[Floats], Callable[[float], Ints]]:
    """The same of usages that lean on their neighbours; small groups join the nearest."""

    def of(units: Floats) -> Callable[[float], Ints]:
        leaned = lean(units) if on_neighbours else units
        tree = merges(leaned)
        return lambda cut: alone(grouped(leaned, tree, cut, smallest))

    return of


WAYS = {
    "average linkage": plain,
    "small groups join the nearest": leaning(SMALLEST, on_neighbours=False),
    **{f"leaning, groups below {s:.0%} join": leaning(s) for s in (SMALLEST, 0.05, 0.1)},
}


def agreements(words: Sequence[Word], way: Callable[[Floats], Callable[[float], Ints]]) -> Floats:
    """Adjusted Rand index of induced and true senses: words × cuts."""
    found = np.empty((len(words), CUTS.size))
    for row, (units, senses) in enumerate(words):
        induced = way(units)
        for column, cut in enumerate(CUTS):
            found[row, column] = adjusted_rand_score(senses, induced(float(cut)))
    return found


def best(found: Floats) -> int:
    """The column with the best mean, smoothed over its neighbours."""
    padded = np.pad(found.mean(axis=0), 1, mode="edge")
    return int(np.convolve(padded, np.ones(3) / 3, "valid").round(12).argmax())
