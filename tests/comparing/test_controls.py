"""Reference words: what drift does to all words is not the change of one."""

import numpy as np
import pytest

from senseshift import Usages, compare
from senseshift.errors import InputError


def drifting(words, changed=(), seed=0):
    """Usages of words whose vectors all drift, and of some that change besides."""
    rng = np.random.default_rng(seed)
    records, vectors = [], []
    drift = np.eye(12)[11] * 0.5
    for number, word in enumerate(words):
        base = np.eye(12)[number % 5]
        for period in ("old", "new"):
            for k in range(20):
                vector = base + 0.15 * rng.normal(size=12) + (drift if period == "new" else 0)
                if word in changed and period == "new" and k < 14:
                    vector = vector - base + np.eye(12)[6 + number % 4]
                text = f"{word} {k}"
                records.append(
                    {"word": word, "period": period, "id": f"{word}{period}{k}", "text": text,
                     "start": 0, "end": len(word)}
                )  # fmt: skip
                vectors.append(vector)
    usages = Usages.from_records(records, periods=["old", "new"])
    lookup = {(r["id"]): v for r, v in zip(records, vectors, strict=True)}
    return usages, lookup


@pytest.fixture(scope="module")
def study():
    controls = [f"control{k}" for k in range(30)]
    usages, known = drifting(["target", "still"], changed=["target"])
    others, also = drifting(controls, seed=1)
    rows = {
        text: v
        for table, vectors in ((usages, known), (others, also))
        for text, v in zip(
            table.table["text"] + table.table["period"],
            (vectors[i] for i in table.table["id"]),
            strict=True,
        )
    }

    # texts tell word and number; the period is put behind, so that each has a vector of its own
    def told(usages):
        table = usages.table.with_columns(text=usages.table["text"] + usages.table["period"])
        return Usages.from_table(table, periods=["old", "new"])

    return compare(
        told(usages), lambda texts, spans: np.array([rows[text] for text in texts]),
        controls=told(others), measures=["f_SUS"], permutations=100,
    )  # fmt: skip


def test_drift_is_told_from_change(study):
    words = {row["word"]: row for row in study.words.iter_rows(named=True)}
    assert words["still"]["p"] < 0.05  # the period matters, for every word
    assert (study.controls["p"] < 0.05).mean() > 0.9
    assert words["target"]["drift_p"] == pytest.approx(1 / 31)
    assert words["still"]["drift_p"] > 0.05
    assert study.controls.height == 30


def test_without_senses_only_reference_words_carry_a_claim(study):
    verdicts = dict(study.words.select("word", "verdict").iter_rows())
    assert verdicts == {"target": "shifted", "still": "unclear"}
    assert "more than" in " ".join(study.statement("target"))


def test_a_target_is_no_control():
    usages, _ = drifting(["a"])
    with pytest.raises(InputError, match="'a' is a word to compare and a reference word"):
        compare(usages, lambda texts, spans: np.ones((len(texts), 2)), controls=usages)
