"""A whole study from given vectors, beside the published SUS alone (POT's MM) in the same run.

    python benchmarks/study.py WUG_FOLDER VECTORS.npy

The folder and the vectors of DWUG EN give the figures of the README: 46 words, 9,107 usages, every
measure, saved to disk.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import ot

import senseshift
from senseshift.measures import WORD, Comparison


def published_sus(old: np.ndarray, new: np.ndarray, lam: float = 100.0) -> np.ndarray:
    cost = Comparison(old, new).cost
    a, b = (np.full(size, 1 / size) for size in cost.shape)
    return ot.unbalanced.mm_unbalanced(a, b, cost, lam, div="l2").sum(axis=1) / a - 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("vectors", type=Path)
    arguments = parser.parse_args()
    senseshift.transport.solve(np.ones((2, 2)))  # loads the compiled solver

    start = time.perf_counter()
    usages = senseshift.read(arguments.folder)
    reading = time.perf_counter() - start
    print(f"reading {len(usages):,} usages of {len(usages.words)} words: {reading:.2f} s")
    without, every = [m.name for m in WORD if not m.slow], [m.name for m in WORD]
    taken = {}
    for name, measures, permutations in (
        ("all measures but affinity propagation's", without, 0),
        ("all measures", every, 0),
        ("all but those and 200 permutations", without, 200),
    ):
        start = time.perf_counter()
        study = senseshift.compare(
            usages, arguments.vectors, measures=measures, permutations=permutations
        )
        with tempfile.TemporaryDirectory() as folder:
            study.save(Path(folder) / "study")
        taken[name] = reading + time.perf_counter() - start
        certified = int(study.words["certified"].sum())
        print(
            f"study with {name}, read to saved: {taken[name]:.2f} s, "
            f"{certified} of {study.words.height} words certified, "
            f"SUS error ≤ {study.words['sus_error'].max():.0e}"
        )
    rows = study.instances.select("word", "period", "old", "usage")
    start = time.perf_counter()
    for _, part in rows.group_by("word", maintain_order=True):
        is_old = (part["period"] == part["old"]).to_numpy()
        vectors = study.vectors[part["usage"].to_numpy()].astype(np.float64)
        published_sus(vectors[is_old], vectors[~is_old])
    mm = time.perf_counter() - start
    first, second, _ = taken.values()
    print(f"SUS alone by POT's MM(1000), from the same vectors: {mm:.2f} s")
    print(
        f"ratio: {mm / first:.1f} with all measures but affinity propagation (bar: ≤ 15 s), "
        f"{mm / second:.1f} with all"
    )


if __name__ == "__main__":
    main()
