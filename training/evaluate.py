"""The development sets through the released encoder: what checkpoints are chosen by.

    python training/evaluate.py DEV.json.gz training/written/test.txt bundled onnx:work/float

Every line is an encoder with areas under the curve: of "same sense?" by cosine, for each set of
pairs and for the pairs within each written word; and of "did it change?" by f_SUS, for written
words from whose new usages a sense was taken against the same words as they are.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

import senseshift
from prepare import Row, written
from senseshift.encoders import Encoder, load

DEALS = 5  # of a written word to two periods


def of_pairs(encoder: Encoder, pairs: list[list[object]]) -> float:
    """How often a pair of one sense is closer than a pair of two."""
    sides = [pair[i : i + 3] for i in (0, 3) for pair in pairs]
    vectors = unit_vectors(encoder, sides)
    cosine = (vectors[: len(pairs)] * vectors[len(pairs) :]).sum(axis=1)
    return float(roc_auc_score([pair[6] for pair in pairs], cosine))


def of_written(encoder: Encoder, rows: list[Row]) -> tuple[float, float]:
    """The same within words, all together; and how often a changed word has the larger f_SUS."""
    vectors = unit_vectors(encoder, [row[2:] for row in rows])
    words = defaultdict(list)
    for number, row in enumerate(rows):
        words[row[0]].append(number)
    rng = np.random.default_rng(0)
    cosines, same, magnitudes, changed = [], [], [], []
    for numbers in words.values():
        senses, own = np.array([rows[number][1] for number in numbers]), vectors[numbers]
        pair = np.triu_indices(len(numbers), 1)
        cosines.append((own @ own.T)[pair])
        same.append((senses[:, None] == senses)[pair])
        names = np.unique(senses)
        for _ in range(DEALS):
            new = np.zeros(len(senses), dtype=bool)
            for sense in names:
                usages = rng.permutation(np.flatnonzero(senses == sense))
                new[usages[: len(usages) // 2]] = True
            for lost in [None, *(names if len(names) > 1 else ())]:
                shift = senseshift.sus(own[~new], own[new & (senses != lost)], rho=1.0)
                magnitudes.append(shift.magnitude)
                changed.append(lost is not None)
    within = roc_auc_score(np.concatenate(same), np.concatenate(cosines))
    return float(within), float(roc_auc_score(changed, magnitudes))


def unit_vectors(encoder: Encoder, usages: list[list[object]]) -> np.ndarray:
    """Vectors of texts with their targets' places, of length one."""
    vectors = encoder.encode([usage[0] for usage in usages], [usage[1:] for usage in usages])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main() -> None:
    """Print a line for each encoder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("development", type=Path)
    arguments.add_argument("test", type=Path, help="written usages")
    arguments.add_argument("encoders", nargs="+")
    given = arguments.parse_args()
    with gzip.open(given.development, "rt", encoding="utf-8") as file:
        sets = json.load(file)
    rows = list(written(given.test))
    for name in given.encoders:
        encoder = load(name)
        areas = [f"{part} {of_pairs(encoder, pairs):.4f}" for part, pairs in sets.items()]
        within, change = of_written(encoder, rows)
        print(name, *areas, f"written {within:.4f}", f"change {change:.4f}", sep="  ")


if __name__ == "__main__":
    main()
