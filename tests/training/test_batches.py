"""How training shows a usage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch")

SENTENCES = [[1, 2, 3], [4, 5, 6, 7, 8], list(range(100, 300)), [9], list(range(20, 90))]
USAGES = [(0, 1, 2), (1, 0, 2), (2, 50, 52), (3, 0, 1), (4, 69, 70)]  # sentence, first, last


@pytest.fixture(scope="module")
def corpus(scripts, tmp_path_factory):
    path = tmp_path_factory.mktemp("batches") / "training.npz"
    count = len(USAGES)
    np.savez(
        path,
        tokens=np.concatenate(SENTENCES),
        bounds=np.cumsum([0, *map(len, SENTENCES)]),
        places=np.array(USAGES),
        kind=np.full(count, scripts("kinds").WRITTEN),
        fold=np.array([0, 1, 0, 1, -1]),  # the last is held out
        source=np.array([0, 0, 1, 1, 1]),
    )
    return scripts("batches").Corpus(path)


@given(usage=st.integers(0, len(USAGES) - 1), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_a_usage_among_other_sentences_keeps_its_own_and_its_target(scripts, corpus, usage, seed):
    batches = scripts("batches")
    alone, first, last = corpus.window(usage, None, batches.Views())
    rng = np.random.default_rng(seed)
    tokens, begin, end = corpus.window(usage, rng, batches.Views(among=1.0))
    assert tokens[begin:end].tolist() == alone[first:last].tolist()
    assert len(tokens) <= batches.LONGEST
    if len(alone) < batches.LONGEST:
        assert tokens[begin - first :][: len(alone)].tolist() == alone.tolist()
        assert len(tokens) > len(alone)


def test_sentences_that_are_held_out_stand_around_nothing(scripts, corpus):
    views, rng = scripts("batches").Views(among=1.0), np.random.default_rng(0)
    around = np.concatenate([corpus.window(0, rng, views)[0] for _ in range(200)])
    assert set(around) & set(SENTENCES[3])
    assert not set(around) & set(SENTENCES[4])


def test_without_texts_nothing_can_stand_among_them(scripts):
    given = scripts("loop").arguments("").parse_args(["base", "work", "--among", "0.5"])
    plain = scripts("batches").Corpus.__new__(scripts("batches").Corpus)
    plain.source = None
    with pytest.raises(SystemExit, match="--among needs"):
        scripts("loop").batches(given, plain, np.ones(1, dtype=bool))


@given(st.sets(st.integers(0, 30), min_size=1), st.sets(st.integers(0, 30), min_size=1))
def test_usages_are_found_again_where_another_tokenizer_left_some_out(scripts, own, others):
    corpora = []
    for numbers in (own, others):
        corpus = scripts("batches").Corpus.__new__(scripts("batches").Corpus)
        corpus.number = np.array(sorted(numbers))
        corpus.texts = [(None, None, corpus.number)]
        corpora.append(corpus)
    rows = corpora[0].rows_in(corpora[1])
    found = [int(corpora[1].number[row]) if row >= 0 else None for row in rows]
    assert found == [number if number in others else None for number in sorted(own)]
