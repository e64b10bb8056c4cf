"""The cut of a discovery: by all words that it looked at, whoever did the work."""

import hashlib
import json

import numpy as np
import polars as pl
import pytest
from made_up import encoder

import senseshift
from senseshift import Study
from senseshift.calibration import Calibration
from senseshift.comparing import Interrupted
from senseshift.discovering import reading, running
from senseshift.discovering.encoding import unpacked
from senseshift.senses import induce

CURVE = Calibration(0.5, 0.1, 0.5, 1.0)
QUICK = {
    "encoder": encoder, "permutations": 20, "top": 3, "commonest": 2, "usages": 30,
    "match": "^[bdklm].*nto$", "min_count": 20, "calibration": CURVE,
}  # fmt: skip


def digests(folder):
    files = [*folder.glob("*.parquet"), *folder.glob("*.npy")]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def done(folder):
    return {file.name: file.stat().st_mtime_ns for file in (folder / "units").glob("*.json")}


@pytest.fixture(scope="module", autouse=True)
def few():
    """A first look is at fewer usages than a second one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "FEW", 10)
        yield


@pytest.fixture(scope="module")
def found(corpora, tmp_path_factory):
    output = tmp_path_factory.mktemp("found") / "study"
    senseshift.discover(corpora, output, **QUICK)
    return output


def first_look(output):
    """The vectors of a first look by their word."""
    parts = [pl.read_parquet(path) for path in (output / "units").glob("first-*.vectors.parquet")]
    assert len(parts) > 1
    table = pl.concat(parts)
    vectors = unpacked(table["vector"]).astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {word: vectors[(table["word"] == word).to_numpy()] for word in table["word"].unique()}


def test_it_goes_with_how_far_apart_all_words_lie_and_is_recorded(found):
    study = Study.load(found)
    looked = first_look(found)
    assert set(looked) > set(study.ranked["word"])  # not only by words that changed
    means = np.array([vectors.mean(axis=0) for vectors in looked.values()])
    pairs = (means @ means.T)[np.triu_indices(len(means), 1)]
    apart = 1.0 - pairs.mean()
    expected = 0.5 * (1.0 + (1.0 - 1.0 / len(looked)) * (apart - 1.0))
    assert study.about["cut"] == pytest.approx(expected, abs=0.0006)
    assert study.about["cut"] not in (0.45, 0.5, 0.575)
    assert study.about["calibration"] == CURVE.to_dict()
    assert study.calibration.cut == study.about["cut"]


def test_senses_are_induced_by_it(found):
    study = Study.load(found)
    for word in study.ranked["word"]:
        usages = study.usages.filter(word=word)
        labels = induce(study.vectors[usages["usage"].to_numpy()], study.about["cut"])
        told = [None if label < 0 else str(label + 1) for label in labels]
        assert usages["induced_sense"].to_list() == told


def test_it_is_the_discovery_of_an_encoder_with_that_cut(found, corpora, tmp_path):
    cut = Study.load(found).about["cut"]
    for name, own in (("same", cut), ("other", 0.5)):
        how = QUICK | {"calibration": Calibration(0.5, 0.1, own)}
        assert senseshift.discover(corpora, tmp_path / name, **how).about["cut"] == own
    assert digests(tmp_path / "same") == digests(found)
    assert digests(tmp_path / "other") != digests(found)


@pytest.mark.parametrize("where", ["First look", "Second look", "Full look"])
def test_interrupted_and_gone_on_with_it_is_the_same(found, corpora, tmp_path, where):
    output, cut = tmp_path / "study", Study.load(found).about["cut"]

    def stop(stage, done, total):
        if stage == where and done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        senseshift.discover(corpora, output, progress=stop, threads=1, **QUICK)
    if isinstance(caught.value, Interrupted):
        assert Study.load(output).about["cut"] == cut
    assert senseshift.discover(corpora, output, **QUICK).about["cut"] == cut
    assert digests(output) == digests(found)


def test_how_the_corpora_are_cut_and_how_many_work_changes_nothing(
    found, corpora, tmp_path, monkeypatch
):
    monkeypatch.setattr(reading, "SHARE", 20_000)
    study = senseshift.discover(corpora, tmp_path / "study", threads=3, **QUICK)
    assert study.about["cut"] == Study.load(found).about["cut"]
    assert digests(tmp_path / "study") == digests(found)


def test_where_a_unit_of_the_first_look_is_damaged_it_is_the_same(found, corpora):
    before, cut = digests(found), Study.load(found).about["cut"]
    next((found / "units").glob("first-*.manner.parquet")).unlink()
    assert senseshift.discover(corpora, found, **QUICK).about["cut"] == cut
    assert digests(found) == before


def test_without_a_calibration_there_is_none(corpora, tmp_path):
    study = senseshift.discover(corpora, tmp_path / "study", **QUICK | {"calibration": None})
    assert study.about["cut"] is None
    assert study.calibration is None


def test_where_nothing_is_suited_units_of_before_go_on(corpora, tmp_path):
    how = QUICK | {"calibration": Calibration(0.5, 0.1, 0.5)}
    output = tmp_path / "study"
    assert senseshift.discover(corpora, output, **how).about["cut"] == 0.5
    for mark in (output / "units").glob("first-*.json"):  # as they were without such a table
        files = json.loads(mark.read_text("utf-8"))["files"]
        left = {name: value for name, value in files.items() if ".manner." not in name}
        assert len(left) == len(files) - 1
        mark.write_text(json.dumps({"files": left}))
    for path in (output / "units").glob("first-*.manner.parquet"):
        path.unlink()
    before, units = digests(output), done(output)
    assert senseshift.discover(corpora, output, **how).about["cut"] == 0.5
    assert digests(output) == before
    assert done(output) == units
