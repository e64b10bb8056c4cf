"""An encoder calibrated by usages whose senses are known, and how far apart their words lie."""

import json

import numpy as np
import pytest
from reading import read_senses, usages_of

from senseshift import Study, compare, encode
from senseshift.calibration import Calibration, read_calibration
from senseshift.comparing.calibrating import calibrate


@pytest.fixture(scope="module")
def labelled():
    return usages_of({"bank": (0.5, 0.5), "cell": (0.0, 0.6)})


def test_it_says_how_far_apart_the_labelled_words_lie(labelled):
    found = calibrate(labelled, read_senses, cache=False)
    units = encode(labelled, read_senses).astype(np.float64)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    bank = (labelled.table["word"] == "bank").to_numpy()
    expected = np.mean(1.0 - units[bank] @ units[~bank].T)
    assert found.calibration.apart == pytest.approx(expected, abs=1e-9)
    assert str(found).endswith(f"where words are {expected:.2f} apart")


def test_for_the_texts_that_it_was_made_by_the_cut_is_its_own(labelled):
    curve = calibrate(labelled, read_senses, cache=False).calibration
    study = compare(labelled, read_senses, calibration=curve, measures=["f_SUS"], permutations=0)
    assert study.about["cut"] == curve.cut


def test_words_without_two_senses_have_no_say(labelled):
    more = usages_of({"bank": (0.5, 0.5), "cell": (0.0, 0.6), "stone": (0.0, 0.0)})
    one, other = (calibrate(some, read_senses, cache=False) for some in (labelled, more))
    assert one.calibration.apart == pytest.approx(other.calibration.apart)


def test_one_labelled_word_tells_nothing_of_others(labelled):
    found = calibrate(labelled.select(word="cell"), read_senses, cache=False)
    assert found.calibration.apart is None
    assert "apart" not in found.calibration.to_dict()
    assert str(found).endswith(f"senses are kept apart at {found.calibration.cut:.2f}")


def test_words_that_are_all_one_tell_nothing_either(labelled):
    found = calibrate(labelled, lambda texts, spans: np.eye(4)[[0] * len(texts)], cache=False)
    assert found.calibration.apart is None


@pytest.mark.parametrize("words", [["bank", "cell"], ["cell"]])
def test_the_command_writes_it_and_compare_takes_it(labelled, called, tmp_path, words):
    usages = labelled.select(word=words)
    usages.write(tmp_path / "usages.parquet")
    np.save(tmp_path / "v.npy", encode(usages, read_senses))
    given = ("usages.parquet", "--encoder", "v.npy")
    done = called("calibrate", *given, "--output", "curve.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ("where words are" in done.stdout) == (len(words) > 1)
    curve = read_calibration(tmp_path / "curve.json")
    assert (curve.apart is not None) == (len(words) > 1)
    assert curve == Calibration.from_dict(json.loads((tmp_path / "curve.json").read_text("utf-8")))
    done = called(
        "compare", *given, "--calibration", "curve.json", "--measures", "f_SUS",
        "--permutations", 0, "--no-report", "--output", "study", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    study = Study.load(tmp_path / "study")
    assert study.about["calibration"] == curve.to_dict()
    assert study.calibration == curve
