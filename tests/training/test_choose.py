"""What is chosen by held-out words: on a few made ones, whose senses an encoder sees clearly."""

import gzip
import json
from collections import Counter

import numpy as np
import pytest

from senseshift.calibration import Calibration
from senseshift.encoders import load
from tiny_training import run

WORDS = ("bank", "bark", "crane", "mint")
PLACES = ("the river meadow", "a busy office")


@pytest.fixture(scope="module")
def planted(scripts):
    return scripts("planted_words"), scripts("choose_rules")


@pytest.fixture(scope="module")
def held(planted):
    """Four words of two senses and one of one; a manner is a small step in one direction."""
    rng = np.random.default_rng(0)
    names, senses, manners, vectors = [], [], [], []
    for k, word in enumerate((*WORDS, "bread")):
        for sense in range(1 if word == "bread" else 2):
            for number in range(12):
                new = number % 2 == 1
                centre = np.eye(16)[2 * k + sense] + 0.2 * new * np.eye(16)[15]
                names.append(word)
                senses.append(str(sense))
                manners.append(new)
                vectors.append(centre + 0.1 * rng.normal(size=16))
    units = planted[0].unit(np.array(vectors))
    return planted[0].Held(np.array(names), np.array(senses), np.array(manners), units)


def test_planted_shares_are_those_of_the_usages(planted, held):
    maker = planted[0].Maker(held)
    rng = np.random.default_rng(1)
    word = maker.word("bank", "gained", 0.4, rng)
    assert 0.0 in word.shares[0]
    assert sum(word.shares[1]) == pytest.approx(1.0)
    assert abs(word.shares[1] - word.shares[0]).max() == pytest.approx(0.4)
    units, senses = maker.side("bank", np.array([0.25, 0.75]), 2_000, True, rng)
    assert (senses == 1).mean() == pytest.approx(0.75, abs=0.04)
    assert len(np.unique(units[:100].round(9), axis=0)) > 85  # a usage is seldom made twice


def test_in_natural_shares_a_main_sense_has_its_share_and_is_not_the_one_that_comes(planted):
    rng, mains = np.random.default_rng(0), np.array([0.8, 0.9])
    for _ in range(50):
        before, after = planted[0].planted_shares(4, "none", 0.0, rng, mains)
        assert (before == after).all()
        assert before.max() in (pytest.approx(0.8), pytest.approx(0.9))
        before, after = planted[0].planted_shares(4, "gained", 0.2, rng, mains)
        came = int((after - before).argmax())
        assert before[came] == 0.0
        assert after[came] == pytest.approx(0.2)
        assert before.argmax() == after.argmax()
    for kind in ("gained", "lost", "shifted"):  # of words with a single sense as well
        for _ in range(20):
            shares = planted[0].planted_shares(2, kind, 0.2, rng, np.ones(1))
            assert all(side.sum() == pytest.approx(1.0) for side in shares)
    (only,), _ = planted[0].planted_shares(1, "none", 0.0, rng, mains)
    assert only == 1.0


def test_manners_drift_apart_as_they_do_and_no_more(planted, held):
    def drift(maker):
        rng = np.random.default_rng(2)
        sides = [maker.side("bread", np.ones(1), 4_000, new, rng)[0].mean(axis=0) for new in (0, 1)]
        return np.linalg.norm(sides[1] - sides[0])

    none, as_it_is, twice = (drift(planted[0].Maker(held, factor)) for factor in (0.0, 1.0, 2.0))
    rows = held.words == "bread"
    real = [held.units[rows & (held.is_new == new)].mean(axis=0) for new in (False, True)]
    assert none < 0.3 * as_it_is
    assert as_it_is == pytest.approx(np.linalg.norm(real[1] - real[0]), rel=0.3)
    assert twice >= as_it_is


