"""Usages that show a sense."""

import numpy as np
from made import usages

from senseshift.senses import typical
from senseshift.vectors import cosine_cost, unit


def test_the_medoid_has_the_least_mean_distance_to_its_sense():
    vectors, senses = usages(9, 14)
    units = unit(vectors, "made")
    found = typical(vectors, senses, 1)
    assert list(found) == [0, 1]
    for sense, (medoid,) in found.items():
        rows = np.flatnonzero(senses == sense)
        assert medoid == rows[cosine_cost(units[rows], units[rows]).mean(axis=1).argmin()]


def test_typical_usages_begin_with_the_medoid_and_leave_strays_out():
    vectors, senses = usages(9, 14)
    senses[3] = -1
    found = typical(vectors, senses, 4)
    medoids = [rows[0] for rows in typical(vectors, senses, 1).values()]
    assert [rows[0] for rows in found.values()] == medoids
    assert [rows.size for rows in found.values()] == [4, 4]
    assert 3 not in typical(vectors, senses, 20)[0]


def test_every_period_shows_its_own():
    vectors, senses = usages(9, 14)
    periods = np.arange(23) % 3
    for rows in typical(vectors, senses, 2, periods=periods).values():
        assert periods[rows].tolist() == [0, 0, 1, 1, 2, 2]
