from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from senseshift import transport
from senseshift.errors import InputError
from senseshift.measures import (
    WORD,
    Comparison,
    every_measure,
    measure,
    measure_usages,
    share_threshold,
)


@pytest.fixture
def pair():
    rng = np.random.default_rng(0)
    return rng.normal(size=(20, 6)) + 1, rng.normal(size=(30, 6)) + 0.5


def cosine(u, v):
    return 1 - (u @ v.T) / np.outer(np.linalg.norm(u, axis=1), np.linalg.norm(v, axis=1))


def test_costs_are_cosine_distances(pair):
    assert Comparison(*pair).cost == pytest.approx(cosine(*pair), abs=1e-14)


def test_every_measure_has_a_finite_value(pair):
    word = Comparison(*pair, senses=(np.arange(20) % 2, np.arange(30) % 3))
    values = measure(word)
    assert list(values) == [m.name for m in WORD]
    assert np.isfinite(list(values.values())).all()
    for old, new in measure_usages(word).values():
        assert (old.shape, new.shape) == ((20,), (30,))
        assert np.isfinite(old).all()
        assert np.isfinite(new).all()


def test_weights_by_norm_are_lengths(pair):
    word = Comparison(*pair, weights="norm")
    for weights, vectors in zip(word.mass, pair, strict=True):
        lengths = np.linalg.norm(vectors, axis=1)
        assert weights == pytest.approx(lengths / lengths.sum())
    alone = transport.solve(cosine(*pair), *word.mass)
    assert word.sus[0] == pytest.approx(alone.sus_old, abs=1e-12)
    assert word.mass[0] @ word.sus[0] + word.mass[1] @ word.sus[1] == pytest.approx(0, abs=1e-12)


def test_equal_frequencies_change_nothing(pair):
    plain = Comparison(*pair)
    for frequency in (0.1, 1 / 3, 1e300):
        word = Comparison(*pair, weights="frequency", per_million=(frequency, frequency))
        for one, other in zip(plain.sus, word.sus, strict=True):
            assert (one == other).all()


def test_only_the_ratio_of_frequencies_counts(pair):
    words = [
        Comparison(*pair, weights="frequency", per_million=(20.0 * unit, 40.0 * unit))
        for unit in (1.0, 1e-3)
    ]
    for one, other in zip(*(word.sus for word in words), strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    assert words[0].mass[1].sum() == pytest.approx(4 / 3)
    alone = transport.solve(cosine(*pair), np.full(20, 1 / 30), np.full(30, 4 / 90))
    assert words[0].sus[1] == pytest.approx(alone.sus_new, abs=1e-12)
    assert words[0].balanced.cost == pytest.approx(Comparison(*pair).balanced.cost, abs=1e-12)


def test_a_word_twice_as_frequent_with_the_same_senses_rose_in_every_usage(pair):
    word = Comparison(pair[0], pair[0], weights="frequency", per_million=(1.0, 2.0))
    assert word.sus[1] == pytest.approx(1 / 3, abs=1e-9)
    assert word.sus[0] == pytest.approx(1 / 3, abs=1e-9)


@pytest.mark.parametrize("frequencies", [None, (0.0, 1.0), (1.0, np.nan), (np.inf, 1.0)])
def test_frequencies_that_are_none_are_told(pair, frequencies):
    with pytest.raises(InputError, match="frequenc"):
        _ = Comparison(*pair, weights="frequency", per_million=frequencies).mass


def test_lengths_of_vectors_do_not_matter_for_sus(pair):
    rng = np.random.default_rng(1)
    scaled = [x * 10.0 ** rng.uniform(-3, 3, (len(x), 1)) for x in pair]
    for one, other in zip(Comparison(*pair).sus, Comparison(*scaled).sus, strict=True):
        assert other == pytest.approx(one, abs=1e-12)


def test_vectors_too_long_or_short_for_their_squares_are_no_trouble(pair):
    for scale in (1e-300, 1e300):
        assert Comparison(pair[0] * scale, pair[1]).cost == pytest.approx(cosine(*pair), abs=1e-13)


def test_a_cost_matrix_suffices_where_it_suffices(pair):
    by_cost, by_vectors = Comparison.from_cost(cosine(*pair), rho=0.5), Comparison(*pair, rho=0.5)
    for m in WORD:
        if m.needs == "senses":  # which neither has
            assert np.isnan([m.compute(by_cost), m.compute(by_vectors)]).all()
        elif m.needs == "cost":
            assert m.compute(by_cost) == pytest.approx(m.compute(by_vectors), abs=1e-10)
        else:
            with pytest.raises(InputError, match="need vectors"):
                m.compute(by_cost)


@pytest.mark.parametrize("method", ["exact", "mm"])
@pytest.mark.filterwarnings("ignore::senseshift.errors.UncertifiedWarning")
def test_a_path_of_penalties_is_each_of_them(pair, method):
    lams = (5.0, 50.0, 20.0)
    for lam, word in zip(lams, Comparison(*pair, method=method).path(lams), strict=True):
        alone = Comparison(*pair, lam=lam, method=method)
        names = ["f_SUS", "f_3", "f_OT", "f_LDR", "f_WiDiD"]
        assert measure(word, names) == pytest.approx(measure(alone, names), abs=1e-10)


@pytest.mark.parametrize("compat", [False, True])
def test_another_damping_changes_the_clusters_only(dwug_vectors, compat):
    word = Comparison(*dwug_vectors["record_nn"], compat=compat)
    measure(word)
    other, alone = word.at(damping=0.5), Comparison(word.old, word.new, damping=0.5, compat=compat)
    assert measure(other) == pytest.approx(measure(alone), nan_ok=True)
    assert other.transport is word.transport
    assert list(other.clusters[0]) != list(word.clusters[0])


def test_one_threshold_for_all_words(pair):
    old, new = pair
    words = [Comparison(old, new), Comparison(old, old[:15])]
    largest = max(np.abs(side).max() for word in words for side in word.sus)
    assert words[1].threshold < 0.4 * largest  # its own, by default
    shared = share_threshold(words, 0.4)
    assert [word.threshold for word in shared] == pytest.approx([0.4 * largest] * 2)
    assert words[1].threshold < 0.4 * largest  # what was there is as it was


def test_what_was_asked_for_cannot_be_changed_under_what_was_found(pair):
    word = Comparison(*pair)
    assert measure(word, ["f_2"])["f_2"] > 0
    with pytest.raises(FrozenInstanceError):
        word.theta = 9.0
    assert measure(word.beyond(9.0), ["f_2"])["f_2"] == 0
    assert word.beyond(9.0).transport is word.transport


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ([[1.0, 0], [0, 0]], [[1.0, 0]], "old vector in row 1 is zero"),
        ([[1.0, 0]], [[1.0, 0], [1, 1], [0, 0]], "new vector in row 2 is zero"),
        ([[1.0, 0]], [[1.0, np.nan]], "new vector in row 0 holds a number that is not finite"),
        (np.zeros((0, 2)), [[1.0, 0]], "no old usages"),
        ([[1.0, 0, 0]], [[1.0, 0]], "3 dimensions and the new ones 2"),
        ([1.0, 0], [[1.0, 0]], "must be a matrix"),
        ([["a"]], [[1.0]], "matrix of numbers"),
    ],
)
def test_wrong_vectors_are_told_by_row(old, new, message):
    with pytest.raises(InputError, match=message):
        _ = Comparison(old, new).transport


