from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from reading import read_senses

from senseshift import compare
from senseshift.calibration import Calibration
from senseshift.errors import InputError
from senseshift.study.sweep import RHOS

CURVE = Calibration(0.44, 0.11)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"weights": "norm"},
        {"calibration": CURVE},
        {"calibration": CURVE, "cost": "cosine"},
    ],
)
def test_at_the_penalty_of_the_study_it_is_the_study(usages, how):
    how = {"rho": 0.7, "measures": ["f_SUS", "g_SUS"], "permutations": 0, "senses": "none", **how}
    study = compare(usages, read_senses, **how)
    found = study.path("cell", [2.0, 0.7])
    assert found.words["rho"].to_list() == [2.0, 0.7]
    row = study.words.filter(word="cell")
    assert found.words["f_SUS"][1] == pytest.approx(row["f_SUS"][0], abs=1e-12)
    assert found.words["g_SUS"][1] == pytest.approx(row["g_SUS"][0], abs=1e-9)
    own = found.usages.filter(rho=0.7).join(study.instances.filter(word="cell"), on="usage")
    assert own.height == 40
    assert own["sus"].to_numpy() == pytest.approx(own["sus_right"].to_numpy(), abs=1e-12)
    assert own["id"].equals(own["id_right"])


def test_every_penalty_of_a_path_is_what_it_is_alone(usages):
    study = compare(usages, read_senses, measures=["f_SUS"], permutations=0)
    found = study.path("bank")
    assert found.rhos == RHOS
    assert found.sus_error < 1e-12
    assert found.usages.columns == ["rho", "usage", "id", "period", "sus"]
    assert found.usages.height == 40 * len(RHOS)
    for rho in (RHOS[0], 1.0, RHOS[-1]):
        alone = compare(usages, read_senses, words=["bank"], rho=rho, permutations=0)
        one = found.words.filter(rho=rho)
        assert one["f_SUS"][0] == pytest.approx(alone.words["f_SUS"][0], abs=1e-9)
        sides = found.usages.filter(rho=rho).group_by("period").agg(pl.col("sus").mean())
        means = dict(sides.iter_rows())
        assert one["old_sus"][0] == pytest.approx(means["old"])
        assert one["new_sus"][0] == pytest.approx(means["new"])


def test_a_larger_penalty_leaves_less_unmatched(usages):
    study = compare(usages, read_senses, measures=["f_SUS"], permutations=0)
    squares = (study.path("cell").sus ** 2).mean(axis=1)  # what the penalty is on
    assert (np.diff(squares) < 1e-12).all()
    assert squares[-1] < squares[0] / 10


def test_it_prints_a_row_for_each_penalty(usages):
    study = compare(usages, read_senses, measures=["f_SUS"], permutations=0)
    lines = str(study.path("cell", [0.5, 1])).splitlines()
    assert lines[0] == "cell, old → new, 20+20 usages, over ρ"
    assert lines[1].split() == ["rho", "f_SUS", "g_SUS", "old_sus", "new_sus"]
    assert [line.split()[0] for line in lines[2:]] == ["0.5", "1"]


def test_a_study_without_a_calibration_of_its_own_has_the_cosine(usages):
    study = compare(usages, read_senses, measures=["f_SUS"], permutations=0)
    older = replace(study, about={k: v for k, v in study.about.items() if k != "calibration"})
    assert (older.path("cell", [1]).sus == study.path("cell", [1]).sus).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sell",), "no word 'sell'"),
        (("cell", []), "grid of penalties is empty"),
        (("cell", [1, 0]), "rho is 0.0: a penalty must be positive"),
    ],
)
def test_wrong_arguments_are_told(usages, arguments, message):
    study = compare(usages, read_senses, measures=["f_SUS"], permutations=0)
    with pytest.raises(InputError, match=message):
        study.path(*arguments)
