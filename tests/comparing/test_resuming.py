"""A study that is interrupted and resumed is the study that it would have been."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from reading import read_senses

from senseshift import Study, Usages, compare
from senseshift.calibration import Calibration
from senseshift.comparing import Interrupted, assembly
from senseshift.study.study import TABLES

SETTINGS = {"calibration": Calibration(0.44, 0.11, 0.38), "permutations": 50}


def interrupted(usages, after=1):
    def stop(done, total):
        if done == after:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        compare(usages, read_senses, progress=stop, **SETTINGS)
    return caught.value.study


def in_other_order(usages):
    table = usages.table.sort("word", descending=True).sample(fraction=1, shuffle=True, seed=4)
    return Usages(table, usages.periods)


@pytest.mark.parametrize("after", [1, 2])
def test_words_and_usages_in_another_order_are_the_same_study(usages, tmp_path, after):
    interrupted(usages, after).save(tmp_path / "part")
    other = in_other_order(usages)
    resumed = compare(other, read_senses, resume=Study.load(tmp_path / "part"), **SETTINGS)
    whole = compare(other, read_senses, **SETTINGS)
    for name in TABLES:
        assert getattr(resumed, name).equals(getattr(whole, name), null_equal=True), name
    assert np.array_equal(resumed.vectors, whole.vectors)
    for row in resumed.instances.iter_rows(named=True):
        own = read_senses([row["text"]], [(row["start"], row["end"])])[0]
        assert resumed.vectors[row["usage"]] == pytest.approx(own, abs=1e-6)


def test_a_part_of_an_earlier_version_has_fewer_columns(usages, tmp_path):
    part = interrupted(usages)
    older = replace(part, words=part.words.drop("spread", "spread_low", "spread_high"))
    older.save(tmp_path / "part")
    resumed = compare(usages, read_senses, resume=Study.load(tmp_path / "part"), **SETTINGS)
    whole = compare(usages, read_senses, **SETTINGS).words
    assert resumed.words.columns == whole.columns
    known = [name for name in whole.columns if not name.startswith("spread")]
    assert resumed.words.select(known).equals(whole.select(known), null_equal=True)
    assert 0 < resumed.words["spread"].null_count() < whole.height


def test_an_interrupt_between_two_tables_leaves_no_half_of_a_word(usages, monkeypatch):
    original, seen = assembly.arc_rows, []

    def stop_at_the_second(*arguments):
        seen.append(arguments)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return original(*arguments)

    monkeypatch.setattr(assembly, "arc_rows", stop_at_the_second)
    with pytest.raises(Interrupted) as caught:
        compare(usages, read_senses, **SETTINGS)
    partial = caught.value.study
    for name in ("words", "instances", "arcs", "senses"):
        assert getattr(partial, name)["word"].n_unique() == 1, name
    resumed = compare(usages, read_senses, resume=partial, **SETTINGS)
    assert sorted(resumed.words["word"]) == ["bank", "cell", "stone"]


def test_nothing_depends_on_the_order_of_the_usages(usages):
    """Neither what is drawn at random nor which usage has which score."""
    one, other = (
        compare(some, read_senses, **SETTINGS) for some in (usages, in_other_order(usages))
    )
    assert one.words.sort("word").equals(other.words.sort("word"), null_equal=True)
    for name in ("sus", "excess", "p", "induced_sense"):
        first, second = (
            study.instances.sort("word", "id").select("word", "id", name) for study in (one, other)
        )
        assert first.equals(second, null_equal=True), name
    assert one.about["usages_fingerprint"] == other.about["usages_fingerprint"]


def test_a_changed_usage_is_another_study(usages):
    partial = interrupted(usages)
    text = pl.when(pl.col("id") == "old-3").then(pl.col("text") + "!").otherwise("text")
    changed = Usages(usages.table.with_columns(text=text), usages.periods)
    with pytest.raises(ValueError, match="other usages fingerprint"):
        compare(changed, read_senses, resume=partial, **SETTINGS)


def test_two_penalties_are_the_same_when_they_are_read_again(usages, tmp_path):
    given = {"lam": (5.0, 9.0), "permutations": 0, "measures": ["f_SUS"]}
    compare(usages, read_senses, **given).save(tmp_path / "study")
    again = compare(usages, read_senses, resume=Study.load(tmp_path / "study"), **given)
    assert again.about["settings"]["lam"] == [5.0, 9.0]
    assert again.ranked.height == 3


def test_what_is_done_is_handed_over_on_the_way(usages, monkeypatch):
    monkeypatch.setattr("senseshift.comparing.driver.CHECKPOINT", 0.0)
    parts = []
    compare(usages, read_senses, checkpoint=parts.append, **SETTINGS)
    assert [part.ranked.height for part in parts] == [1, 2, 3]
    assert not any(part.complete for part in parts)
