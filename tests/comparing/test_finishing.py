"""What is said of a sense among all senses of a study."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import fisher_exact

from senseshift import Usages, compare
from senseshift.findings import CHANGED
from senseshift.resampling import discrete_q_values, q_values

PERIODS = ("old", "new")


def usages_of(counts, sources=None, periods=PERIODS):
    """A word for each entry, with so many usages of each sense in each period."""
    return Usages.from_records(
        (
            {"word": word, "period": period, "id": f"{period}-{sense}-{k}",
             "text": f"{word} {period} {sense} {k}", "start": 0, "end": len(word),
             "sense": str(sense)} | ({"source": sources(word, period, k)} if sources else {})
            for word, sides in counts.items()
            for period, side in zip(periods, sides, strict=True)
            for sense, count in enumerate(side)
            for k in range(count)
        ),
        periods=periods,
    )  # fmt: skip


def studied(usages, **settings):
    vectors = np.random.default_rng(0).normal(size=(len(usages), 4))
    settings = {"permutations": 0, "measures": ["f_SUS"], "senses": "given"} | settings
    return compare(usages, vectors, **settings)


def q_of(study, **keys):
    return study.sense_changes.filter(**keys).sort("word", "sense")["q"].to_list()


def many(shares, count=25, seed=0):
    """Words with samples of these shares, those of the old and of the new period of each."""
    rng = np.random.default_rng(seed)
    return {
        f"word{k}": tuple(rng.multinomial(count, share).tolist() for share in pair)
        for k, pair in enumerate(shares)
    }


def marked(study, q="q"):
    """The words of which a sense is marked."""
    found = study.sense_changes.filter(pl.col("p") <= 0.05, pl.col(q) <= 0.1)
    return set(found["word"])


SAME = ([0.7, 0.2, 0.1],) * 2
OTHER = ([0.7, 0.2, 0.1], [0.45, 0.2, 0.35])


def test_where_nothing_changed_hardly_any_word_is_marked():
    """By chance, each study of ten at most marks something at all."""
    studies = [studied(usages_of(many([SAME] * 300, seed=seed))) for seed in range(3)]
    assert np.mean([len(marked(study)) / 300 for study in studies]) <= 0.01
    p = np.concatenate([study.sense_changes["p"].to_numpy() for study in studies])
    assert (p <= 0.05).sum() > 20  # it is q that keeps silent


def test_more_is_found_than_plainly_and_about_one_in_ten_is_chance_at_most():
    study = studied(usages_of(many([SAME] * 200 + [OTHER] * 100)))
    plain = study.sense_changes.with_columns(plain=q_values(study.sense_changes["p"]))
    assert (plain["q"] <= plain["plain"] + 1e-9).all()
    found = marked(study)
    before = set(plain.filter(pl.col("p") <= 0.05, pl.col("plain") <= 0.1)["word"])
    changed = {f"word{k}" for k in range(200, 300)}
    assert len(found & changed) >= 1.5 * len(before & changed) > 0
    assert len(found - changed) <= 0.15 * len(found)


def test_periods_shuffled_within_words_leave_nothing_to_say():
    usages = usages_of(many([OTHER] * 200, seed=1))
    periods = pl.col("period").shuffle(0).over("word")
    shuffled = Usages.from_table(usages.table.with_columns(periods), periods=PERIODS)
    assert len(marked(studied(usages))) >= 30
    study = studied(shuffled, permutations=20)
    assert len(marked(study)) <= 0.01 * 200
    assert study.words["verdict"].is_in(CHANGED).sum() <= 0.01 * 200


COUNTS = {"cell": ((20, 5, 0), (12, 8, 5)), "bank": ((9, 9), (18, 3)), "mint": ((7,), (9,))}


# Of each sense, by word, how many usages have it and how many there are.
TABLES = [
    *((9, 18, 18, 21), (9, 3, 18, 21)),
    *((20, 12, 25, 25), (5, 8, 25, 25), (0, 5, 25, 25)),
    (7, 9, 7, 9),
]
MARGINS = [(a + b, old, new) for a, b, old, new in TABLES]


def test_it_goes_by_the_counts_of_each_sense_and_of_its_word():
    study = studied(usages_of(COUNTS))
    p = [fisher_exact([[a, b], [old - a, new - b]]).pvalue for a, b, old, new in TABLES]
    assert study.sense_changes.sort("word", "sense")["p"].to_list() == pytest.approx(p)
    assert q_of(study) == pytest.approx(discrete_q_values(p, MARGINS).tolist())


@pytest.mark.parametrize("permutations", [0, 20])
def test_where_documents_were_dealt_any_p_is_possible(permutations):
    study = studied(
        usages_of(COUNTS, lambda word, period, k: f"{period} {k // 2}"), permutations=permutations
    )
    if permutations:
        assert set(study.words["permuted"]) == {"documents"}
    p = study.sense_changes.sort("word", "sense")["p"]
    assert q_of(study) == pytest.approx(q_values(p).tolist())


@pytest.mark.parametrize("permutations", [0, 20])
def test_where_documents_are_too_few_to_be_dealt_the_test_is_exact(permutations):
    """Some words of a study may have enough of them, and others not."""
    usages = usages_of(COUNTS, lambda word, period, k: f"{period} {k % 2 if word == 'bank' else k}")
    study = studied(usages, permutations=permutations)
    if permutations:
        how = dict(study.words.select("word", "permuted").iter_rows())
        assert how == {"cell": "documents", "bank": "usages", "mint": "documents"}
    rows = study.sense_changes.sort("word", "sense")
    q = discrete_q_values(rows["p"], MARGINS, (rows["word"] == "bank").to_numpy())
    assert rows["q"].to_list() == pytest.approx(q.tolist())
    assert q[0] < q_values(rows["p"])[0]


def test_one_word_of_many_may_be_the_first_whose_documents_are_dealt():
    """What is not known of a hundred words is a number of the next."""
    counts = {f"a{k:03}": COUNTS["cell"] for k in range(60)} | {"z": COUNTS["cell"]}
    usages = usages_of(counts, lambda word, period, k: f"{period} {k if word == 'z' else k % 2}")
    rows = studied(usages).sense_changes
    assert rows.filter(word="z")["documents"].to_list() == [20, 8, 5]
    assert rows.filter(word="a000")["documents"].null_count() == 3


def test_words_of_one_period_and_periods_without_senses_count_in_nothing():
    usages = usages_of(COUNTS | {"new": ((), (9, 9))})
    assert q_of(studied(usages)) == pytest.approx(q_of(studied(usages_of(COUNTS))))
    table = usages_of(COUNTS | {"void": ((9, 9), (9, 9))}).table
    known = (pl.col("word") != "void") | (pl.col("period") == "old")
    table = table.with_columns(pl.when(known).then("sense").alias("sense"))
    study = studied(Usages.from_table(table, periods=PERIODS))
    assert q_of(study, word="void") == [None, None]
    rest = study.sense_changes.filter(pl.col("word") != "void").sort("word", "sense")
    assert rest["q"].to_list() == pytest.approx(q_of(studied(usages_of(COUNTS))))


def test_each_pair_of_three_periods_has_its_own_counts():
    counts = {"cell": ((20, 5), (12, 9), (3, 22)), "bank": ((9, 9), (18, 3), (9, 30))}
    rows = studied(usages_of(counts, periods=("0", "1", "2"))).sense_changes
    margins = [
        (sum(side[int(sense)] for side in sides), *map(sum, sides))
        for word, sense, *pair in rows.select("word", "sense", "old", "new").iter_rows()
        for sides in ([counts[word][int(period)] for period in pair],)
    ]
    assert rows.height == 8
    assert rows["q"].to_list() == pytest.approx(discrete_q_values(rows["p"], margins).tolist())


def test_a_person_s_senses_are_judged_by_their_counts():
    study = studied(usages_of(COUNTS), permutations=20)
    merged = study.relabel(pl.DataFrame({"word": ["cell"], "sense": ["2"], "into": ["1"]}))
    as_one = COUNTS | {"cell": ((20, 5), (12, 13))}
    assert q_of(merged) == pytest.approx(q_of(studied(usages_of(as_one))))
