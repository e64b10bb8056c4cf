"""Verdicts of a whole study: what happened is said, and nothing else."""

import numpy as np
import polars as pl
import pytest

from senseshift import Usages, compare
from senseshift.calibration import Calibration
from senseshift.errors import InputError
from senseshift.findings import CHANGED

CURVE = Calibration(0.5, 0.1, 0.5)
SHARES = {
    "gained": ((60, 0, 0), (30, 30, 0)),
    "lost": ((30, 30, 0), (60, 0, 0)),
    "replaced": ((60, 0, 0), (0, 60, 0)),
    "shifted": ((45, 15, 0), (15, 45, 0)),
    "unclear": ((30, 20, 10), (28, 21, 11)),
    "few": ((3, 1, 0), (30, 30, 0)),
    "new": ((0, 0, 0), (20, 10, 0)),
    "gone": ((20, 10, 0), (0, 0, 0)),
}


def usages_of(shares, documents=None, seed=0):
    """A word for each entry, its senses in so many old and new usages, and their vectors."""
    rng = np.random.default_rng(seed)
    records, vectors = [], {}
    for word, sides in shares.items():
        for period, counts in zip(("old", "new"), sides, strict=True):
            number = 0
            for sense, count in enumerate(counts):
                for _ in range(count):
                    text = f"{word} {period} {number}"
                    record = {"word": word, "period": period, "id": text, "text": text}
                    record |= {"start": 0, "end": len(word)}
                    if documents:
                        record["source"] = documents(period, number, sense)
                    records.append(record)
                    vectors[text] = np.eye(8)[sense] + 0.1 * rng.normal(size=8)
                    number += 1
    return Usages.from_records(records, periods=["old", "new"]), vectors


def studied(usages, vectors, **settings):
    return compare(
        usages, lambda texts, spans: np.array([vectors[text] for text in texts]),
        calibration=CURVE, measures=["f_SUS"], permutations=100, **settings,
    )  # fmt: skip


@pytest.fixture(scope="module")
def study():
    return studied(*usages_of(SHARES))


def test_every_kind_of_change_is_told_by_its_name(study):
    found = dict(study.words.select("word", "verdict").iter_rows())
    assert found == {word: word for word in SHARES}


def test_words_of_one_period_have_a_statement_too(study, called, tmp_path):
    assert study.statement("new") == ["New word: 30 usages, and none in the old period."]
    gone = study.statement("gone", periods=("old", "new"))
    assert gone == ["Gone word: 30 usages, and none in the new period."]
    with pytest.raises(InputError, match="was not measured"):
        study.statement("gone", periods=("new", "old"))
    study.save(tmp_path / "study")
    shown = called("show", "study", "--word", "new", cwd=tmp_path)
    assert shown.stdout.strip() == study.statement("new")[0]


def test_the_sense_that_came_is_named_first_though_another_moved_farther():
    usages, vectors = usages_of({"tablet": ((50, 10, 0), (20, 30, 10))})
    study = studied(usages, vectors)
    assert study.words["verdict"].item() == "gained"
    first, second, *_ = study.statement("tablet")
    assert "from 0" in first
    assert "from 17" in second


def test_what_hardly_moved_is_no_change_however_many_usages_say_so():
    usages, vectors = usages_of({"bank": ((240, 160, 0), (190, 210, 0))})
    study = studied(usages, vectors)
    changes = study.sense_changes
    assert changes["p"].max() < 0.001
    assert changes["q"].max() < 0.001
    assert study.words["verdict"].item() == "unclear"
    assert "differs by too little to be told" in study.statement("bank")[0]


def test_a_word_that_gained_a_sense_broadened_and_its_usages_lie_farther_apart(study):
    def spread(word):
        return study.words.filter(word=word).select("spread_low", "spread", "spread_high").row(0)

    for word, way in (("gained", 1), ("lost", -1)):
        low, found, high = sorted(way * value for value in spread(word))
        assert 0 < low < found < high
    assert any("broadened" in sentence for sentence in study.statement("gained"))
    assert any("narrowed" in sentence for sentence in study.statement("lost"))
    assert spread("replaced")[0] < 0 < spread("replaced")[2]
    assert spread("new") == (None, None, None)


def test_words_are_ranked_by_change_and_what_cannot_be_told_comes_last(study):
    order = study.words["word"].to_list()
    assert order[0] == "replaced"
    assert order[-3] == "few"
    assert set(order[-2:]) == {"new", "gone"}
    known = study.words.filter(~pl.col("verdict").is_in(["few", "new", "gone"]))["change"]
    assert known.to_list() == sorted(known, reverse=True)


def test_intervals_hold_what_was_found(study):
    measured = study.words.filter(pl.col("change_low").is_not_null())
    assert measured.height >= 4
    assert (measured["change_low"] <= measured["change"]).all()
    assert (measured["change"] <= measured["change_high"]).all()
    known = study.words.filter(pl.col("f_SUS_low").is_not_null())
    assert known.height >= 4
    assert known["f_SUS"].is_between(known["f_SUS_low"], known["f_SUS_high"]).all()
    shares = study.senses
    assert ((shares["low"] <= shares["share"]) & (shares["share"] <= shares["high"])).all()


def test_shuffled_periods_are_silent():
    many = {f"w{k}": ((40, 20, 10), (40, 20, 10)) for k in range(12)}
    usages, vectors = usages_of(many, seed=3)
    shuffle = pl.col("period").shuffle(5).over("word")
    dealt = Usages.from_table(usages.table.with_columns(shuffle), periods=["old", "new"])
    study = studied(dealt, vectors)
    assert study.words["verdict"].is_in(CHANGED).sum() <= 1


def test_one_document_that_brings_a_sense_is_no_change():
    """All usages of the new sense are of one text: as documents are dealt, chance explains it."""
    shares = {"cell": ((40, 0, 0), (28, 12, 0))}
    usages, vectors = usages_of(
        shares, documents=lambda period, k, sense: f"{period}-{'x' if sense else k % 12}"
    )
    assert studied(usages, vectors).words["verdict"].item() not in ("gained", "replaced")
    apart, vectors = usages_of(shares, documents=lambda period, k, sense: f"{period}-{k % 12}")
    found = studied(apart, vectors)
    assert found.words["verdict"].item() == "gained"
    assert found.words["permuted"].item() == "documents"


def test_too_few_documents_to_deal_are_told():
    usages, vectors = usages_of(
        {"gained": SHARES["gained"]}, documents=lambda period, k, sense: f"{period}-{k % 2}"
    )
    study = studied(usages, vectors)
    assert study.words["permuted"].item() == "usages"
    assert "With 2 old and 2 new documents single usages" in study.statement("gained")[-1]


def test_without_permutations_nothing_is_said():
    usages, vectors = usages_of({"gained": SHARES["gained"]})
    study = compare(
        usages, lambda texts, spans: np.array([vectors[text] for text in texts]),
        calibration=CURVE, measures=["f_SUS"], permutations=0,
    )  # fmt: skip
    assert study.words["verdict"].item() is None
    assert study.words["change"].item() is None


def test_given_senses_take_the_place_of_induced_ones():
    usages, vectors = usages_of({"gained": SHARES["gained"]})
    table = usages.table.with_columns(
        sense=pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("a")).otherwise(pl.lit("b"))
    )
    study = studied(Usages.from_table(table, periods=["old", "new"]), vectors, senses="given")
    assert set(study.senses["sense"]) == {"a", "b"}
    assert study.words["verdict"].item() == "unclear"
