import threading

import numpy as np
import polars as pl
import pytest
from reading import read_senses, usages_of

import senseshift
from senseshift import Usages, compare
from senseshift.comparing import Interrupted
from senseshift.errors import InputError
from senseshift.measures import WORD, Comparison, measure, share_threshold
from support import DATA


def vectors_of(usages, word, period):
    rows = usages.table.filter((pl.col("word") == word) & (pl.col("period") == period))
    spans = list(zip(rows["start"], rows["end"], strict=True))
    return read_senses(rows["text"].to_list(), spans).astype(np.float32).astype(np.float64)


def test_the_word_that_gained_a_sense_stands_first(usages):
    study = compare(usages, read_senses)
    assert study.ranked["word"][0] == "cell"
    cell = study.usages_of("cell")
    gained = cell.filter((pl.col("period") == "new") & (pl.col("sense") == "1"))
    assert gained["sus"].min() > 0.1
    assert cell["sense"][0] == "1"
    assert study.complete
    assert study.words["certified"].all()


def test_values_are_those_of_the_measures(usages):
    study = compare(usages, read_senses, rho=0.7, r=0.4)
    words = [
        Comparison(vectors_of(usages, w, "old"), vectors_of(usages, w, "new"), rho=0.7)
        for w in usages.words
    ]
    shared = share_threshold(words, 0.4)
    rows = {row["word"]: row for row in study.words.iter_rows(named=True)}
    for row, word in zip((rows[name] for name in usages.words), shared, strict=True):
        for name, value in measure(word).items():
            if name.endswith(("WiDiD", "APDP")) and not word.clusters_found:
                assert row[name] is None, name
            else:
                assert row[name] == pytest.approx(value, abs=1e-9, nan_ok=True), name
        found = study.instances.filter(pl.col("word") == row["word"]).sort("usage")
        assert found["sus"].to_numpy() == pytest.approx(np.concatenate(word.sus), abs=1e-9)
        assert found["ldr"].to_numpy() == pytest.approx(np.concatenate(word.ldr), abs=1e-6)
        clusters = found["cluster"].to_list()
        expected = np.concatenate(word.clusters) if word.clusters_found else [None] * len(clusters)
        assert clusters == list(expected)


def test_the_published_code_has_a_threshold_for_each_word(usages):
    study = compare(usages, read_senses, measures=["f_2", "g_1"], compat=True)
    for row in study.words.iter_rows(named=True):
        pair = [vectors_of(usages, row["word"], period) for period in ("old", "new")]
        alone = measure(Comparison(*pair), ["f_2", "g_1"])
        assert row["f_2"] == pytest.approx(alone["f_2"], abs=1e-9)
        assert row["g_1"] == pytest.approx(alone["g_1"], abs=1e-9)


def test_every_usage_is_there_with_its_partner(usages):
    study = compare(usages, read_senses)
    assert study.instances.height == len(usages)
    found = study.instances.filter(pl.col("word") == "cell")
    plan = study.arcs.filter(pl.col("word") == "cell")
    mass = {(o, n): m for o, n, m in plan.select("old_id", "new_id", "mass").iter_rows()}
    for row in found.iter_rows(named=True):
        side = 0 if row["period"] == "old" else 1
        mine = {pair: m for pair, m in mass.items() if pair[side] == row["id"]}
        if not mine:
            assert row["partner"] is None
            continue
        best = max(mine.values())
        assert (
            mass[(row["id"], row["partner"]) if side == 0 else (row["partner"], row["id"])] == best
        )
        assert row["partner_share"] == pytest.approx(best * 20)
        assert row["sus"] == pytest.approx(
            (sum(mine.values()) * 20 - 1) * (1 if side == 0 else -1), abs=1e-9
        )
    assert set(found["nearest"]) <= set(found["id"])
    assert found["distance"].min() >= 0


def test_vectors_belong_to_their_usages(usages):
    study = compare(usages, read_senses)
    for row in study.instances.sample(10, seed=1).iter_rows(named=True):
        alone = read_senses([row["text"]], [(row["start"], row["end"])])[0]
        assert study.vectors[row["usage"]] == pytest.approx(alone, abs=1e-6)


def test_a_word_without_usages_in_a_period_is_skipped_with_the_reason(usages):
    extra = usages.table.filter(pl.col("word") == "bank").with_columns(
        word=pl.lit("lonely"),
        period=pl.lit("old"),
        id=pl.lit("x") + pl.int_range(pl.len()).cast(str),
    )
    both = Usages.from_table(pl.concat([usages.table, extra]), periods=("old", "new"))
    study = compare(both, read_senses, measures=["f_SUS", "f_2"])
    assert study.skipped == {"lonely": "no usages in new"}
    row = study.words.filter(pl.col("word") == "lonely").row(0, named=True)
    assert row["old_usages"] > 0
    assert row["f_SUS"] is None
    assert row["verdict"] == "gone"
    assert "gone: lonely (" in str(study)


def test_a_word_that_cannot_be_measured_does_not_end_the_study(usages):
    def broken(texts, spans):
        vectors = read_senses(texts, spans)
        vectors[["bank" in text for text in texts]] = 0.0
        return vectors

    study = compare(usages, broken, measures=["f_SUS"])
    assert "is zero and has no direction" in study.skipped["bank"]
    assert study.ranked.height == 2


