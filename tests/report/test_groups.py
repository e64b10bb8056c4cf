import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.findings.telling import Background, Contexts
from senseshift.report.groups import groups


def described(sus, vectors, is_new, chance, words=None):
    words = words or ["x"] * len(sus)
    texts = [f"cell {word} {k}" for k, word in enumerate(words)]
    rows = [(text, 0, 4) for text in texts]
    contexts = Contexts.of(rows, is_new, (Background.of(rows), Background.of(rows)))
    return groups(np.asarray(sus), vectors, texts, contexts, chance)


@pytest.fixture
def word():
    """Ten old usages of a sense that fell, ten new ones of two that rose, and ten that stayed."""
    rng = np.random.default_rng(0)
    sense = np.repeat([0, 1, 2, 3], [10, 6, 6, 10])
    vectors = np.eye(24)[sense] + 0.05 * rng.normal(size=(sense.size, 24))
    is_new = np.array([False] * 10 + [True] * 12 + [False, True] * 5)
    sus = np.choose(sense, [-0.6, 0.7, 0.5, 0.0])
    names = ["horse", "phone", "prison", "stone"]
    return sus, vectors, is_new, 0.2, [names[k] for k in sense]


def test_groups_are_told_apart_with_shares_and_words(word):
    found = described(*word)
    assert [group.kind for group in found] == ["rose", "rose", "fell"]
    assert {tuple(group.words) for group in found} == {("phone",), ("prison",), ("horse",)}
    rose, _, fell = found
    assert rose.new_share == pytest.approx(6 / 17)
    assert rose.old_share == 0.0
    assert fell.old_share == pytest.approx(10 / 15)
    assert fell.sus == pytest.approx(-0.6)
    assert all(group.beyond for group in found)
    assert all(group.typical.size == 3 for group in found)


def test_usages_that_are_alike_belong_to_the_group(word):
    sus, vectors, is_new, chance, words = word
    sus = sus.copy()
    sus[10] = 0.1  # within chance, but of the same sense
    members = [set(group.members) for group in described(sus, vectors, is_new, chance, words)]
    assert any({10, 11} <= group for group in members)


def test_one_sense_is_not_split():
    rng = np.random.default_rng(1)
    vectors = np.eye(64)[0] + 0.05 * rng.normal(size=(40, 64))
    sus = np.where(np.arange(40) < 20, -0.3, 0.3)
    found = described(sus, vectors, np.arange(40) >= 20, 0.1)
    assert [group.kind for group in found] == ["rose", "fell"]


def test_where_nothing_shifted_beyond_chance_the_most_is_shown_and_said_so():
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(30, 8))
    found = described(0.01 * rng.normal(size=30), vectors, np.arange(30) % 2 == 1, 0.5)
    assert [(group.kind, group.beyond) for group in found] == [("rose", False), ("fell", False)]
    assert all(group.members.size == 3 for group in found)


def test_typical_usages_have_texts_of_their_own():
    vectors = np.ones((8, 4))
    rows = [("cell again", 0, 4)] * 8
    contexts = Contexts.of(rows, np.arange(8) > 3, (Background.of(rows), Background.of(rows)))
    found = groups(np.full(8, 0.5), vectors, ["cell again"] * 8, contexts, 0.1)
    assert [group.typical.size for group in found] == [1, 1]


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 25), st.integers(0, 2**32 - 1), st.floats(0, 0.8))
def test_groups_do_not_overlap_and_their_shares_are_right(count, seed, chance):
    rng = np.random.default_rng(seed)
    sus, vectors = rng.uniform(-1, 1, size=count), rng.normal(size=(count, 6))
    is_new = np.arange(count) % 2 == 1
    found = described(sus, vectors, is_new, chance)
    members = [k for group in found if group.beyond for k in group.members]
    assert len(members) == len(set(members))
    for group in found:
        assert group.new_share == pytest.approx(is_new[group.members].sum() / is_new.sum())
        assert set(group.typical) <= set(group.members)
