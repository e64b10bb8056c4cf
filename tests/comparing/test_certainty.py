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


def test_intervals_of_measures_hold_what_other_samples_have():
    """Fifty words that are samples of one: their intervals cover the mean of their figures."""
    rng, records, vectors = np.random.default_rng(0), [], []
    for word in range(50):
        for period, shares in (("old", [0.7, 0.3]), ("new", [0.4, 0.6])):
            for number, sense in enumerate(rng.choice(2, 24, p=shares)):
                text = f"word{word} {period} {number}"
                record = {"word": f"word{word}", "period": period, "id": text, "text": text}
                records.append(record | {"start": 0, "end": len(f"word{word}")})
                vectors.append(np.eye(6)[sense] + 0.3 * rng.normal(size=6))
    usages = Usages.from_records(records, periods=["old", "new"])
    names = ["f_SUS", "g_SUS", "f_APD"]
    words = compare(usages, np.array(vectors), measures=names, permutations=30).words
    for name in names:
        covered = words[name].is_between(words[f"{name}_low"], words[f"{name}_high"])
        assert covered.all(), name
        mean = words[name].mean()
        held = ((words[f"{name}_low"] <= mean) & (mean <= words[f"{name}_high"])).sum()
        assert held >= 43, name
        width = (words[f"{name}_high"] - words[f"{name}_low"]).mean() / 3.92
        assert 0.6 < width / words[name].std() < 1.9, name


@pytest.mark.parametrize("count", [1, 3])
def test_of_very_few_usages_no_bounds_are_told(usages, count):
    ids = [f"{period}{k}" for period in ("old", "new") for k in range(count)]
    some = Usages.from_table(usages.table.filter(usages.table["id"].is_in(ids)))
    few = compare(some, vectors, measures=["f_SUS"], permutations=20).words
    assert few["old_usages"].to_list() == [count, count]
    for name in ("change", "f_SUS"):
        assert few[name].is_not_null().all()
        assert few[f"{name}_low"].is_null().all()
        assert few[f"{name}_high"].is_null().all()


def test_magnitudes_have_bounds_that_hold_them_and_are_not_negative(usages):
    words = studied(usages).words
    for name in ("change", "f_SUS"):
        assert (words[f"{name}_low"] >= 0.0).all()
        assert words[name].is_between(words[f"{name}_low"], words[f"{name}_high"]).all()
    assert (words["change_low"] == 0.0).any()  # below it there would have been room


def test_where_a_side_is_one_document_nothing_is_told_of_others():
    rows = [
        {"word": "cell", "period": period, "id": f"{period}{k}", "text": f"cell {period} {k}",
         "start": 0, "end": 4, "source": f"old {k}" if period == "old" else "all"}
        for period in ("old", "new") for k in range(25)
    ]  # fmt: skip
    words = compare(Usages.from_records(rows), vectors, measures=["f_APD"], permutations=20).words
    assert words["permuted"].to_list() == ["documents"]
    for name in ("change", "f_APD"):
        assert words[f"{name}_low"].to_list() == words[f"{name}_high"].to_list() == [None]
