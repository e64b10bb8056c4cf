"""What the vectors of all words have in common: ``export.py --centre`` takes a part of it away.

    python training/centre.py base/ xx/ xx/m.pt xx/common.npy --layers 4

The mean vector of some words of the sentence pairs, an English one for every five of the others.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from batches import Corpus, Views
from network import MultilingualEncoder

SAMPLES = {"english": 700, "other": 1300}
SHARES = {"english": 1 / 6, "other": 5 / 6}
SIZE = 64


def mean_of(encoder: MultilingualEncoder, corpus: Corpus, rows: np.ndarray) -> np.ndarray:
    """The mean of usages' vectors, not of unit length."""
    windows = [corpus.window(int(row), None, Views()) for row in rows]
    windows.sort(key=lambda window: len(window[0]))
    parts = []
    with torch.inference_mode():
        for start in range(0, len(windows), SIZE):
            parts.append(encoder.pooled(windows[start : start + SIZE]))
    return torch.cat(parts).mean(dim=0).cpu().numpy()


def main() -> None:
    """Write the mean."""
    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ("base", "work", "weights", "output"):
        arguments.add_argument(name, type=Path)
    arguments.add_argument("--layers", type=int, default=4, help="from above that are averaged")
    given = arguments.parse_args()
    encoder = MultilingualEncoder(given.base, dropout=0.0, layers=given.layers).eval()
    weights = torch.load(given.weights, weights_only=True, map_location="cpu")
    encoder.load_state_dict({n: w.float() for n, w in weights.items()}, strict=False)
    rng = np.random.default_rng(0)
    common = np.zeros(encoder.base.config.hidden_size, dtype=np.float32)
    for name, count in SAMPLES.items():
        corpus = Corpus(given.work / f"{name}.npz")
        rows = rng.choice(len(corpus), size=min(count, len(corpus)), replace=False)
        common += np.float32(SHARES[name]) * mean_of(encoder, corpus, rows)
    np.save(given.output, common)


if __name__ == "__main__":
    main()
