import tracemalloc

import numpy as np
import pytest
from studies import hostile_study, three_periods

from senseshift.report.page import by_word, usages_of, word_page


def page_of(study, word):
    rows = by_word(study, list(study.ranked.iter_rows(named=True)))[word]
    part = study.of_word(word)
    usages = usages_of(part, rows)
    at = np.random.default_rng(0).normal(size=(usages.height, 2))
    return word_page(part, word, rows, at)


def test_the_page_has_the_figures_of_the_study(study):
    data, (pair,) = page_of(study, "cell")
    usages = study.instances.filter(word="cell")
    shown = data["pairs"][0]
    for name, digits in (("sus", 6), ("ldr", 4), ("excess", 6)):
        values = shown["scores"][name]
        assert values == pytest.approx(usages[name].to_list(), abs=10**-digits), name
    assert shown["labels"]["cluster"] == usages["cluster"].cast(str).to_list()
    assert [data["usages"]["id"][k] for k in shown["at"]] == usages["id"].to_list()
    assert shown["olds"] == 40
    expected = (usages["sus"] - usages["excess"]).to_numpy()
    assert shown["chance"] == pytest.approx([expected[:40].mean(), expected[40:].mean()])
    assert list(shown["beyond"]) == list(np.flatnonzero(usages["q"] <= 0.05))
    assert pair.found.verdict == "gained"
    rose, fell = shown["senses"]
    assert [sense["direction"] for sense in (rose, fell)] == ["rose", "fell"]
    assert [share for _, share, *_ in rose["shares"]] == pytest.approx([0, 0.6], abs=0.001)
    assert all(low <= share <= high for _, share, low, high in rose["shares"])
    texts = usages["text"].to_list()
    assert all("phone" in texts[k] for k in rose["members"])
    assert len(rose["members"]) == 24
    senses = data["usages"]["sense"]
    assert senses["values"] == ["first", "phone"]
    assert senses["codes"].count(-1) == 2


def test_plans_give_away_what_sus_does_not_keep(study):
    shown = page_of(study, "cell")[0]["pairs"][0]
    for plan, expected in (
        ("uot", 1 + np.array(shown["scores"]["sus"][:40])),
        ("ot", np.ones(40)),
    ):
        arcs = shown["plans"][plan]
        given = np.bincount(arcs["from"], arcs["shares"][0], minlength=40)
        assert given == pytest.approx(expected, abs=0.02)


def test_the_map_fits_a_square_of_a_thousand(study):
    usages = page_of(study, "stone")[0]["usages"]
    extent = [max(usages[axis]) for axis in "xy"]
    assert max(extent) == 1000
    assert min(map(min, (usages["x"], usages["y"]))) == 0
    assert sorted(usages["along"]) == list(range(80))


def test_spans_count_as_scripts_do():
    study = hostile_study()
    data, _ = page_of(study, "AC/DC")
    text, start, end = (data["usages"][name][0] for name in ("text", "start", "end"))
    units = text.encode("utf-16-le")
    assert units[2 * start : 2 * end].decode("utf-16-le") == "AC/DC"
    assert start > text.index("AC/DC")


def test_usages_of_several_pairs_are_there_once():
    study = three_periods()
    data, pairs = page_of(study, "cell")
    assert len(data["usages"]["id"]) == 36
    assert [(p["old"], p["new"]) for p in data["pairs"]] == [("1800s", "1900s"), ("1900s", "2000s")]
    assert data["pairs"][0]["at"][12:] == data["pairs"][1]["at"][:12]
    assert len(pairs) == 2


def test_a_page_that_is_written_leaves_little_behind(study):
    def held():
        return tracemalloc.get_traced_memory()[0]

    page_of(study, "stone")  # what is made once only
    tracemalloc.start()
    try:
        start = held()
        whole = [page_of(study, "stone") for _ in range(5)]
        with_data = held() - start
        kept = [pairs for _, pairs in whole]
        del whole
        without = held() - start
    finally:
        tracemalloc.stop()
    assert len(kept) == 5
    assert without < with_data / 5
