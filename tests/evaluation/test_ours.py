"""Methods that the paper has not: measured with the same gold on the same splits."""

import zlib

import numpy as np
import polars as pl
import pytest
from making import made_words, make_wug
from plainly import Data, correlation, gold_of, splits_of

from senseshift import compare, read
from senseshift.calibration import Calibration
from senseshift.evaluation import reproduce
from senseshift.evaluation.ours import PERMUTATIONS

SPLITS = 10
CALIBRATION = Calibration(0.4, 0.1, 0.4)


class Calibrated:
    """An encoder that reads the sense of a usage in its text, more or less, with a calibration."""

    name, dimension, fingerprint, calibration = "calibrated", 6, None, CALIBRATION

    def encode(self, texts, spans):
        rows = []
        for text in texts:
            rng = np.random.default_rng(zlib.crc32(text.encode()))
            rows.append(np.eye(6)[int(text[6])] + 0.25 * rng.normal(size=6))
        return np.array(rows, np.float32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wug")
    make_wug(folder, made_words())
    return folder


@pytest.fixture(scope="module")
def result(folder):
    return reproduce(folder, Calibrated(), splits=SPLITS)


def columns(result, table):
    return {(n["method"], n["column"]): n["value"] for n in result.table(table).numbers}


def test_words_are_ranked_as_a_study_ranks_them(folder, result):
    study = compare(read(folder), Calibrated(), permutations=PERMUTATIONS)
    assert study.about["settings"]["cost"] is None  # the default, which is the calibrated one
    data = Data(folder, folder / "vectors.npy")
    gold = dict(zip("fg", gold_of(data, compat=False)[:2], strict=True))
    for method, kind, table in (
        ("change", "f", "3"),
        ("f_senses", "f", "3"),
        ("g_senses", "g", "4"),
    ):
        score = dict(study.words.select("word", method).iter_rows())
        expected = [
            correlation(
                [round(gold[kind][k], 12) for k in test],
                [round(score[data.words[k]], 12) for k in test],
            )
            for _, test in splits_of(len(data.words), SPLITS)
        ]
        outcome = result.evaluation.outcomes[method]
        assert outcome.values["spearman"] == pytest.approx(expected, nan_ok=True)
        assert columns(result, table)[method, "spearman"] == pytest.approx(np.nanmean(expected))


def test_usages_are_ranked_by_excess_and_by_the_shares_of_their_sense(folder, result):
    study = compare(read(folder), Calibrated(), permutations=PERMUTATIONS)
    shares = {
        (word, sense, period): (count, share)
        for word, sense, period, count, share in study.senses.select(
            "word", "sense", "period", "count", "share"
        ).iter_rows()
    }

    def ratio(word, sense):
        """With half a usage more, so that it is finite, which leaves the order nearly as it is."""
        old, new = (shares[word, sense, period] for period in "12")
        totals = [sum(n for (w, _, p), (n, _) in shares.items() if (w, p) == (word, period))
                  for period in "12"]  # fmt: skip
        return np.log((new[0] + 0.5) / (totals[1] + 0.5) * (totals[0] + 0.5) / (old[0] + 0.5))

    table = study.instances.join(
        result.gold.usages.select("word", "id", "tau"), on=["word", "id"]
    ).filter(pl.col("tau").is_not_null())
    whole = [
        0.0 if sense is None else ratio(word, sense)
        for word, sense in table.select("word", "induced_sense").iter_rows()
    ]
    assert correlation(table["tau_senses"], pl.Series(whole)) > 0.9  # but for those in between
    scores = {
        "excess": table["excess"].to_list(),
        "tau_senses": table["tau_senses"].to_list(),
        "period": (table["period"] == "2").cast(pl.Float64).to_list(),
    }
    words = result.evaluation.words
    for method, values in scores.items():
        found = {column: [] for column in ("instance", "instance_old", "instance_new")}
        for _, test in splits_of(len(words), SPLITS):
            of = table.with_columns(pl.Series("score", values)).filter(
                pl.col("word").is_in([words[k] for k in test])
            )
            for column, part in (
                ("instance", of),
                ("instance_old", of.filter(pl.col("period") == "1")),
                ("instance_new", of.filter(pl.col("period") == "2")),
            ):
                found[column].append(correlation(part["tau"].round(12), part["score"].round(9)))
        outcome = result.evaluation.outcomes[method]
        shown = columns(result, "periods")
        for column, expected in found.items():
            assert outcome.values[column] == pytest.approx(expected, abs=2e-3, nan_ok=True)
            if np.isnan(expected).all():
                assert (method, shown[method, column]) == ("period", None)
            else:
                assert shown[method, column] == pytest.approx(np.nanmean(expected), abs=2e-3)


def test_ours_are_marked_and_stand_below_the_papers(result):
    for name, ours in (("2", ["excess", "tau_senses"]), ("3", ["change", "f_senses"]),
                       ("4", ["g_senses"])):  # fmt: skip
        table = result.table(name)
        (first,) = table.breaks
        assert [row[0] for row in table.rows[first:]] == ours
        assert all(row[1].endswith(", ours") for row in table.rows[first:])
        assert not any(row[1].endswith(", ours") for row in table.rows[:first])
    assert "change: how much worse than by chance usages are matched (calibrated cost" in (
        " ".join(str(result).split())
    )
    assert [row[1] for row in result.table("periods").rows][-1] == "baseline"
    # what the period alone has on the sense level must be seen there, for it is much
    assert columns(result, "periods")["period", "sense"] > 0.9


def test_without_a_calibration_there_are_no_senses_and_that_is_said(folder):
    seen = []
    result = reproduce(
        folder, folder / "vectors.npy", splits=2, tuning=lambda *done: seen.append(done)
    )
    assert columns(result, "3")["change", "spearman"] is not None
    assert not {"f_senses", "g_senses", "tau_senses"} & set(result.evaluation.outcomes)
    printed = " ".join(str(result).split())
    assert "f_senses: left out, for the encoder has no calibration" in printed
    assert "(cosine distance, ρ = 1" in printed
    assert seen[-1][0] == seen[-1][1]
