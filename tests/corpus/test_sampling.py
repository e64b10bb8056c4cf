"""Samples of usages: capped by default, spread over documents if asked, bounded in memory."""

import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.corpus import MAX_USAGES, find
from senseshift.corpus.sampling import Sample


def corpus(path, count, documents=1):
    lines = [f"doc{k % documents},The cell {k}.\n" for k in range(count)]
    path.write_text("source,text\n" + "".join(sorted(lines)))
    return {"old": path}


def test_there_is_a_cap_and_it_is_told_how_to_lift_it(tmp_path):
    corpora = corpus(tmp_path / "a.csv", MAX_USAGES + 1)
    usages = find(corpora, ["cell"])
    assert len(usages) == MAX_USAGES
    assert usages.dropped == [
        "Of 1 word a random sample was kept, at most 400 a period (seed 0): "
        "max_usages=None (--max-usages 0) keeps all."
    ]
    assert usages.corpora.counts.select("found", "kept").row(0) == (401, 400)
    everything = find(corpora, ["cell"], max_usages=None)
    assert (len(everything), everything.dropped) == (401, [])


def test_a_sample_is_spread_over_documents(tmp_path):
    corpora = corpus(tmp_path / "a.csv", 1000, documents=30)
    usages = find(corpora, ["cell"], max_per_document=3)
    assert set(Counter(usages.table["source"]).values()) == {3}
    assert usages.corpora.counts.row(0, named=True)["documents"] == 30
    assert "at most 400 a period and at most 3 a document" in usages.dropped[0]
    few = find(corpora, ["cell"], max_per_document=3, max_usages=50)
    assert len(few) == 50
    assert max(Counter(few.table["source"]).values()) <= 3
    alone = find(corpora, ["cell"], max_per_document=3, max_usages=None)
    assert alone.table.equals(usages.table)
    assert "sample was kept, at most 3 a document (seed 0)" in alone.dropped[0]


@settings(deadline=None)
@given(
    sources=st.lists(st.sampled_from("abcde"), max_size=60),
    limit=st.one_of(st.none(), st.integers(1, 20)),
    each=st.one_of(st.none(), st.integers(1, 4)),
    seed=st.integers(-5, 5),
)
def test_a_sample_is_what_drawing_lots_would_give(sources, limit, each, seed):
    def drawn(limit, each):
        sample = Sample(limit, each, seed)
        for k, source in enumerate(sources):
            sample.add(("cell", "old", str(k), f"cell {k}", 0, 4, None, source))
        return sample.table(["cell"], ("old",))["id"].to_list()

    # In which order lots are drawn is seen from samples without documents, one longer than another.
    lots = []
    for size in range(1, len(sources) + 1):
        lots += set(drawn(size, None)) - set(lots)
    taken, expected = Counter(), []
    for id_ in lots:
        if each is None or taken[sources[int(id_)]] < each:
            taken[sources[int(id_)]] += 1
            expected.append(id_)
    assert drawn(limit, each) == sorted(expected[:limit], key=int)


@pytest.mark.parametrize("each", [None, 3])
def test_memory_does_not_grow_with_what_is_found(each):
    def peak(count):
        tracemalloc.start()
        sample = Sample(100, each, seed=0)
        for k in range(count):
            text = f"{'cell ' * 100}{k}"
            sample.add(("cell", "old", str(k), text, 0, 4, None, f"doc{k}"), {"author": str(k)})
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(6_000) < 1.2 * peak(1_000)


@pytest.mark.parametrize("option", ["max_usages", "max_per_document"])
def test_a_sample_of_nothing_is_an_error(tmp_path, option):
    with pytest.raises(ValueError, match=f"{option} is 0: it must be at least 1, or None for all"):
        find(corpus(tmp_path / "a.csv", 1), ["cell"], **{option: 0})


def test_a_seed_is_a_whole_number_of_some_size(tmp_path):
    for seed in (2**64, -(2**200), 10**5000, 0.5):
        with pytest.raises(ValueError, match="seed is"):
            find(corpus(tmp_path / "a.csv", 1), ["cell"], seed=seed)
