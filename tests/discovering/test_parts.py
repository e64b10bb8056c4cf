"""The parts of a discovery: shares of files, samples, scores, and where a word stands."""

import gzip

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.corpus.files import files_of
from senseshift.corpus.names import NameFinder
from senseshift.discovering import reading
from senseshift.discovering.candidates import Filter, vocabulary, with_reasons
from senseshift.discovering.counting import count
from senseshift.discovering.reading import Reading, Share, pieces, shares_of
from senseshift.discovering.sampling import Sampling, chosen, sample
from senseshift.discovering.scoring import Scorer
from senseshift.discovering.standing import company


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(st.text("ab é\u2028", max_size=12), min_size=1, max_size=30),
    cuts=st.integers(1, 12),
    end=st.sampled_from(["", "\n"]),
)
def test_stretches_of_a_file_have_each_of_its_lines_once(tmp_path_factory, lines, cuts, end):
    path = tmp_path_factory.mktemp("text") / "corpus.txt"
    path.write_text("\n".join(lines) + end, "utf-8", newline="")
    files, _, _ = files_of({"old": path, "new": path}, None)
    how = Reading(layout="lines")

    def blocks(share):
        found = pieces(share, how, NameFinder("en", "out"))
        return [(b.line, b.text) for piece in found for b in piece.blocks]

    size = path.stat().st_size
    whole = Share(files[0], size, 0, apart=True)
    at = [size * k // cuts for k in range(cuts + 1)]
    parts = [Share(files[0], size, 0, k, cuts, at[k], at[k + 1], apart=True) for k in range(cuts)]
    assert [found for part in parts for found in blocks(part)] == blocks(whole)


def test_a_corpus_in_one_file_is_cut_and_its_documents_are_not_known(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SHARE", 1_000)
    path = tmp_path / "old.txt"
    path.write_text("The cell was cold.\n" * 200)
    files, _, _ = files_of({"old": path, "new": path}, None)
    units = shares_of(files[:1], ("utf-8",))
    tables = [count(unit, Reading(layout="lines"), 4) for unit in units]
    counts = pl.concat([t["counts"] for t in tables]).group_by("word").agg(pl.sum("count"))
    assert len(units) == 4
    assert dict(counts.iter_rows())["cell"] == 200
    assert sum(t["sizes"]["known"].sum() for t in tables) == 0


def test_a_file_that_cannot_be_entered_is_read_anew_only_where_there_are_few(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SHARE", 1_000)
    rows = "".join(
        f'{{"text": "The cell {k} was {k * k} cold.", "source": "d{k}"}}\n' for k in range(999)
    )
    for name in "abcdefgh":
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(rows.encode()))
    for names, shares in (("a", 8), ("abc", 2), ("abcdefgh", 1)):
        paths = [tmp_path / f"{name}.jsonl.gz" for name in names]
        files, _, _ = files_of({"old": paths, "new": paths}, None)
        units = shares_of(files[: len(paths)], ("utf-8",))
        assert len(units) == shares * len(names)
        counts = pl.concat([count(unit, Reading(), 4)["counts"] for unit in units])
        assert counts.filter(word="cell")["count"].sum() == 999 * len(names)


def test_names_tags_and_clitics_are_counted_as_such(tmp_path):
    for period, text in (
        ("old", "The river's bank. We met Rivera. "),
        ("new", "Banks of rivers. "),
    ):
        (tmp_path / period).mkdir()
        for number in range(6):
            (tmp_path / period / f"{number}.txt").write_text(text * 4)
    files, _, order = files_of({p: tmp_path / p for p in ("old", "new")}, None)
    (unit,) = shares_of(files, ("utf-8",))
    found = count(unit, Reading(), 3)
    words = vocabulary(found["counts"], order)
    words = with_reasons(words, Filter(20, 5, 0), [True, True])
    rows = {row["word"]: row for row in words.iter_rows(named=True)}
    assert rows["river"]["reason"] is None
    assert rows["river"]["count_old"] == rows["river"]["count_new"] == 24
    assert (rows["river"]["documents_old"], rows["river"]["spread_old"]) == (6, 18)
    assert "name" in rows["rivera"]["reason"]
    told = with_reasons(words.drop("reason"), Filter(20, 7, 0), [True, True])
    assert "documents" in told.filter(word="river")["reason"][0]


def test_a_sample_is_spread_over_documents_and_follows_from_its_seed(tmp_path):
    for number in range(20):
        text = "".join(f"Some bank {number} {k} fell. " for k in range(number + 1))
        (tmp_path / f"{number:02}.txt").write_text(text)
    files, _, _ = files_of({"old": tmp_path, "new": tmp_path}, None)
    (unit,) = shares_of(files[:20], ("utf-8",))

    def drawn(seed, shares):
        how = Sampling(usages=30, each=2, seed=seed)
        bounds = {"old": {"bank": how.bound(39)}}
        offered = pl.concat([sample(part, Reading(), how, bounds) for part in shares])
        return chosen(offered, how, 2)

    whole = drawn(0, [unit])
    assert whole.height == 30
    assert whole.group_by("source").len()["len"].max() == 2
    assert all(text[a:b] == "bank" for text, a, b in whole["text", "start", "end"].iter_rows())
    assert drawn(0, [unit[7:], unit[:7]]).equals(whole)
    assert not drawn(1, [unit]).equals(whole)


def test_a_score_is_half_the_squared_distance_of_the_shares_of_senses():
    random = np.random.default_rng(0)
    senses = np.eye(2)
    old = senses[(random.random(150) < 0.1).astype(int)]
    new = senses[(random.random(150) < 0.5).astype(int)]
    is_new = np.repeat([False, True], 150)
    scorer = Scorer(np.concatenate([old, new]), is_new, None, None, (0,))
    assert scorer.found == pytest.approx(0.4**2, abs=0.06)
    assert scorer.chance()[0] < 0.001


def test_few_usages_and_long_documents_make_no_score_by_themselves():
    random = np.random.default_rng(1)

    def score(documents, each):
        topics = random.normal(size=(2 * documents, 8))  # a document keeps to its topic
        owners = np.repeat(np.arange(2 * documents), each)
        vectors = topics[owners] + 0.3 * random.normal(size=(owners.size, 8))
        return Scorer(vectors, owners >= documents, owners, None, (0,)).found

    for documents, each in ((4, 5), (10, 1), (30, 4)):
        scores = [score(documents, each) for _ in range(80)]
        assert abs(np.mean(scores)) < 4 * np.std(scores) / np.sqrt(80)


@settings(max_examples=6, deadline=None)
@given(drift=st.floats(0, 3), heterogeneity=st.floats(0, 2), seed=st.integers(0, 99))
def test_drift_in_all_words_is_no_change_and_changed_words_do_not_hide_each_other(
    drift, heterogeneity, seed
):
    random = np.random.default_rng(seed)
    words, changed = 1_000, 100

    def chance(*shape):
        return random.gamma(6.0, 1.0, shape) - 6.0  # skewed, as scores are by chance

    spreads = random.uniform(0.5, 2.0, words)
    dealt = chance(words, 99) * spreads[:, None]
    scores = drift + chance(words) * spreads + heterogeneity * random.normal(size=words)
    counts = np.exp(random.uniform(3, 9, (words, 2)))
    scores[:changed] += 60.0
    like = company(scores, dealt, counts)
    p = like.p(scores, dealt.std(axis=1))
    assert (p[:changed] < 0.001).mean() > 0.95
    assert (p[changed:] <= 0.05).mean() < 0.09
    assert 0.35 < np.median(p[changed:]) < 0.7
    reference = random.random(words) < 0.5
    fewer = company(scores, dealt, counts, among=reference).p(scores, dealt.std(axis=1))
    assert (fewer[:changed] < 0.001).mean() > 0.95
    assert (fewer[changed:] <= 0.05).mean() < 0.11
