"""What follows from clusters is unknown where there are none, and left out where they take long."""

import numpy as np
import pytest
from reading import read_senses

from senseshift import Usages, compare
from senseshift.measures import WORD

SLOW = [m.name for m in WORD if m.slow]


def made(counts):
    return Usages.from_records(
        {"word": word, "period": period, "id": f"{period}{k}", "text": word, "start": 0,
         "end": len(word)}
        for word, count in counts.items() for period in "12" for k in range(count)
    )  # fmt: skip


def scattered(texts, spans):
    return np.random.default_rng(0).normal(size=(len(texts), 4)) + 2


@pytest.fixture
def few_are_many(monkeypatch):
    """So that a thousand usages need not be clustered."""
    for module in ("senseshift.comparing.settings", "senseshift.study.printing"):
        monkeypatch.setattr(f"{module}.MOST_UNASKED", 30)


def test_large_words_are_clustered_only_where_that_is_asked_for(few_are_many):
    usages = made({"large": 20, "small": 12})
    study = compare(usages, scattered, permutations=0, damping=0.5)
    words = {row["word"]: row for row in study.words.iter_rows(named=True)}
    assert [words["large"][name] for name in SLOW] == [None] * len(SLOW)
    assert None not in [words["small"][name] for name in SLOW]
    assert study.instances.filter(word="large")["widid"].null_count() == 40
    assert f"{', '.join(SLOW)}: left out for 1 word of more than 30 usages" in str(study)
    asked = compare(usages, scattered, permutations=0, damping=0.5, measures=["f_SUS", "f_WiDiD"])
    assert asked.words["f_WiDiD"].null_count() == 0
    assert "left out" not in str(asked)


def test_clusters_that_were_not_found_make_nothing_zero(usages):
    study = compare(usages, read_senses, permutations=0)
    words = {row["word"]: row for row in study.words.iter_rows(named=True)}
    assert words["cell"]["f_WiDiD"] > 0.5
    assert words["bank"]["f_WiDiD"] is None  # affinity propagation does not converge there
    assert study.instances.filter(word="bank")["cluster"].null_count() == 40
    assert "not known for 2 words, where no clusters were found" in str(study)