def test_a_rule_finds_what_was_planted(planted, held):
    _, rules = planted
    maker, curve = planted[0].Maker(held), Calibration(0.5, 0.1, 0.4)
    words = [word for seed in range(6) for word in rules.judged(maker.study(seed), curve)]
    for rule in rules.RULES.values():
        found = rules.outcome(words, rule)
        assert found.precision > 0.9
        assert found.recall > 0.4
        assert found.direction > 0.9
    nothing = rules.outcome(words, lambda word: np.zeros(word.changes.p.size, bool))
    assert (nothing.recall, nothing.marks) == (0.0, 0)
    hit, others = rules.agreement(words)
    assert hit > 0.9 > 0.1 > others
    for _, whole, part in rules.log_ratios(words, 0.4):
        assert min(whole, part) > 0.6


def test_real_usages_are_dealt_whole(planted, held):
    words = [(held.units[at], senses) for _, at, senses in held.each()]
    made = [word for seed in range(5) for word in planted[0].dealt(words, seed)]
    assert {word.kind for word in made} == {"none", "gained", "lost"}
    for word in made:
        assert word.units.shape[0] == word.senses.size
        assert (0.0 in word.shares[0]) == (word.kind == "gained") or word.kind != "gained"
        assert word.kind == "none" or word.points > 0.3


def test_one_command_prints_every_table_and_the_settings(tmp_path):
    lines = [
        f"{word}.n|{sense + 1}|{manner}|They saw the [{word}] at {PLACES[sense]}, {k} {manner}."
        for word in WORDS for sense in (0, 1) for manner in "on" for k in range(3)
    ]  # fmt: skip
    (tmp_path / "test.txt").write_text("# senses\n" + "\n".join(lines) + "\n", "utf-8")
    few = ["--studies", 2, "--repeats", 4, "--json", "found.json"]
    printed = run(tmp_path, "choose.py", "test.txt", "bundled", *few)
    for part in ("logistic through zero", "average linkage", "movement of the word",
                 "membership", "100 a side", "senses/verdict.py: MARKED"):  # fmt: skip
        assert part in printed
    chosen = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert json.loads(printed.splitlines()[-1]) == chosen
    assert Calibration.from_dict(chosen).cut is not None


def test_of_cuts_that_agree_nearly_as_well_verdicts_choose(scripts, planted, held, monkeypatch):
    """Words whose senses came and went as far apart as two cuts: only the finer one tells it."""
    choose = scripts("choose")
    chance = np.random.default_rng(0)
    words, sides = [], []
    for _ in range(12):
        senses, is_new = np.repeat([0, 1], 20), np.repeat([False, True], 20)
        units = np.zeros((40, 8))
        units[:, 0], units[:, 1] = 1.0, np.where(senses == 1, 0.9, 0.0)
        words.append((planted[0].unit(units + 0.05 * chance.normal(size=units.shape)), senses))
        sides.append(is_new)
    monkeypatch.setattr(choose, "NEARLY", 1.0)
    others = {choose.ADDRESSES: words}
    cut = choose.of_senses(held, others, {choose.ADDRESSES: sides}).cut
    told, untold = (
        choose.judged(planted[0].as_they_are(words, sides), Calibration(0.4, 0.1, cut=of))
        for of in (cut, 0.6)
    )
    assert choose.balance(told) == 1.0
    assert choose.balance(untold) == 0.0


def test_what_real_words_are_is_told_by_their_labels(planted):
    units, is_new = np.eye(50), np.repeat([False, True], 25)
    labels = {
        "changed": [0] * 20 + [1] * 5 + [0] * 25,  # a sense went
        "none": [0] * 22 + [1] * 3 + [0] * 25,  # of too few usages
    }
    labels["moved"] = [0] * 15 + [1] * 10 + [0] * 20 + [1] * 5  # by a fifth
    found = planted[0].as_they_are([(units, np.array(of)) for of in labels.values()], [is_new] * 3)
    assert [word.kind for word in found] == ["changed", "none", "changed"]
    assert [word.shares[0][1] for word in found] == pytest.approx([0.2, 0.12, 0.4])


