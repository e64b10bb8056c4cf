import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import vonmises_fisher

from senseshift.measures import vmf


def directions(seed, n, d, spread=0.3):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=d) / np.sqrt(d) + spread * rng.normal(size=(n, d)) / np.sqrt(d)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


@pytest.mark.parametrize("d", [3, 10, 50])
def test_densities_are_those_of_scipy(d):
    x = directions(d, 40, d)
    fitted = vmf.fit(x)
    theirs = vonmises_fisher(fitted.mean, fitted.concentration).logpdf(x)
    assert fitted.log_density(x) == pytest.approx(theirs, rel=1e-10)


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 2048) | st.floats(0, 25), st.floats(-3, 3.5) | st.floats(-323, 0))
@example(0, 7.0)
@example(511, 11.0)
@example(511, 12.0)
@example(25, -12.0)
@example(19.5, -14.05)
@example(2004.5, -318.4)
def test_the_bessel_function_is_right_where_doubles_end(order, exponent):
    x = 10**exponent
    with mpmath.workdps(40):
        exact = float(mpmath.log(mpmath.besseli(order, x, maxterms=10**6)))
    assert vmf.log_bessel(order, x) == pytest.approx(exact, rel=1e-9, abs=1e-9)


def test_the_bessel_function_of_nothing():
    assert vmf.log_bessel(0, 0.0) == 0
    assert vmf.log_bessel(7, 0.0) == vmf.log_bessel(700, 0.0) == -np.inf


def test_concentration_is_banerjees():
    x = directions(1, 30, 7)
    length = np.linalg.norm(x.sum(0)) / 30
    assert vmf.fit(x).concentration == pytest.approx(length * (7 - length**2) / (1 - length**2))
    assert vmf.fit(x).mean == pytest.approx(x.mean(0) / length)


@pytest.mark.parametrize("d", [384, 1024])
@pytest.mark.parametrize("spread", [0.01, 0.3, 3.0, 30.0])
def test_ratios_stay_finite_in_many_dimensions(d, spread):
    old, new = directions(1, 50, d, spread), directions(2, 60, d, spread)
    for scores in (*vmf.ldr(old, new), *vmf.representativeness(old, new)):
        assert np.isfinite(scores).all()


def test_ldr_is_the_difference_of_log_densities():
    old, new = directions(1, 50, 6), directions(2, 60, 6)
    p_old, p_new = (vmf.fit(x) for x in (old, new))
    ratio_old, ratio_new = vmf.ldr(old, new)
    for ratio, x in ((ratio_old, old), (ratio_new, new)):
        naive = [
            vonmises_fisher(p_new.mean, p_new.concentration).logpdf(row)
            - vonmises_fisher(p_old.mean, p_old.concentration).logpdf(row)
            for row in x
        ]
        assert ratio == pytest.approx(naive, rel=1e-9)
    assert ratio_old.mean() < 0 < ratio_new.mean()


def test_representativeness_is_ldr_up_to_a_constant():
    old, new = directions(1, 50, 6), directions(2, 60, 6)
    both = zip(
        np.concatenate(vmf.ldr(old, new)),
        np.concatenate(vmf.representativeness(old, new)),
        strict=True,
    )
    differences = [x - y for x, y in both]
    assert np.ptp(differences) < 1e-9


def test_coverage_is_positive_where_the_new_usages_spread():
    narrow, wide = directions(1, 200, 20, 0.1), directions(1, 200, 20, 0.6)
    kappa = [vmf.fit(x).concentration for x in (narrow, wide)]
    assert vmf.g_vmf(narrow, wide) == pytest.approx(np.log(kappa[0] / kappa[1]))
    assert vmf.g_vmf(narrow, wide) > 0 > vmf.g_vmf(wide, narrow)


def test_usages_all_alike_have_no_ratio_and_no_coverage():
    x = np.tile(directions(0, 1, 1024), (5, 1))
    for scores in vmf.ldr(x, x[:3]):
        assert scores == pytest.approx(0, abs=1e-3)
    assert vmf.g_vmf(x, x[:3]) == pytest.approx(0, abs=1e-6)


def test_usages_in_all_directions_have_the_density_of_the_sphere():
    x = np.array([[1.0, 0, 0], [-1, 0, 0]])
    assert vmf.fit(x).concentration == 0
    assert vmf.fit(x).log_density(x) == pytest.approx(-np.log(4 * np.pi))
    assert np.isfinite(vmf.g_vmf(x, x))
