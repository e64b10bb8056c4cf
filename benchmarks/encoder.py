"""How good and how fast the bundled encoder is.

    python benchmarks/encoder.py [DWUG_EN] [--encoder onnx:DIR] [--float onnx:DIR] [--base DIR]

Accuracy is measured on DWUG EN (https://doi.org/10.5281/zenodo.14028531), through the released
``encode``: agreement with the annotators over all judged pairs of usages, and of the measures with
the gold; with ``--float`` also what eight bits lose. Speed is that of two threads against
all-MiniLM-L6-v2, which has a layer less, in float32 by torch and transformers, in the same run,
from the folder ``--base``: any weights of its shape take the same time, and made-up ones do where
none are given.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from scipy.stats import spearmanr
from tokenizers import Tokenizer

import senseshift
from senseshift.demo import SAMPLE
from senseshift.encoders import load
from senseshift.encoders.resolve import BUNDLED
from senseshift.evaluation import Gold

ROUNDS, USAGES, THREADS = 4, 512, 2  # for the speed
BARS = {
    "pairs": "(bar 0.57, aim 0.62)",
    "APD": "(bar 0.64, aim 0.70)",
    "f_SUS": "(bar 0.55, aim 0.65)",
    "tau_SUS": "(bar 0.40, aim 0.45)",
}


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
    return rank_correlation(cosine, pairs["judgment"])


def accuracy(folder: Path, encoder: str) -> dict[str, float]:
    usages = senseshift.read(folder)
    gold = Gold.of(usages, folder)
    study = senseshift.compare(usages, encoder, measures=["f_SUS", "f_APD", "g_SUS"], rho=1.0)
    words = study.words.join(gold.words.select("word", "f", "g"), on="word")
    tau = gold.usages["tau"][study.instances["usage"].to_list()]
    known = tau.is_not_null().to_numpy()
    return {
        "pairs": agreement(judged_pairs(folder), usages, study.vectors),
        "APD": rank_correlation(words["f_APD"], words["f"]),
        "f_SUS": rank_correlation(words["f_SUS"], words["f"]),
        "g_SUS": rank_correlation(words["g_SUS"], words["g"]),
        "tau_SUS": rank_correlation(study.instances["sus"].to_numpy()[known], tau.drop_nulls()),
    }


def rank_correlation(x: ArrayLike, y: ArrayLike) -> float:
    return float(spearmanr(x, y)[0])


def reference(base: Path | None) -> Callable[[list[str]], None]:
    """The same architecture by torch in float32: batches of 32 by length, as fast as it goes."""
    import torch
    from transformers import AutoModel, BertConfig, BertModel

    torch.set_num_threads(THREADS)
    if base is None:
        config = BertConfig(
            hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536
        )
        model = BertModel(config, add_pooling_layer=False).eval()
    else:
        model = AutoModel.from_pretrained(base, add_pooling_layer=False).eval()
    tokenizer = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding()

    def run(texts: list[str]) -> None:
        ordered = sorted(texts, key=len)
        with torch.inference_mode():
            for start in range(0, len(ordered), 32):
                batch = tokenizer.encode_batch(ordered[start : start + 32])
                ids = torch.tensor([encoding.ids for encoding in batch])
                mask = torch.tensor([encoding.attention_mask for encoding in batch])
                model(input_ids=ids, attention_mask=mask).last_hidden_state.mean(dim=1)

    return run


def speed(encoder: str, base: Path | None, folder: Path | None) -> None:
    usages = senseshift.read(folder or SAMPLE).table.sample(USAGES, seed=0)
    texts = usages["text"].to_list()
    spans = list(zip(usages["start"], usages["end"], strict=True))
    ours, theirs = load(encoder, threads=THREADS), reference(base)
    taken: dict[str, list[float]] = {"ours": [], "torch": []}
    for _ in range(ROUNDS):  # in turn, so that a busy moment hits both
        for name, run in (
            ("ours", lambda: ours.encode(texts, spans)),
            ("torch", lambda: theirs(texts)),
        ):
            start = time.perf_counter()
            run()
            taken[name].append(time.perf_counter() - start)
    best = {name: min(times) for name, times in taken.items()}
    print(
        f"{USAGES} usages, {THREADS} threads: {USAGES / best['ours']:.0f} a second, "
        f"torch float32 {USAGES / best['torch']:.0f}: "
        f"{best['torch'] / best['ours']:.2f} times as fast (bar 2, aim 3)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--encoder", default="bundled")
    parser.add_argument("--float", dest="whole", help="the same weights in float32, onnx:DIR")
    parser.add_argument("--base", type=Path, help="all-MiniLM-L6-v2 as transformers loads it")
    given = parser.parse_args()
    if given.folder:
        shown = {
            name: accuracy(given.folder, name) for name in (given.encoder, given.whole) if name
        }
        for name, figures in shown.items():
            print(name)
            for row, figure in figures.items():
                print(f"  {row:8} {figure:.4f}  {BARS.get(row, '')}")
        if given.whole:
            loss = shown[given.whole]["pairs"] - shown[given.encoder]["pairs"]
            print(f"eight bits lose {loss:.4f} on pairs (bar 0.01)")
    try:
        speed(given.encoder, given.base, given.folder)
    except ImportError as error:
        print(f"no speed measured, for {error.name} is not installed")


if __name__ == "__main__":
    main()