def test_labelled_usages_of_real_texts_are_read_where_they_stand(scripts, tmp_path, monkeypatch):
    senses = scripts("choose_senses")
    texts = ["We paid it. The bank of the river was wide.", "A bank lent us money; the mint did."]
    with gzip.open(tmp_path / "texts.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(
            json.dumps({"year": 1899 + number, "text": text}) + "\n"
            for number, text in enumerate(texts)
        )
    rows = ["bank 1 12 43 4 8 shore a", "bank 2 0 22 2 6 money a", "mint 2 0 35 26 30 money m"]
    labels = "word address first last start end sense concept\n" + "\n".join(rows) + "\n"
    (tmp_path / "labels.tsv").write_text(labels.replace(" ", "\t"))
    monkeypatch.setattr(senses, "LABELS", tmp_path / "labels.tsv")
    encoder = load("bundled")
    found, sides = senses.real_words(tmp_path / "texts.jsonl.gz", encoder)
    fine, coarse = found.values()
    (bank, of_bank), (mint, of_mint) = fine
    wanted = encoder.encode([texts[0][12:], texts[1][:22], texts[1]], [(4, 8), (2, 6), (26, 30)])
    wanted = wanted / np.linalg.norm(wanted, axis=1, keepdims=True)
    np.testing.assert_allclose(np.vstack([bank, mint]), wanted, atol=1e-3)
    assert of_bank.tolist() == [1, 0]
    assert of_mint.tolist() == [0]
    assert [labels.tolist() for _, labels in coarse] == [[0, 0], [0]]
    assert [side.tolist() for side in sides] == [[False, True], [True]]


