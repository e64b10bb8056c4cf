"""Masses of the two sides by how often a word is used."""

import numpy as np
import polars as pl
import pytest
from reading import read_senses

from senseshift import compare, find
from senseshift.errors import InputError

FILLER = "they went on and said no more about it"  # nine words


def found(folder, filler, phones=(10, 10)):
    """Usages of cell in two corpora, twenty in each; so many lines without it in each."""
    for period, lines, phone in zip(("old", "new"), filler, phones, strict=True):
        senses = ["of a phone" if k < phone else "of a monk" for k in range(20)]
        text = [f"{1000 * len(period) + k} was the cell {sense}" for k, sense in enumerate(senses)]
        text += [FILLER] * lines
        folder.joinpath(f"{period}.txt").write_text("\n".join(text) + "\n", "utf-8")
    corpora = {period: folder / f"{period}.txt" for period in ("old", "new")}
    return find(corpora, ["cell"], layout="lines")


def sus(usages, weights):
    study = compare(usages, read_senses, weights=weights, permutations=20, senses="none")
    return study.instances.sort("usage")


def test_the_words_say_how_often_they_are_used(tmp_path):
    usages = found(tmp_path, (100, 60))
    study = compare(usages, read_senses, permutations=0)
    sizes = dict(usages.corpora.sizes.select("period", "tokens").iter_rows())
    row = study.words.row(0, named=True)
    assert row["old_per_million"] == pytest.approx(20e6 / sizes["old"])
    assert row["new_per_million"] == pytest.approx(20e6 / sizes["new"])
    assert row["old_per_million"] < row["new_per_million"]


def test_equal_frequencies_give_the_paper_s_sus_exactly(tmp_path):
    usages = found(tmp_path, (50, 50), phones=(3, 16))
    one, other = sus(usages, "uniform"), sus(usages, "frequency")
    assert other["sus"].equals(one["sus"])
    assert other["partner_share"].equals(one["partner_share"])


def test_a_word_that_became_frequent_in_all_its_senses_rose_all_over(tmp_path):
    usages = found(tmp_path, (160, 80))
    study = compare(usages, read_senses, weights="frequency", permutations=20, senses="none")
    old, new = study.words.select("old_per_million", "new_per_million").row(0)
    assert new / old > 1.7
    rose = study.instances["sus"]
    assert rose.min() > 0.15
    # where nothing costs anything: half of the way between the sides' masses
    assert rose.mean() == pytest.approx((new - old) / (new + old), abs=0.03)
    shares = sus(usages, "uniform")["sus"]
    assert shares.abs().max() < 0.05


def test_a_sense_that_lost_share_and_kept_its_frequency_did_not_fall(tmp_path):
    usages = found(tmp_path, (160, 72), phones=(0, 10))  # monks halve, and so do all the words
    monk = pl.col("text").str.contains("monk")
    by_share, by_count = (sus(usages, weights).filter(monk) for weights in ("uniform", "frequency"))
    # where senses cost 1 and nothing else does: 1 + s = (1 − s)/2 − s/2
    assert by_share["sus"].mean() == pytest.approx(-1 / 4, abs=0.02)
    assert by_count["sus"].mean() == pytest.approx(0, abs=0.02)


def test_what_is_said_of_chance_stays_on_shares(tmp_path):
    usages = found(tmp_path, (160, 80), phones=(3, 12))
    one, other = sus(usages, "uniform"), sus(usages, "frequency")
    assert other["excess"].equals(one["excess"])
    assert other["p"].equals(one["p"])
    assert not np.allclose(other["sus"], one["sus"])


def test_pictures_have_the_same_masses(tmp_path):
    usages = found(tmp_path, (160, 80), phones=(3, 12))
    study = compare(usages, read_senses, weights="frequency", permutations=0, rho=0.6)
    view = study.view("cell")
    assert study.path("cell", [0.6]).sus[0] == pytest.approx(view.sus, abs=1e-12)
    assert view.balanced.mass.sum() == pytest.approx(1.0)
    old_mass, new_mass = (side.sum() for side in view.comparison.mass)
    assert old_mass + new_mass == pytest.approx(2.0)
    assert new_mass / old_mass == pytest.approx(
        study.words["new_per_million"][0] / study.words["old_per_million"][0]
    )


def test_without_corpora_it_is_told_that_they_are_needed(usages, tmp_path, refused):
    with pytest.raises(InputError, match="need corpora, in which words are counted"):
        compare(usages, read_senses, weights="frequency")
    assert set(compare(usages, read_senses, permutations=0).words["old_per_million"]) == {None}
    usages.write(tmp_path / "usages.parquet")
    said = refused("compare", "usages.parquet", "--weights", "frequency", cwd=tmp_path)
    assert "need corpora" in said
    assert not (tmp_path / "study").exists()
