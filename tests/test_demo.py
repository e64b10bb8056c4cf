"""The sample, and what ``senseshift demo`` makes of it in a real process."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from senseshift import Study
from senseshift.demo import sample

COMMAND = Path(sys.executable).with_name("senseshift")
STABLE = {"bread", "butter", "winter", "spring"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def done(folder):
    environment = {**os.environ, "SENSESHIFT_CACHE": str(folder / "cache")}
    return subprocess.run(
        [COMMAND, "demo"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def study(folder, done):
    assert done.returncode == 0, done.stderr
    return Study.load(folder / "senseshift-demo")


def test_the_command_ranks_the_sample_and_names_its_report(folder, done, study):
    assert "written for this demonstration" in done.stdout
    assert "14 words, 1,120 usages, 1830-1880 → 1980-2020" in done.stdout
    page = done.stdout.split("The report is in ")[1].split(":")[0]
    assert (folder / page).is_file()
    assert study.words.height == 14


def test_the_sample_is_what_its_statement_says():
    usages = sample()
    counts = usages.table.group_by("word", "period").len()["len"]
    assert len(usages.words) == 14
    assert counts.to_list() == [40] * 28
    assert usages.table["text"].n_unique() == usages.table.height
    assert usages.table["sense"].null_count() == 0
    words = usages.table["text"].str.split(" ").list.len()
    assert words.min() <= 6
    assert words.max() >= 60


def test_every_changed_word_stands_above_every_stable_one(study):
    magnitude = dict(study.words.select("word", "f_SUS").iter_rows())
    changed = [f for word, f in magnitude.items() if word not in STABLE]
    assert min(changed) > max(magnitude[word] for word in STABLE)


def test_only_changed_words_are_significant(study):
    p_value = dict(study.words.select("word", "p_value").iter_rows())
    assert min(p_value[word] for word in STABLE) > 0.2
    # The senses of an undertaker are close, the contractor's few.
    assert max(p for word, p in p_value.items() if word not in {*STABLE, "undertaker"}) <= 0.01
    assert p_value["undertaker"] < 0.1


def test_senses_that_rose_have_positive_sus_and_those_that_fell_negative(study):
    side = pl.when(pl.col("period") == pl.col("new")).then(1).otherwise(-1)
    senses = study.instances.group_by("word", "sense").agg(
        pl.col("sus").mean(), rise=side.sum() / 40
    )
    moved = senses.filter(pl.col("rise").abs() > 0.2)
    right = np.sign(moved["sus"]) == np.sign(moved["rise"])
    assert moved.height >= 20
    assert right.mean() >= 0.9
