"""Words of one sense: groups in which the manner of a text tells nothing of a word."""

import numpy as np
import pytest

WORDS, TEXTS, USAGES = 30, 3, 6


@pytest.fixture(scope="module")
def script(scripts):
    return scripts("one_sense")


@pytest.fixture
def usages():
    """Every word six times in each of two or three texts: their lemmas and texts."""
    lemma = np.repeat(np.arange(WORDS), TEXTS * USAGES)
    text = np.tile(np.repeat(np.arange(TEXTS), USAGES), WORDS)
    kept = (text < 2) | (lemma < 25)
    return lemma[kept], text[kept]


@pytest.mark.parametrize("words", [1, 2])
def test_all_words_of_a_group_come_from_the_same_two_texts_equally_often(script, usages, words):
    lemma, text = usages
    drawn = script.OneSense(np.arange(lemma.size), lemma, text)
    rng = np.random.default_rng(0)
    pairs = set()
    for _ in range(60):
        group = drawn.group(words, 8, rng)
        assert len(set(group)) == 8
        assert len(set(lemma[group])) == words
        pairs.add(tuple(sorted(set(text[group]))))
        counts = {(a, b): 0 for a in set(lemma[group]) for b in set(text[group])}
        for usage in group:
            counts[lemma[usage], text[usage]] += 1
        assert set(counts.values()) == {4 // words}
    assert pairs == {(0, 1), (0, 2), (1, 2)}


def test_texts_that_share_few_words_are_not_paired(script, usages):
    lemma, text = usages
    few = (text < 2) | (lemma < script.FEWEST - 1)
    drawn = script.OneSense(np.flatnonzero(few), lemma, text)
    rng = np.random.default_rng(0)
    assert all((text[drawn.group(2, 8, rng)] < 2).all() for _ in range(40))


def test_with_too_few_words_it_says_so(script, usages):
    lemma, text = usages
    with pytest.raises(SystemExit, match="No two texts that share 20 words of one sense"):
        script.OneSense(np.flatnonzero(lemma < 10), lemma, text)


def test_another_word_takes_the_place_of_a_target(scripts):
    pytest.importorskip("torch")
    batches = scripts("batches")
    tokens, first, last = batches.disguised((np.array([5, 6, 7, 8, 9]), 1, 3), 42)
    assert tokens.tolist() == [5, 42, 8, 9]
    assert (first, last) == (1, 2)
