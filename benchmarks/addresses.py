"""What is said of words of real texts, against labels: the State of the Union addresses.

    python benchmarks/addresses.py sotu.jsonl.gz [--encoder bundled] [--shuffles 11]

66 words, 25 usages of each from 1790–1899 and 25 from 1950–2020, most of them from an address of
their own, with sense labels (``annotated/addresses.tsv``; its README says how they were made). The
addresses are a file of JSON lines with ``year`` and ``text``, one address a line, in the order of
their years. Verdicts, marked senses and scores go through ``compare``, as for anybody. Shown twice:
by the senses of a concise dictionary, and with those as one that are closely related. Nothing was
chosen by these figures.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import adjusted_rand_score, roc_auc_score

from senseshift.evaluation import Gold
from senseshift.findings import CHANGED
from senseshift.senses.induction import alone
from senseshift.study import Study
from senseshift.usages import Usages
from verdicts import (
    CAME_OR_WENT,
    by_given_senses,
    directions,
    scopes,
    shuffled,
    silence,
    study_of,
    told,
)

LABELS = Path(__file__).parent / "annotated" / "addresses.tsv"
GRANULARITY = {"sense": "a dictionary's senses", "concept": "closely related senses are one"}
OLD, NEW = "1790-1899", "1950-2020"
CAME, ABSENT = 4, 1  # usages of 25 that a sense has on one side, at least, and at most on the other
MOVED = 0.2  # of the usages: a share that differs by less may well be another sample


def labelled(path: Path, column: str = "sense") -> Usages:
    """The usages labelled in a column, their texts read from the addresses."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        addresses = [json.loads(line) for line in lines]
    rows = []
    with LABELS.open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            address = addresses[int(row["address"]) - 1]
            text = address["text"][int(row["first"]) : int(row["last"])]
            start, end = int(row["start"]), int(row["end"])
            if not text[start:end].lower().startswith(row["word"][:2]):
                raise SystemExit(f"{path} has other texts than those that were labelled.")
            rows.append(
                {
                    "word": row["word"], "period": OLD if address["year"] < 1900 else NEW,
                    "id": f"{row['word']}-{len(rows)}", "text": text, "start": start, "end": end,
                    "sense": row[column], "source": f"{address['year']}-{row['address']}",
                }
            )  # fmt: skip
    return Usages.from_records(rows, periods=[OLD, NEW])


def counted(usages: Usages) -> dict[str, np.ndarray]:
    """Of every word how many usages each of its senses has, old and new."""
    found = {}
    for (word,), part in usages.table.partition_by("word", as_dict=True).items():
        _, sense = np.unique(part["sense"].to_numpy().astype(str), return_inverse=True)
        new = (part["period"] == NEW).to_numpy()
        found[str(word)] = np.array(
            [np.bincount(sense[side], minlength=sense.max() + 1) for side in (~new, new)]
        )
    return found


def against_labels(title: str, study: Study, usages: Usages) -> None:
    gold = Gold.of(usages)
    words = study.words.join(gold.words.select("word", "f", "g"), on="word")
    by_word = counted(usages)
    counts = [by_word[word] for word in words["word"]]
    moved = [abs(c[1] / c[1].sum() - c[0] / c[0].sum()).max() for c in counts]
    came = [((c.min(axis=0) <= ABSENT) & (c.max(axis=0) >= CAME)).any() for c in counts]
    print(f"as they are, {words.height} words, {usages.table.height:,} usages; {title}")
    for name, against in (("change", "f"), ("f_APD", "f"), ("f_senses", "f"), ("g_senses", "g")):
        print(f"  {name} ~ {against}*: {spearmanr(words[name], words[against]).statistic:.3f}")
    print(
        f"  AUC of change for a sense that came or went: {roc_auc_score(came, words['change']):.3f}"
    )
    said = words["verdict"].is_in(CHANGED).to_numpy()
    given = by_given_senses(usages, words)
    for name, true in (
        (f"a share differs by {MOVED:.0%}", np.array(moved) >= MOVED),
        ("a sense came or went", np.array(came)),
    ):
        told(f"verdicts of change where {name}", words, true)
        told("  with the labels as senses", given, true)
    told("verdicts that a sense came or went where one did", words, np.array(came), CAME_OR_WENT)
    told("  with the labels as senses", given, np.array(came), CAME_OR_WENT)
    large = np.array(moved) >= words["detectable"].to_numpy()
    print(
        f"  of {large.sum()} words whose shares differ by what samples of their sizes should show "
        f"four times of five {said[large].sum()} are told ({said[large].mean():.2f})"
    )
    directions(study)
    scopes(study, words)
    agreement = []
    joined = study.instances.join(gold.usages.select("word", "id", "tau"), on=["word", "id"])
    for part in joined.partition_by("word"):
        labels = part["induced_sense"].rank("dense").fill_null(0).to_numpy().astype(int) - 1
        agreement.append(adjusted_rand_score(part["sense"].to_numpy(), alone(labels)))
    sides = (joined.filter(joined["period"] == period) for period in (OLD, NEW))
    old, new = (spearmanr(side["tau_senses"], side["tau"]).statistic for side in sides)
    print(f"  ARI {np.mean(agreement):.3f}; log ratio ~ τ*: old {old:.3f}, new {new:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("addresses", type=Path)
    parser.add_argument("--encoder", default="bundled")
    parser.add_argument("--shuffles", type=int, default=11)
    given = parser.parse_args()
    for column, title in GRANULARITY.items():
        usages = labelled(given.addresses, column)
        against_labels(title, study_of(usages, encoder=given.encoder), usages)
    dealt = (shuffled(usages, seed) for seed in range(given.shuffles))  # no label has a say in it
    if given.shuffles:
        studies = [study_of(one, k, given.encoder) for k, one in enumerate(dealt)]
        silence("periods shuffled", studies)


if __name__ == "__main__":
    main()
