"""The cut by which senses are induced, suited to the texts of a study."""

import zlib
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from reading import SENSES

from senseshift import Study, Usages, compare, report
from senseshift.calibration import Calibration
from senseshift.comparing import Interrupted

WORDS = ("bank", "cell", "stone")
CURVE = Calibration(0.44, 0.11, 0.38, 0.68)
USUAL = 1.0  # with which words are as far apart as where the cut is right
QUICK = {"measures": ["f_SUS"], "permutations": 0}


def saying(alike):
    """An encoder of texts said more or less alike, in which two senses of a word are .36 apart."""

    def read(texts, spans):
        rows = []
        for text, (start, end) in zip(texts, spans, strict=True):
            word = WORDS.index(text[start:end])
            second = any(text[end:].strip() == senses[1] for senses in SENSES.values())
            own = np.zeros(10)
            own[[0, 1 + word]] = np.array([alike, 1.0]) * np.sqrt(0.64 / (alike**2 + 1.0))
            own[4 + 2 * word + second] = np.sqrt(0.36)
            noise = np.random.default_rng(zlib.crc32(text.encode())).normal(size=10)
            rows.append(own + 0.01 * noise)
        return np.array(rows)

    return read


def made(usages, alike=USUAL, calibration=CURVE, **how):
    return compare(usages, saying(alike), calibration=calibration, **QUICK | how)


def senses(study):
    found = study.usages.group_by("word").agg(pl.col("induced_sense").n_unique())
    return dict(found.iter_rows())


def apart(study):
    """By every two usages of different words."""
    rows = study.usages
    unit = study.vectors / np.linalg.norm(study.vectors, axis=1, keepdims=True)
    own = [unit[rows.filter(word=word)["usage"].to_numpy()] for word in rows["word"].unique()]
    return np.mean([np.mean(1.0 - one @ other.T) for one, other in combinations(own, 2)])


@pytest.mark.parametrize("alike", [0.85, USUAL, 1.1])
def test_the_cut_goes_with_how_far_apart_words_lie_and_is_recorded(usages, alike):
    study = made(usages, alike)
    expected = 0.38 * (1.0 + 2.0 / 3.0 * min(apart(study) / 0.68 - 1.0, 0.0))
    assert study.about["cut"] == pytest.approx(expected, abs=0.0006)
    assert study.about["calibration"] == CURVE.to_dict()  # that of the encoder
    assert study.calibration == replace(CURVE, cut=study.about["cut"])


def test_where_all_words_lie_nearer_senses_that_are_nearer_are_told_apart(usages):
    near, usual, far = (made(usages, alike) for alike in (3.0, USUAL, 0.0))
    assert apart(near) < apart(usual) < apart(far)
    assert near.about["cut"] < usual.about["cut"] <= far.about["cut"] == CURVE.cut
    assert senses(near) == {"bank": 2, "cell": 2, "stone": 1}
    assert senses(usual) == senses(far) == dict.fromkeys(WORDS, 1)


def test_senses_are_those_of_an_encoder_with_that_cut(usages):
    suited = made(usages, 3.0, permutations=20)
    plain = Calibration(0.44, 0.11, suited.about["cut"])
    same = made(usages, 3.0, plain, permutations=20)
    assert same.about["cut"] == suited.about["cut"]
    for name in ("words", "instances", "senses", "sense_changes", "typical"):
        assert getattr(suited, name).equals(getattr(same, name), null_equal=True), name


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_words_and_usages_does_not_matter(usages, seed):
    table = usages.table.sample(fraction=1, shuffle=True, seed=seed)
    other = made(Usages(table, usages.periods), 1.1)
    assert other.about["cut"] == made(usages, 1.1).about["cut"] != CURVE.cut


@pytest.mark.parametrize("alike", [0.0, 3.0])
def test_a_study_of_one_word_has_the_cut_of_the_encoder(usages, alike):
    study = made(usages, alike, words=["cell"])
    assert study.about["cut"] == CURVE.cut
    assert senses(study) == {"cell": 1}


