import numpy as np
import pytest

from senseshift.projection import MOST_FOR_TSNE, positions


def two_senses(n: int, dimension: int = 16) -> np.ndarray:
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(2, dimension))
    return centres[np.arange(n) % 2] + 0.2 * rng.normal(size=(n, dimension))


@pytest.mark.parametrize("method", ["tsne", "pca"])
def test_a_usage_lies_nearest_to_one_of_its_own_sense(method):
    map_ = positions(two_senses(60), method=method)
    distance = np.linalg.norm(map_[:, None] - map_[None], axis=2)
    np.fill_diagonal(distance, np.inf)
    assert (distance.argmin(axis=1) % 2 == np.arange(60) % 2).all()


def test_the_same_vectors_have_the_same_map():
    vectors = two_senses(40)
    assert np.array_equal(positions(vectors), positions(vectors))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_few_usages_have_a_map(n):
    assert np.isfinite(positions(two_senses(n))).all()


def test_one_sentence_repeated_is_one_point():
    map_ = positions(np.ones((9, 5)))
    assert np.allclose(map_, map_[0])


def test_very_many_usages_are_placed_at_once():
    vectors = two_senses(MOST_FOR_TSNE + 1)
    assert np.array_equal(positions(vectors), positions(vectors, method="pca"))
