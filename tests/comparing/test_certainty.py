"""Permutations in a study: seeded, whatever the threads, and stopped early if that is wished."""

from zlib import crc32

import numpy as np
import pytest

from senseshift import Usages, compare


@pytest.fixture(scope="module")
def usages():
    """Two words without any change."""
    return Usages.from_records(
        {"word": word, "period": period, "id": f"{period}{k}", "text": f"{word} {period} {k}",
         "start": 0, "end": 4}
        for word in ("cell", "bank") for period in ("old", "new") for k in range(15)
    )  # fmt: skip


def vectors(texts, spans):
    seeds = (crc32(text.encode()) for text in texts)
    return np.array([np.random.default_rng(seed).normal(size=8) for seed in seeds])


def studied(usages, **settings):
    return compare(usages, vectors, measures=["f_SUS"], permutations=400, **settings)


def steps(p, permutations):
    """Whether p-values are whole numbers of such steps."""
    return np.allclose(np.mod(np.asarray(p) * (permutations + 1) + 0.5, 1.0), 0.5, atol=1e-9)


def test_what_is_clearly_nothing_is_not_permuted_to_the_end_unless_asked(usages):
    early, whole = studied(usages), studied(usages, early=False)
    assert (whole.words["p"] > 0.2).all()
    assert steps(whole.words["p"], 400)
    assert steps(early.words["p"], 100)
    assert not steps(early.words["p"], 400)


def test_the_same_seed_gives_the_same_figures_whatever_the_threads(usages):
    one, two = studied(usages, threads=1), studied(usages, threads=2)
    assert one.words.equals(two.words)
    assert one.instances.equals(two.instances)
    other = studied(usages, seed=1)
    assert not other.words["p"].equals(one.words["p"])
