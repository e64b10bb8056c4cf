"""How good and how fast the bundled encoder is.

    python benchmarks/encoder.py [DWUG_EN] [--encoder onnx:DIR] [--float onnx:DIR] [--base DIR]
    python benchmarks/encoder.py RUSEMSHIFT_1 --encoder multilingual --pairs swewic_test.jsonl.gz

Accuracy is measured on DWUG EN (https://doi.org/10.5281/zenodo.14028531) or another WUG folder (of
RuSemShift the gold is its COMPARE, turned round), and on files of pairs as "same sense?" by cosine,
through the released ``encode``: agreement with the annotators over all judged pairs of usages, and
with the gold of every measure, by cosine distance and by the calibrated cost; of usages also within
their period, where telling the period is of no help. With ``--float`` also what eight bits lose.
Speed is that of two threads against torch and transformers in float32, in the same run: a model of
the bundled encoder's shape with made-up weights, as any take the same time, or the one in the
folder ``--base``; for another encoder one of the shape of all-MiniLM-L6-v2.
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

import pairs
import senseshift
from senseshift.demo import SAMPLE
from senseshift.encoders import load
from senseshift.encoders.resolve import BUNDLED
from senseshift.evaluation import Gold
from senseshift.evaluation.ours import OURS
from senseshift.measures import INSTANCE, WORD

ROUNDS, USAGES, THREADS = 4, 512, 2  # for the speed
BARS = {
    "pairs": "(bar 0.57, aim 0.62)",
    "f_APD": "(by cosine: bar 0.64, aim 0.70)",
    "f_SUS": "(by cosine: bar 0.55, aim 0.65)",
    "sus": "(by cosine: bar 0.40, aim 0.45)",
}
PAIRS, BOTH = "pairs", "cosine"  # what has nothing to do with the cost is told once, with this one


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


def agreement(judged: pl.DataFrame, usages: senseshift.Usages, vectors: np.ndarray) -> float:
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = usages.table.select("word", "id").with_row_index()
    for side in ("first", "second"):
        judged = judged.join(
            rows.rename({"index": f"{side}_row"}),
            left_on=["lemma", side],
            right_on=["word", "id"],
            how="inner",
        )
    cosine = np.einsum(
        "id,id->i", units[judged["first_row"].to_numpy()], units[judged["second_row"].to_numpy()]
    )
    print(f"  {judged.height:,} judged pairs")
    return rank_correlation(cosine, judged["judgment"])


def accuracy(folder: Path, encoder: str) -> dict[str, dict[str, float]]:
    """By cost the correlation of every measure with the gold, 46 words at once and ρ = 1."""
    usages = senseshift.read(folder)
    gold = Gold.of(usages, folder) if (folder / "clusters").exists() else None
    found: dict[str, dict[str, float]] = {}
    calibrated = getattr(load(encoder), "calibration", None) is not None
    for cost in (BOTH, "sense") if calibrated else (BOTH,):
        measures = [m.name for m in WORD if cost == BOTH or m.needs == "cost"]
        study = senseshift.compare(usages, encoder, measures=measures, cost=cost, rho=1.0)
        if gold:
            found[cost] = of_words(study, gold.words, measures) | of_usages(study, gold, cost)
        else:
            found[cost] = of_words(study, compared(folder), measures)
    found[BOTH] = {PAIRS: agreement(judged_pairs(folder), usages, study.vectors)} | found[BOTH]
    return found


def compared(folder: Path) -> pl.DataFrame:
    """The gold of RuSemShift: how alike annotators found usages of two periods, turned round."""
    table = pl.read_csv(folder / "testset_filtered.tsv", separator="\t")
    return table.select("word", f=-pl.col("COMPARE"))


def of_words(study: senseshift.Study, gold: pl.DataFrame, measures: list[str]) -> dict[str, float]:
    words = study.words.join(gold, on="word")
    kinds = {m.name: "g" if m.level == "scope" else "f" for m in WORD if m.name in measures}
    return {
        name: rank_correlation(words[name], words[kind])
        for name, kind in {"change": "f", **kinds}.items()
        if kind in words.columns and words[name].is_not_null().all()
    }


def of_usages(study: senseshift.Study, gold: Gold, cost: str) -> dict[str, float]:
    """Pooled, as in the paper, and within the old and the new period."""
    table = study.instances
    scores = {m.name: table[m.name] for m in INSTANCE if cost == BOTH or m.needs == "cost"}
    approaches = {"SUS-based"}
    if cost == BOTH:
        approaches |= {"baseline"} | ({"sense-based"} if study.senses.height else set())
    ours = [own for own in OURS if own.gold == "tau" and own.approach in approaches]
    scores |= {own.name: own.read(study) for own in ours}
    tau = gold.usages["tau"][table["usage"].to_list()]
    is_new = table["period"] == table["new"]
    parts = {"": tau.is_not_null()}
    parts |= {", old": parts[""] & ~is_new, ", new": parts[""] & is_new}
    return {
        name + period: rank_correlation(values.filter(part), tau.filter(part))
        for name, values in scores.items()
        for period, part in parts.items()
        if name != "period" or not period
    }


def show(figures: dict[str, dict[str, float]]) -> None:
    rows = dict.fromkeys(row for of_cost in figures.values() for row in of_cost)
    print(f"  {'Spearman with the gold':24}" + "".join(f"{cost:>9}" for cost in figures))
    for row in rows:
        cells = "".join(
            f"{of_cost[row]:9.4f}" if row in of_cost else f"{'':9}" for of_cost in figures.values()
        )
        print(f"  {row:24}{cells}  {BARS.get(row, '')}".rstrip())


def rank_correlation(x: ArrayLike, y: ArrayLike) -> float:
    return float(spearmanr(x, y)[0])


def reference(encoder: str, base: Path | None) -> Callable[[list[str]], None]:
    """A model by torch in float32: batches of 32 by length, as fast as it goes."""
    import torch
    from transformers import AutoModel, BertConfig, BertModel, MPNetConfig, MPNetModel

    torch.set_num_threads(THREADS)
    layers = {"num_hidden_layers": 6, "num_attention_heads": 12}
    if base:
        model = AutoModel.from_pretrained(base, add_pooling_layer=False)
    elif encoder == "bundled":
        config = MPNetConfig(hidden_size=768, intermediate_size=2560, vocab_size=30_527, **layers)
        model = MPNetModel(config, add_pooling_layer=False)
    else:
        config = BertConfig(hidden_size=384, intermediate_size=1536, **layers)
        model = BertModel(config, add_pooling_layer=False)
    model.eval()
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
    ours, theirs = load(encoder, threads=THREADS), reference(encoder, base)
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
    parser.add_argument("--pairs", type=Path, nargs="*", default=[], help="WiC-like files")
    parser.add_argument("--base", type=Path, help="a model as transformers loads it")
    given = parser.parse_args()
    if given.folder:
        shown = {
            name: accuracy(given.folder, name) for name in (given.encoder, given.whole) if name
        }
        for name, figures in shown.items():
            print(name)
            show(figures)
        if given.whole:
            loss = shown[given.whole][BOTH][PAIRS] - shown[given.encoder][BOTH][PAIRS]
            print(f"eight bits lose {loss:.4f} on pairs (bar 0.01)")
    for path in given.pairs:
        for name, rows in pairs.read(path).items():
            areas = [pairs.area(load(e), rows) for e in (given.encoder, given.whole) if e]
            print(f"  {name}, area under the curve: {' '.join(f'{a:.4f}' for a in areas)}")
    try:
        speed(given.encoder, given.base, given.folder)
    except ImportError as error:
        print(f"no speed measured, for {error.name} is not installed")


if __name__ == "__main__":
    main()
