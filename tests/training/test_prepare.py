"""Senses by one name, and which of them go together."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def script(scripts):
    return scripts("prepare")


@pytest.fixture
def wordnet(tmp_path):
    """Two verbs with two senses each; the second copy of *run*'s begins 18 letters further."""
    for part in ("noun", "adj", "adv"):
        (tmp_path / f"data.{part}").write_text("  1 a licence\n")
    (tmp_path / "data.verb").write_text(
        "  1 a licence\n"
        "00000100 38 v 01 run 0 000 | move fast\n"
        "00002018 41 v 02 run 1 manage 0 000 | direct\n"
        "00002030 41 v 01 manage 1 000 | succeed\n"
    )
    return tmp_path


def test_a_sense_of_another_copy_gets_its_name_here(script, wordnet):
    told = [
        ("run.v", "eng30-00000100-v"),  # as it is
        ("run.v", "eng30-00002000-v"),  # begins 18 letters later here
        ("manage.v", "eng30-00002018-v"),  # another sense begins nearby
        ("manage.v", "eng30-00002014-v"),  # one of two: nobody knows which
        ("run.v", "eng30-00009000-v"),  # not here
    ]
    rows = [(lemma, sense, "They run.", 5, 8) for lemma, sense in told]
    known = [(of, sense) for sense, lemmas, _ in script.definitions(wordnet) for of in lemmas]
    found = list(script.one_name(rows, known))
    assert [sense[6:-2] for _, sense, *_ in found] == [
        "00000100", "00002018", "00002018", "00002014", "00009000",
    ]  # fmt: skip
    assert [(lemma, *rest) for lemma, _, *rest in found] == [
        (lemma, *rest) for lemma, _, *rest in rows
    ]


def test_groups_and_families_are_read(script, tmp_path):
    path = tmp_path / "related.txt"
    path.write_text(
        "# a remark\n\nrun.v: 00000100 00002018 / 00002030 // 00002040\nbank.n.train-a: 2 // 1\n"
    )
    assert list(script.related(path)) == [
        ("run.v", "eng30-00000100-v", 0, 0),
        ("run.v", "eng30-00002018-v", 0, 0),
        ("run.v", "eng30-00002030-v", 1, 0),
        ("run.v", "eng30-00002040-v", 2, 1),
        ("bank.n.train-a", "bank.n.train-a-2", 0, 0),
        ("bank.n.train-a", "bank.n.train-a-1", 1, 1),
    ]


senses = st.lists(st.lists(st.lists(st.integers(1, 99), min_size=1), min_size=1), min_size=1)


@given(families=senses)
def test_a_group_is_of_one_family(script, tmp_path_factory, families):
    path = tmp_path_factory.mktemp("related") / "related.txt"
    line = " // ".join(" / ".join(" ".join(map(str, g)) for g in groups) for groups in families)
    path.write_text(f"w.n.test: {line}\n")
    rows = list(script.related(path))
    assert len(rows) == sum(len(g) for groups in families for g in groups)
    assert len({group for *_, group, _ in rows}) == sum(map(len, families))
    assert len({row[2:] for row in rows}) == len({group for *_, group, _ in rows})
    assert {family for *_, family in rows} == set(range(len(families)))


def test_what_was_judged_is_whole(script):
    """Every sense of every written word is in the file, once; groups are few enough to keep."""
    rows = list(script.related(script.RELATED))
    assert len({row[:2] for row in rows}) == len(rows)
    assert max(group for *_, group, _ in rows) < 127
    folder = script.RELATED.parent / "written"
    own = {row[:2] for path in folder.glob("*.txt") for row in script.written(path)}
    senses = Counter(lemma for lemma, _ in own)
    several = {(lemma, sense) for lemma, sense in own if senses[lemma] > 1}
    assert several <= {row[:2] for row in rows}


def test_senses_told_by_reading_are_groups_of_families(script, tmp_path):
    path = tmp_path / "related.txt"
    path.write_text("bank.n.train-a: 2 // 1\n")
    told = [
        ("bank.read.train", "A1"), ("bank.read.train", "A2"), ("bank.read.train", "B1"),
        ("bank.read.train", "A2"), ("arm.read.choose", "B1"), ("bank.n.train-a", "1"),
        ("bank.n.train-b", "1"),
    ]  # fmt: skip
    rows = [(lemma, f"{lemma}-{sense}", "", 0, 0) for lemma, sense in told]
    groups, families = script.levels(rows, path).T.tolist()
    assert groups == [0, 1, 2, 1, 0, 1, -1]
    assert families == [0, 0, 1, 0, 0, 1, -1]


def test_what_is_to_choose_by_is_in_no_fold(script):
    folds = {word: script.group_of(f"{word}.read.train", set()) for word in ("bank", "arm", "leg")}
    assert all(fold >= 0 for fold in folds.values())
    assert all(script.group_of(f"{word}.read.choose", set()) == -1 for word in folds)
    assert all(script.group_of(f"{word}.n", set()) == fold for word, fold in folds.items())
