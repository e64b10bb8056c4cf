"""The foot of the pages says by which cut senses were induced."""

from dataclasses import replace

import pytest
from reading import read_senses, usages_of

from senseshift import compare, report
from senseshift.calibration import Calibration

CURVE = Calibration(0.44, 0.11, 0.38, 0.68)


@pytest.fixture(scope="module")
def usages():
    return usages_of({"bank": (0.5, 0.5), "cell": (0.0, 0.6)})


def made(usages, **how):
    return compare(usages, read_senses, measures=["f_SUS"], permutations=0, **how)


def foot(study, folder):
    text = report.write(study, folder / "pages").read_text("utf-8")
    return text[text.index("About this study") :]


def test_it_is_the_cut_of_these_texts(usages, tmp_path):
    study = made(usages, calibration=CURVE)
    cut = study.about["cut"]
    assert cut != CURVE.cut
    assert f"induced, kept apart at the cosine distance {cut:g}" in foot(study, tmp_path)


def test_of_a_study_of_before_it_is_that_of_the_encoder(usages, tmp_path):
    study = made(usages, calibration=Calibration(0.44, 0.11, 0.38))
    older = replace(study, about={k: v for k, v in study.about.items() if k != "cut"})
    assert "induced, kept apart at the cosine distance 0.38" in foot(older, tmp_path)


@pytest.mark.parametrize(
    "how",
    [{"calibration": CURVE, "senses": "given"}, {"calibration": CURVE, "senses": "none"}, {}],
)
def test_where_no_senses_were_induced_there_is_none(usages, tmp_path, how):
    assert "kept apart" not in foot(made(usages, **how), tmp_path)
