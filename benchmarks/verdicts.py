"""What is said of words: right where something changed, silent where nothing did.

    python benchmarks/verdicts.py DWUG_EN [--encoder bundled] [--shuffles 11] [--halves USAGES]

DWUG EN (https://doi.org/10.5281/zenodo.14028531) as it is: the default ranking against graded
change, verdicts against binary change (a sense was gained or lost: "shifted" does not say so, and
is counted once with the others and once not), the direction of marked senses by gold, which says
nothing where annotators left out most of a sense as noise. The same words with
their periods shuffled: how many get a verdict of change, or a usage that is matched worse than
chance. With a file of usages of one time and their sources: the same with whole documents dealt
into two halves. Everything goes through ``compare``, as it does for anybody.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
from scipy.stats import binomtest, spearmanr
from sklearn.metrics import roc_auc_score

import senseshift
from senseshift.evaluation import Gold
from senseshift.findings import CHANGED, word_finding
from senseshift.study import Study
from senseshift.usages import Usages

Senses = Literal["induced", "given"]
MEASURES = ["f_SUS", "f_APD", "f_senses", "g_senses"]
CAME_OR_WENT = ("gained", "lost", "replaced")
SPREAD = 0.1  # of entropy: what differs by less did neither broaden nor narrow
KNOWN = 0.5  # of the usages of a sense, by which gold can judge it


def study_of(
    usages: Usages, seed: int = 0, encoder: str = "bundled", senses: Senses = "induced"
) -> Study:
    return senseshift.compare(
        usages, encoder=encoder, measures=MEASURES, permutations=200, seed=seed, senses=senses
    )


def as_it_is(usages: Usages, folder: Path, encoder: str) -> None:
    study, gold = study_of(usages, encoder=encoder), Gold.of(usages, folder)
    words = study.words.join(gold.words.select("word", "f", "g", "changed"), on="word")
    print(f"\nas it is, {words.height} words")
    for name, against in (("change", "f"), ("f_APD", "f"), ("f_senses", "f"), ("g_senses", "g")):
        print(f"  {name} ~ {against}*: {spearmanr(words[name], words[against]).statistic:.3f}")
    changed = words["changed"].to_numpy().astype(bool)
    print(f"  AUC of change for binary change: {roc_auc_score(changed, words['change']):.3f}")
    told("verdicts of change", words, changed)
    told("verdicts that a sense came or went", words, changed, CAME_OR_WENT)
    print(f"  {dict(Counter(words['verdict']))}")
    directions(study)
    scopes(study, words)
    # What is left where senses are told apart as well as people do it is the rule's own.
    given = by_given_senses(usages, words)
    told("with the annotators' senses", given, changed)
    told("  that a sense came or went", given, changed, CAME_OR_WENT)


def by_given_senses(usages: Usages, words: pl.DataFrame) -> pl.DataFrame:
    """The same words in the same order, judged by the senses that usages have."""
    given = study_of(usages, senses="given").words
    return words.select("word").join(given, on="word", maintain_order="left")


def told(
    name: str, words: pl.DataFrame, true: np.ndarray, kinds: tuple[str, ...] = CHANGED
) -> None:
    """How many verdicts of these kinds are right, and how many changes get one."""
    said = words["verdict"].is_in(kinds).to_numpy()
    right = int((said & true).sum())
    print(
        f"  {name}: precision {right / max(said.sum(), 1):.2f} ({right} of {said.sum()}), "
        f"recall {right / true.sum():.2f} ({right} of {true.sum()})"
    )


def directions(study: Study) -> None:
    """Whether the gold sense that most usages of a marked sense have moved the same way."""
    found = []
    for word in study.words["word"]:
        view = study.view(word)
        gold, is_new = np.array(view.senses or [None] * len(view.is_new), object), view.is_new
        known = np.array([sense is not None for sense in gold])
        for sense in word_finding(study, view).senses:
            inside = sense.members[known[sense.members]]
            if not sense.change.marked or not inside.size:
                continue
            most = Counter(gold[inside]).most_common(1)[0][0]
            old, new = ((gold[known & side] == most).mean() for side in (~is_new, is_new))
            right = (new > old) == (sense.change.difference > 0)
            found.append((right, inside.size >= KNOWN * sense.members.size))
    judged = [right for right, enough in found if enough]
    print(
        f"  marked senses that moved as gold says: {sum(right for right, _ in found)} of "
        f"{len(found)}; where it knows half of their usages {sum(judged)} of {len(judged)}"
    )


def scopes(study: Study, words: pl.DataFrame) -> None:
    """Whether words that are said to have broadened or narrowed did, by their gold senses."""
    told = {word: " ".join(study.statement(word)) for word in words["word"]}
    ways = [("broadened", 1), ("narrowed", -1)]
    found = [
        (way * g > SPREAD, way * g < -SPREAD)
        for word, g in words.select("word", "g").iter_rows()
        for said, way in ways
        if f"meaning {said}" in told[word]
    ]
    right, contrary = (sum(column) for column in zip(*found, strict=True)) if found else (0, 0)
    print(f"  broadened or narrowed: {len(found)} said, {right} right, {contrary} the contrary")


def silence(name: str, studies: list[Study]) -> None:
    words = pl.concat([study.words for study in studies])
    words = words.filter(pl.col("certified").is_not_null())
    said = int(words["verdict"].is_in(CHANGED).sum())
    beyond = sum(
        study.instances.filter(pl.col("q") <= 0.05).select("word").n_unique() for study in studies
    )
    print(f"\n{name}: {words.height} words")
    for what, hits in (
        ("verdicts of change", said),
        ("words with p ≤ .05", int((words["p"] <= 0.05).sum())),
        ("words with a usage matched worse than chance (q ≤ .05)", beyond),
    ):
        high = binomtest(hits, words.height).proportion_ci().high
        print(f"  {what}: {hits} = {hits / words.height:.1%} (at most {high:.1%})")


def shuffled(usages: Usages, seed: int) -> Usages:
    periods = pl.col("period").shuffle(seed).over("word")
    return Usages.from_table(usages.table.with_columns(periods), periods=usages.periods)


def halved(usages: Usages, seed: int) -> Usages:
    """Documents dealt into two halves."""
    sources = usages.table["source"].unique().sort()
    side = np.random.default_rng(seed).permutation(np.arange(len(sources)) % 2)
    half = dict(zip(sources, np.where(side, "b", "a").tolist(), strict=True))
    table = usages.table.with_columns(period=pl.col("source").replace_strict(half))
    return Usages.from_table(table, periods=["a", "b"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wug", type=Path)
    parser.add_argument("--encoder", default="bundled")
    parser.add_argument("--shuffles", type=int, default=11)
    parser.add_argument("--halves", type=Path, help="usages of one time, with their sources")
    parser.add_argument("--deals", type=int, default=10, help="of documents into two halves")
    given = parser.parse_args()
    usages = senseshift.read(given.wug)
    as_it_is(usages, given.wug, given.encoder)
    dealt = (shuffled(usages, seed) for seed in range(given.shuffles))
    if given.shuffles:
        studies = [study_of(one, k, given.encoder) for k, one in enumerate(dealt)]
        silence("periods shuffled", studies)
    if given.halves:
        whole = senseshift.read(given.halves)
        parts = (halved(whole, seed) for seed in range(given.deals))
        studies = [study_of(one, k, given.encoder) for k, one in enumerate(parts)]
        silence("documents in halves", studies)


if __name__ == "__main__":
    main()
