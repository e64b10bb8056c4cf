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
from senseshift.encoders.packages import MULTILINGUAL, installed
from senseshift.findings import CHANGED, word_finding

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
    change = dict(study.words.select("word", "change").iter_rows())
    changed = [score for word, score in change.items() if word not in STABLE]
    assert min(changed) > max(change[word] for word in STABLE)
    assert study.ranked["word"].to_list()[-len(STABLE) :] == sorted(
        STABLE, key=lambda w: -change[w]
    )


def test_only_changed_words_are_said_to_have_changed(study):
    verdict = dict(study.words.select("word", "verdict").iter_rows())
    said = {word for word, kind in verdict.items() if kind in CHANGED}
    assert said == set(verdict) - STABLE - {
        "undertaker"
    }  # whose senses are close, one of them rare
    assert {verdict[word] for word in STABLE} == {"unclear"}
    p = dict(study.words.select("word", "p").iter_rows())
    assert min(p[word] for word in STABLE) > 0.05
    assert max(p[word] for word in said - {"cell"}) <= 0.01  # which kept most of its senses


def test_a_word_is_said_to_have_gained_what_it_gained(study):
    finding = word_finding(study, study.view("mouse"))
    assert finding.verdict == "gained"
    assert finding.sentences[0].startswith("Gained a sense: ")
    (rose,) = [sense for sense in finding.senses if sense.change.direction == "rose"]
    gold = study.view("mouse").usages[rose.members]["sense"]
    assert gold.value_counts(sort=True)["count"][0] / len(gold) > 0.9  # one sense, nearly all of it


def test_senses_that_rose_go_beyond_chance_one_way_and_those_that_fell_the_other(study):
    side = pl.when(pl.col("period") == pl.col("new")).then(1).otherwise(-1)
    senses = study.instances.group_by("word", "sense").agg(
        pl.col("excess").mean(), rise=side.sum() / 40
    )
    moved = senses.filter(pl.col("rise").abs() > 0.2)
    right = np.sign(moved["excess"]) == np.sign(moved["rise"])
    assert moved.height >= 20
    assert right.mean() >= 0.9


def test_the_report_says_what_made_it(folder, study):
    page = (folder / "senseshift-demo" / "report" / "index.html").read_text("utf-8")
    for part in ("1,000, seed 0", "senseshift demo", "Apache-2.0", "senseshift-en"):
        assert part in page, part


SENSES = {
    "Anhänger": [{"Gefolgsmann": 26, "Schmuckstück": 4},
                 {"Gefolgsmann": 8, "Schmuckstück": 7, "Fahrzeug": 15}],
    "Brot": [{"Brot": 30}, {"Brot": 30}],
    "Maus": [{"Tier": 30}, {"Tier": 12, "Computer": 18}],
    "Schloss": [{"Gebäude": 15, "Verschluss": 15}] * 2,
    "Strom": [{"Fluss": 20, "Menge": 7, "Elektrizität": 3},
              {"Fluss": 4, "Menge": 3, "Elektrizität": 23}],
    "Witz": [{"Geist": 19, "Scherz": 11}, {"Geist": 2, "Scherz": 22, "Pointe": 6}],
}  # fmt: skip


def test_the_german_sample_is_what_its_statement_says():
    table = sample("de").table
    found = {
        word: [dict(part.filter(period=period)["sense"].value_counts().iter_rows())
               for period in ("1850-1900", "1990-2020")]
        for (word,), part in table.group_by("word")
    }  # fmt: skip
    assert found == SENSES
    assert table["text"].n_unique() == table.height == 360
    for word, text, start, end in table.select("word", "text", "start", "end").iter_rows():
        target = text[start:end].lower().replace("äu", "au").replace("ö", "o")
        assert target.startswith(word.lower()[:3]), (word, text)
    old = " ".join(table.filter(period="1850-1900")["text"])
    new = " ".join(table.filter(period="1990-2020")["text"])
    assert {"daß", "Thür", "giebt"} <= set(old.replace(",", "").split())
    assert "daß" not in new
    words = table["text"].str.split(" ").list.len()
    assert words.min() <= 3
    assert words.max() >= 45


def test_the_german_demo_runs_or_names_what_it_lacks(folder, called):
    done = called("demo", "--language", "de", "-o", "german", cwd=folder)
    if MULTILINGUAL.encoder not in installed():
        assert done.returncode == 2
        assert "pip install senseshift-xx" in done.stderr
        assert not (folder / "german").exists()
        return
    assert done.returncode == 0, done.stderr
    found = Study.load(folder / "german")
    assert found.about["language"] == "de"
    change = dict(found.words.select("word", "change").iter_rows())
    stable = max(change[word] for word in ("Brot", "Schloss"))
    assert min(change[word] for word in ("Maus", "Strom")) > stable