@pytest.mark.parametrize(
    "known", [None, Calibration(0.44, 0.11), Calibration(0.44, 0.11, apart=0.68)]
)
def test_without_a_cut_there_is_none(usages, known):
    study = made(usages, 3.0, known)
    assert study.about["cut"] is None
    assert study.calibration == known


def test_without_knowing_what_texts_it_is_for_a_cut_stays(usages):
    assert made(usages, 3.0, Calibration(0.44, 0.11, 0.38)).about["cut"] == 0.38


def test_words_that_cannot_be_measured_have_no_say(usages):
    def broken(texts, spans):
        vectors = saying(1.1)(texts, spans)
        vectors[["stone" in text for text in texts]] = 0.0
        return vectors

    study = compare(usages, broken, calibration=CURVE, **QUICK)
    assert "has no direction" in study.skipped["stone"]
    two = made(usages, 1.1, words=["bank", "cell"])
    assert study.about["cut"] == two.about["cut"]


def interrupted(usages, alike):
    def stop(done, total):
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        made(usages, alike, progress=stop)
    return caught.value.study


def test_part_of_a_study_has_the_cut_of_the_whole_and_goes_on_with_it(usages, tmp_path):
    whole, part = made(usages, 3.0), interrupted(usages, 3.0)
    assert part.about["cut"] == whole.about["cut"]
    part.save(tmp_path / "part")
    resumed = made(usages, 3.0, resume=Study.load(tmp_path / "part"))
    assert resumed.about["cut"] == whole.about["cut"]
    for name in ("words", "instances", "senses", "typical"):
        assert getattr(resumed, name).equals(getattr(whole, name), null_equal=True), name


def test_a_study_goes_on_with_the_cut_that_it_began_with_even_where_it_was_another(usages):
    part = interrupted(usages, USUAL)
    resumed = made(usages, resume=replace(part, about=part.about | {"cut": 0.345}))
    assert resumed.about["cut"] == 0.345
    done = part.ranked["word"].to_list()
    assert len(done) == 1
    assert senses(resumed) == {word: 1 if word in (*done, "stone") else 2 for word in WORDS}


def test_it_is_saved_and_loaded_again(usages, tmp_path):
    study = made(usages, 1.1)
    study.save(tmp_path / "study")
    loaded = Study.load(tmp_path / "study")
    assert loaded.about["cut"] == study.about["cut"]
    assert loaded.calibration == study.calibration


def test_a_cut_that_is_a_whole_number_is_opened_again(usages, tmp_path):
    made(usages, calibration=Calibration(0.44, 0.11, 1)).save(tmp_path / "study")
    assert Study.load(tmp_path / "study").calibration.cut == 1


def test_a_study_of_before_opens_and_is_shown_and_relabelled(usages, tmp_path):
    study = made(usages, calibration=Calibration(0.44, 0.11, 0.35), permutations=20)
    about = {name: value for name, value in study.about.items() if name != "cut"}
    replace(study, about=about).save(tmp_path / "older")
    older = Study.load(tmp_path / "older")
    assert older.calibration == study.calibration
    assert str(older) == str(study)
    assert report.write(older, tmp_path / "pages").is_file()
    names = pl.DataFrame({"word": ["cell"], "sense": ["1"], "name": ["room"]})
    decided, also = (some.relabel(names) for some in (older, study))
    assert "room" in decided.senses["name"]
    assert decided.instances.equals(also.instances, null_equal=True)
    resumed = made(usages, calibration=Calibration(0.44, 0.11, 0.35), permutations=20, resume=older)
    assert resumed.about["cut"] == 0.35


def test_words_that_nobody_relabelled_lie_between_their_senses_as_before(usages):
    study = made(usages, 3.0, permutations=20)
    decided = study.relabel(pl.DataFrame({"word": ["bank"], "sense": ["1"], "name": ["shore"]}))
    before, after = (some.instances.filter(word="cell")["tau_senses"] for some in (study, decided))
    assert before.n_unique() > 2  # the cut says how much
    assert after.equals(before)
