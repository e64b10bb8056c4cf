"""Pairs of usages with "same sense?", from the files of SweWiC, AM2iCo, WiC and MCL-WiC."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from senseshift.encoders import Encoder

Side = tuple[str, int, int]  # text, where the target begins and ends
Pair = tuple[Side, Side, bool]


def read(path: Path) -> dict[str, list[Pair]]:
    """The sets of a file by their names."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        text = file.read()
    name = path.name.split(".")[0]
    if path.name.endswith(".jsonl.gz"):
        return {name: [_swedish(json.loads(line)) for line in text.splitlines()]}
    if path.name.endswith(".tsv.gz"):
        rows = [line.split("\t") for line in text.split("\n")[1:] if line]
        return {name: [(_marked(one), _marked(other), same == "T") for one, other, same in rows]}
    return {
        part: [((*row[:3],), (*row[3:6],), bool(row[6])) for row in rows]  # type: ignore[misc]
        for part, rows in json.loads(text).items()
    }


def area(encoder: Encoder, pairs: list[Pair]) -> float:
    """How often a pair of one sense is closer than a pair of two."""
    sides = [pair[which] for which in (0, 1) for pair in pairs]
    vectors = encoder.encode([side[0] for side in sides], [side[1:] for side in sides])
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine = np.einsum("id,id->i", vectors[: len(pairs)], vectors[len(pairs) :])
    return float(roc_auc_score([pair[2] for pair in pairs], cosine))


def _swedish(pair: dict[str, dict[str, object]]) -> Pair:
    one, other = (_use(pair[which]) for which in ("first", "second"))
    return one, other, pair["label"] == "same_sense"  # type: ignore[comparison-overlap]


def _use(use: dict[str, object]) -> Side:
    place = use["word"]["location"]  # type: ignore[index]
    return str(use["context"]), place["start"], place["stop"]


def _marked(text: str) -> Side:
    before, target, after = re.split(r"</?word>", text)
    return before + target + after, len(before), len(before) + len(target)