def test_no_word_at_all_can_be_measured(usages):
    study = compare(
        usages, lambda texts, spans: np.zeros((len(texts), 3)), measures=["f_SUS", "f_2"]
    )
    assert len(study.skipped) == 3
    assert study.instances.height == 0
    assert "0 words" in str(study)


def test_more_periods_are_compared_each_with_the_next():
    periods = ("1800", "1900", "2000")
    usages = usages_of({"cell": (0.0, 0.1, 0.9)}, periods=periods)
    study = compare(usages, read_senses, measures=["f_SUS", "f_2"])
    found = {(old, new): f for old, new, f in study.words.select("old", "new", "f_SUS").rows()}
    assert list(found) == [("1900", "2000"), ("1800", "1900")]  # the larger change first
    second, first = found.values()
    assert second > first
    assert "1900 → 2000" in str(study)
    ends = compare(usages, read_senses, measures=["f_SUS"], pairs=[("1800", "2000")])
    assert ends.words["f_SUS"][0] > second


def test_some_words_of_a_file_of_vectors(usages, tmp_path):
    whole = compare(usages, read_senses, measures=["f_SUS"])
    np.save(tmp_path / "vectors.npy", whole.vectors)
    some = compare(usages, tmp_path / "vectors.npy", words=["stone", "cell"], measures=["f_SUS"])
    assert some.words["word"].to_list() == ["cell", "stone"]
    rest = whole.words.filter(pl.col("word") != "bank")
    assert some.words.drop("q").equals(rest.drop("q"))  # which is over all words of a study
    assert len(some.vectors) == 80


def test_an_array_of_vectors_does_what_its_encoder_does(usages):
    vectors = senseshift.encode(usages, read_senses)
    made, given = (compare(usages, source, measures=["f_SUS"]) for source in (read_senses, vectors))
    assert given.words.equals(made.words)
    assert given.about["encoder"] == "array"


def test_only_the_chosen_words_are_encoded(usages):
    read = []

    def listening(texts, spans):
        read.extend(texts)
        return read_senses(texts, spans)

    compare(usages, listening, words=["cell"], measures=["f_SUS"])
    assert len(read) == 40
    assert all("cell" in text for text in read)


def test_only_what_is_asked_for_is_measured(usages):
    study = compare(usages, read_senses, measures=["f_APD"], permutations=0)
    assert study.measures == ["f_APD"]
    assert "cluster" not in study.instances.columns  # the slow part is left out
    assert study.ranked["f_APD"].is_sorted(descending=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"measures": ["f_X"]}, "no measure 'f_X'"),
        ({"measures": []}, "nothing to measure"),
        ({"pairs": [("old", "never")]}, "no period 'never'; there are old, new"),
        ({"pairs": [("old", "old")]}, "compared with itself"),
        ({"encoder": "bundle"}, "'bundle' is not known"),
    ],
)
def test_wrong_arguments_are_told(usages, arguments, message):
    arguments = {"encoder": read_senses, **arguments}
    with pytest.raises(InputError, match=message):
        compare(usages, **arguments)


def test_one_period_is_not_enough(usages):
    with pytest.raises(InputError, match="all of one period, old"):
        compare(usages.select(period="old"), read_senses)


def test_an_interrupt_keeps_what_was_done_and_can_be_resumed(usages, tmp_path):
    whole = compare(usages, read_senses)
    threads = threading.active_count()

    def stop_after_one(done, total):
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        compare(usages, read_senses, progress=stop_after_one)
    partial = caught.value.study
    assert not partial.complete
    assert partial.ranked.height == 1
    assert "UNFINISHED" in str(partial)
    partial.save(tmp_path / "study")
    counted = []
    resumed = compare(
        usages, read_senses,
        resume=senseshift.Study.load(tmp_path / "study"),
        progress=lambda done, total: counted.append((done, total)),
    )  # fmt: skip
    assert counted == [(1, 3), (2, 3), (3, 3)]
    assert resumed.complete
    assert resumed.words.equals(whole.words)
    assert resumed.instances.equals(whole.instances)
    assert resumed.arcs.equals(whole.arcs)
    with pytest.raises(InputError, match="other settings"):
        compare(usages, read_senses, rho=2.0, resume=partial)
    with pytest.raises(InputError, match="other usages fingerprint"):
        compare(usages.select(word=["bank", "cell"]), read_senses, resume=partial)
    assert threading.active_count() == threads  # no pool is left behind


def test_all_of_dwug_from_given_vectors():
    if not (DATA / "dwug_en").exists():
        pytest.skip("DWUG EN does not lie beside the repository")
    usages = senseshift.read(DATA / "dwug_en")
    assert (len(usages), len(usages.words)) == (9107, 46)
    cheap = [m.name for m in WORD if m.kind != "sense-based"]
    study = compare(usages, str(DATA / "dwug_en_vectors.npy"), measures=cheap, permutations=0)
    assert study.words["certified"].all()
    assert study.words["sus_error"].max() < 1e-12
    assert study.instances.height == 9107
    assert study.instances["sense"].null_count() > 0  # cluster −1 is no sense
    assert study.ranked["word"][0] == "plane_nn"
