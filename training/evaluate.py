"""The development sets through the released encoder: what checkpoints are chosen by.

    python training/evaluate.py DEV.json.gz bundled onnx:work/float

Every line is an encoder with the area under the curve of "same sense?" by cosine, for each set.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from senseshift.encoders import load


def area(encoder: str, pairs: list[list[object]]) -> float:
    """How often a pair of one sense is closer than a pair of two."""
    sides = [pair[i : i + 3] for i in (0, 3) for pair in pairs]
    vectors = load(encoder).encode([side[0] for side in sides], [side[1:] for side in sides])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine = (vectors[: len(pairs)] * vectors[len(pairs) :]).sum(axis=1)
    return float(roc_auc_score([pair[6] for pair in pairs], cosine))


def main() -> None:
    """Print a line for each encoder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("development", type=Path)
    arguments.add_argument("encoders", nargs="+")
    given = arguments.parse_args()
    with gzip.open(given.development, "rt", encoding="utf-8") as file:
        sets = json.load(file)
    for encoder in given.encoders:
        areas = [f"{name} {area(encoder, pairs):.4f}" for name, pairs in sets.items()]
        print(encoder, *areas, sep="  ")


if __name__ == "__main__":
    main()