def test_unknown_names_are_told(pair):
    with pytest.raises(InputError, match="There is no measure 'f_NEW' here; there are f_SUS"):
        measure(Comparison(*pair), ["f_NEW"])


def test_the_registry_holds_every_measure_of_the_paper():
    of_paper = {
        "sus", "ldr", "widid", "representativeness",
        "f_SUS", "f_1", "f_2", "f_3", "f_OT", "f_APD", "f_LDR", "f_WiDiD", "f_APDP", "f_PRT",
        "g_SUS", "g_1", "g_vMF", "g_LDR", "g_WiDiD",
    }  # fmt: skip
    assert of_paper <= set(every_measure())
    assert {m.level for m in every_measure().values()} == {"instance", "magnitude", "scope"}
    assert {m.needs for m in every_measure().values()} == {"cost", "vectors", "senses"}


def test_senses_that_are_known_have_measures_of_their_own(pair):
    word = Comparison(*pair, senses=(np.repeat([0, 1], 10), np.repeat([0, 1, -1], [5, 15, 10])))
    values = measure(word, ["f_senses", "g_senses"])
    assert values["f_senses"] == pytest.approx(jensenshannon([0.5, 0.5], [0.25, 0.75], base=2))
    assert values["g_senses"] == pytest.approx(entropy([0.25, 0.75]) - entropy([0.5, 0.5]))


def test_what_follows_from_clusters_that_were_not_found_is_unknown(pair):
    alike = np.repeat(pair[0][:1], 30, axis=0)
    assert Comparison(alike, alike).clusters_found  # they are alike, and one cluster is right
    rng = np.random.default_rng(3)
    blurred = Comparison(*(np.eye(6)[:1] + rng.normal(size=(n, 6)) for n in (20, 20)))
    one = np.unique(np.concatenate(blurred.clusters)).size == 1
    assert blurred.clusters_found is not one


def test_values_are_those_of_the_parts(pair):
    word = Comparison(*pair, rho=0.3)
    solved = transport.solve(cosine(*pair), rho=0.3)
    values = measure(word)
    assert values["f_SUS"] == pytest.approx(abs(solved.sus_old.mean() - solved.sus_new.mean()))
    assert values["f_3"] == pytest.approx(solved.cost)
    assert values["f_OT"] == pytest.approx(transport.solve(cosine(*pair), method="balanced").cost)
    assert values["g_SUS"] == pytest.approx(np.log(solved.sus_new.var() / solved.sus_old.var()))


def test_the_published_solver_can_be_asked_for(pair):
    with pytest.warns(UserWarning, match="not certified"):
        mm = Comparison(*pair, lam=100, method="mm").sus[0]
    assert 0 < np.abs(mm - Comparison(*pair, lam=100).sus[0]).max() < 0.1
