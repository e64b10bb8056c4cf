"""How good and how fast the bundled encoder is.

    python benchmarks/encoder.py [DWUG_EN] [--encoder onnx:DIR] [--float onnx:DIR] [--base DIR]

Accuracy is measured on DWUG EN (https://doi.org/10.5281/zenodo.14028531) through the released
``encode``: agreement with the annotators over all judged pairs of usages, and of the measures with
the gold; with ``--float``, also what eight bits lose. Speed is that of two threads against the
same architecture in float32 by torch and transformers, from the folder ``--base`` (any weights of
all-MiniLM-L6-v2's shape take the same time), in the same run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from scipy.stats import spearmanr

import senseshift
from senseshift.encoders import load
from senseshift.evaluation import Gold

ROUNDS = 3
USAGES = 512  # for the speed


def judged_pairs(folder: Path) -> pl.DataFrame:
    """Every pair with its mean judgement; 0 means that an annotator could not decide."""
    tables = [
        pl.read_csv(path, separator="\t", quote_char=None, infer_schema=False)
        for path in sorted(folder.glob("data/*/judgments.csv"))
    ]
    rows = pl.concat(tables, how="diagonal").with_columns(pl.col("judgment").cast(pl.Float64))
    first = pl.min_horizontal("identifier1", "identifier2")
    second = pl.max_horizontal("identifier1", "identifier2")
    return (
        rows.filter(pl.col("judgment") > 0)
        .group_by("lemma", first=first, second=second, maintain_order=True)
        .agg(pl.col("judgment").mean())
        .filter(pl.col("first") != pl.col("second"))
    )


def agreement(pairs: pl.DataFrame, usages: senseshift.Usages, vectors: np.ndarray) -> float:
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = usages.table.select("word", "id").with_row_index()
    for side in ("first", "second"):
        pairs = pairs.join(
            rows.rename({"index": f"{side}_row"}),
            left_on=["lemma", side],
            right_on=["word", "id"],
            how="inner",
        )
    cosine = np.einsum(
        "id,id->i", units[pairs["first_row"].to_numpy()], units[pairs["second_row"].to_numpy()]
    )
    print(f"  {pairs.height:,} judged pairs")
    return float(spearmanr(cosine, pairs["judgment"].to_numpy())[0])


def accuracy(folder: Path, encoder: str) -> dict[str, float]:
    usages = senseshift.read(folder)
    gold = Gold.of(usages, folder)
    study = senseshift.compare(usages, encoder, measures=["f_SUS", "f_APD", "g_SUS"], rho=1.0)
    words = study.words.join(gold.words.select("word", "f", "g"), on="word", how="inner")
    tau = study.instances.select("word", "period", "id", "sus").join(
        gold.usages.select("word", "period", "id", "tau"), on=["word", "period", "id"]
    )
    tau = tau.drop_nulls()
    return {
        "pairs": agreement(judged_pairs(folder), usages, study.vectors),
        "APD": float(spearmanr(words["f_APD"], words["f"])[0]),
        "f_SUS": float(spearmanr(words["f_SUS"], words["f"])[0]),
        "g_SUS": float(spearmanr(words["g_SUS"], words["g"])[0]),
        "tau_SUS": float(spearmanr(tau["sus"], tau["tau"])[0]),
    }


if __name__ == "__main__":
    import sys
    for e in sys.argv[2:]:
        print(e, {k: round(v, 4) for k, v in accuracy(Path(sys.argv[1]), e).items()}, flush=True)