def test_usages_that_were_read_are_found_in_their_texts(scripts, tmp_path, monkeypatch):
    senses, checksum = scripts("choose_senses"), scripts("texts").checksum
    shore, money, mint = "The bank of the river.", "A bank lent us money.", "They mint coins."
    (tmp_path / "novels.txt").write_text(f"{shore}\n{mint}\nNobody came.\n")
    with gzip.open(tmp_path / "usages.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(["lend.v", "lend-0", money, 7, 11]) + "\n")
    rows = [
        ("bank", "choose", shore, 4, 8, "B1"), ("bank", "choose", money, 2, 6, "A1"),
        ("mint", "choose", mint, 5, 9, "A1"), ("mint", "choose", "Not here: a mint.", 12, 16, "A1"),
        ("coin", "train", mint, 10, 15, "A1"),
    ]  # fmt: skip
    table = ["word\tpart\ttext\tsentence\tstart\tend\tsense"]
    table += [
        f"{w}\t{p}\t{'novels' if t == shore else 'SemCor'}\t{checksum(t)}\t{a}\t{b}\t{s}"
        for w, p, t, a, b, s in rows
    ]
    (tmp_path / "labels.tsv").write_text("\n".join(table) + "\n")
    monkeypatch.setattr(senses, "LABELLED", tmp_path / "labels.tsv")
    encoder = load("bundled")
    paths = [tmp_path / "novels.txt", tmp_path / "usages.jsonl.gz"]
    found, sides = senses.read_words(paths, encoder)
    ((bank, of_bank), (coins, of_mint)) = found[senses.READ]
    assert [side.tolist() for side in sides] == [[False, True], [True]]
    wanted = encoder.encode([shore, money, mint], [(4, 8), (2, 6), (5, 9)])
    wanted = wanted / np.linalg.norm(wanted, axis=1, keepdims=True)
    np.testing.assert_allclose(np.vstack([bank, coins]), wanted, atol=1e-3)
    assert (of_bank.tolist(), of_mint.tolist()) == ([1, 0], [0])
    with pytest.raises(SystemExit, match="None of the usages that were read"):
        senses.read_words(paths[:0], encoder)


def test_closely_related_senses_of_written_words_are_one(scripts, tmp_path, monkeypatch):
    senses, planted = scripts("choose_senses"), scripts("planted_words")
    (tmp_path / "related.txt").write_text(
        "bank.n.test: 1 3 / 2\nmint.n.test-2: 2 // 3\nbark.n.train-a: 1 2\n"  # bark in training
    )
    monkeypatch.setattr(senses, "RELATED", tmp_path / "related.txt")
    told = {"bank.n": "1231", "bark.n": "1212", "mint.n": "1123"}  # nobody judged mint's first
    names = np.repeat(list(told), 4)
    held = planted.Held(names, np.array(list("".join(told.values()))), names == "", np.eye(12))
    found = [of.tolist() for _, of in senses.concepts_of(held)]
    assert [[sense == of[0] for sense in of] for of in found] == [
        [True, False, True, True], [True, False, True, False], [True, True, False, False],
    ]  # fmt: skip
    assert [len(set(of)) for of in found] == [2, 2, 3]


def test_held_out_lemmas_have_closely_related_senses_as_one_where_these_were_judged(
    scripts, tmp_path, monkeypatch
):
    senses, prepare = scripts("choose_senses"), scripts("prepare")
    out = [f"word{k}.n" for k in range(300) if prepare.group_of(f"word{k}.n", set()) < 0]
    (judged, partly, one, others), trained = out[:4], "word1.n"
    assert trained not in out
    (tmp_path / "related.txt").write_text(
        f"{judged}: 00000100 00000900 / 00002000\n{partly}: 00000100 / 00000900\n"
    )
    monkeypatch.setattr(senses, "RELATED", tmp_path / "related.txt")
    usages = [
        (judged, [100] * 8 + [888] * 8 + [2000] * 8),  # 888 is 900 in another copy of WordNet
        (partly, [100] * 12 + [900] * 10 + [5000] * 3),
        (one, [700] * 20), (others, [100] * 12 + [900] * 12), (trained, [100] * 30),
    ]  # fmt: skip
    with gzip.open(tmp_path / "usages.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(
            json.dumps([lemma, f"eng30-{sense:08d}-n", f"It is {sense} or {k}.", 6, 9]) + "\n"
            for lemma, of in usages for k, sense in enumerate(of)
        )  # fmt: skip
    found = senses.held_lemmas(tmp_path / "usages.jsonl.gz", load("bundled"))
    sizes = [
        sorted(np.unique(of, return_counts=True)[1].tolist()) for _, of in found[senses.CONCEPTS]
    ]
    assert sizes == [[8, 16], [10, 12], [20]]
    fine = [
        sorted(np.unique(of, return_counts=True)[1].tolist()) for _, of in found["held out, 20–59"]
    ]
    assert fine == [[8, 8, 8], [3, 10, 12], [12, 12]]


@pytest.mark.parametrize(
    ("texts", "told"),
    [(["The bank was wide."] * 240, "other texts"), (["The bank."], "1 texts, fewer")],
)
def test_other_texts_than_those_that_were_labelled_are_refused(scripts, tmp_path, texts, told):
    with gzip.open(tmp_path / "texts.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
    with pytest.raises(SystemExit, match=told):
        scripts("choose_senses").real_words(tmp_path / "texts.jsonl.gz", load("bundled"))


def test_the_labels_of_real_texts_are_whole(scripts):
    lines = scripts("choose_senses").LABELS.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    assert len({tuple(row[:6]) for row in rows}) == len(rows) == 4798
    per_word = Counter(row[0] for row in rows)
    assert len(per_word) == 48
    assert set(per_word.values()) <= {99, 100}
    concept = {(word, sense): name for word, *_, sense, name in rows}
    assert {(word, sense, name) for (word, sense), name in concept.items()} == {
        (row[0], row[6], row[7]) for row in rows
    }  # a sense is of one concept, which has the name of one of its senses
    assert all(concept[word, name] == name for (word, _), name in concept.items())
