from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.findings.telling import Background, Contexts, Reader

ENGLISH, ANY = Reader("en"), Reader()


def usages(*texts, target="cell"):
    return [(text, text.index(target), text.index(target) + len(target)) for text in texts]


def contexts(old, new, others=(), reader=ENGLISH, documents=None):
    """Contexts of a word among those of other words, which are the same in both periods."""
    rows = usages(*old, *new)
    periods = ["old"] * len(old) + ["new"] * len(new)
    elsewhere = usages(*others, target="other")
    backgrounds = {
        "old": Background.of([*rows[: len(old)], *elsewhere], reader),
        "new": Background.of([*rows[len(old) :], *elsewhere], reader),
    }
    return Contexts.of(rows, periods, backgrounds, reader, documents)


def told(found, group, count=6):
    return [term.text for term in found.telling(group, count)]


IS_NEW = np.repeat([False, True], 8)
OLD = [f"the monk sat in the cell of stone and prayed {k}" for k in "abcdefgh"]
NEW = [f"the battery of her cell phone was empty in the morning {k}" for k in "abcdefgh"]
OTHERS = [f"the other was in the house of the man and of her {k}" for k in "abcdefghijklmnopqrst"]


def test_words_that_tell_the_new_usages_with_their_counts():
    found = contexts(OLD, NEW, OTHERS)
    terms = {term.text: term for term in found.telling(IS_NEW)}
    assert {"cell phone", "battery", "empty"} <= set(terms)
    assert not {"the", "of", "in", "was", "her"} & set(terms)
    assert (terms["battery"].inside, terms["battery"].outside) == (8, 0)
    assert {"monk", "prayed"} <= set(told(found, ~IS_NEW))


def test_inflections_are_one_word():
    new = [
        text.replace("battery", "batteries" if k % 2 else "battery") for k, text in enumerate(NEW)
    ]
    (term,) = [t for t in contexts(OLD, new, OTHERS).telling(IS_NEW) if t.text.startswith("batter")]
    assert term.inside == 8
    assert term.usages == tuple(range(8, 16))  # whichever way they spell it
    singly = contexts(OLD, new, OTHERS, reader=ANY).telling(IS_NEW)
    assert [t.inside for t in singly if t.text.startswith("batter")] == [4, 4]


def test_what_mostly_stands_beside_the_target_is_told_with_it():
    far = [f"her cell rang and the phone was new {k}" for k in "abcdefgh"]
    assert "phone" in told(contexts(OLD, far, OTHERS), IS_NEW)
    assert "cell phone" in told(contexts(OLD, NEW, OTHERS), IS_NEW)


def test_two_usages_or_one_document_tell_nothing():
    new = [*(f"her aerial cell {k}" for k in "ab"), *(f"her cell {k}" for k in "cdefgh")]
    assert "aerial cell" not in told(contexts(OLD, new, OTHERS), IS_NEW, 20)
    one = np.repeat(np.arange(9), [1] * 8 + [8])  # all new usages are of one document
    assert told(contexts(OLD, NEW, OTHERS, documents=one), IS_NEW) == []
    several = np.arange(16)
    terms = contexts(OLD, NEW, OTHERS, documents=several).telling(IS_NEW)
    assert {term.documents for term in terms if term.text == "battery"} == {8}


def test_names_and_pieces_of_words_are_flagged():
    new = [f"old Zorblatt Quux had a cell phone natu here {k}" for k in "abcdefgh"]
    flags = {term.text: term.flag for term in contexts(OLD, new, OTHERS).telling(IS_NEW, 20)}
    assert flags["Zorblatt"] == "name"
    assert flags["natu"] == "fragment"
    assert flags["cell phone"] == ""


def test_what_is_frequent_near_every_word_of_the_period_tells_nothing():
    """``upon`` is the style of the old period, not of the word."""
    old = [f"{text} upon" for text in OLD]
    style = [f"upon {text}" for text in OTHERS]
    assert "upon" not in told(contexts(old, NEW, style), ~IS_NEW)
    alone = contexts(old, NEW)  # nothing but the word itself to compare with
    assert "upon" in told(alone, ~IS_NEW, 20)


def test_of_words_that_tell_as_much_the_one_seldom_elsewhere_comes_first():
    new = [text.replace("battery", "answer aerial") for text in NEW]
    others = [*OTHERS, *(f"no answer from the other {k}" for k in "ab"), *OTHERS * 9]
    order = told(contexts(OLD, new, others), IS_NEW, 10)
    assert order.index("aerial") < order.index("answer")


def test_by_chance_hardly_anything_is_told():
    """Words dealt to usages at random: of what is told one in ten may be chance."""
    rng = np.random.default_rng(1)
    vocabulary = [f"w{a}{b}x" for a in "abcdefghij" for b in "abcdefghij"]
    texts = [f"{' '.join(rng.choice(vocabulary, 8))} cell" for _ in range(200)]
    rows = usages(*texts)
    background = {"old": Background.of(rows, ANY)}
    silent = 0
    for seed in range(40):
        group = np.random.default_rng(seed).random(200) < 0.4
        silent += not Contexts.of(rows, ["old"] * 200, background, ANY).telling(group)
    assert silent >= 32


def test_a_study_of_one_word_is_compared_with_itself():
    order = told(contexts(OLD, NEW), IS_NEW)
    assert "phone" in order
    assert not {"the", "the cell", "her cell"} & set(order)


def test_the_target_and_its_forms_are_no_neighbours():
    found = contexts([f"{text} cells" for text in OLD], [f"{text} Cell" for text in NEW], OTHERS)
    assert not {"cell", "cells"} & set(found.keys)


def test_words_keep_their_usual_spelling():
    found = contexts(OLD, [text.replace("phone", "Telefon") for text in NEW], OTHERS)
    assert "cell Telefon" in told(found, IS_NEW)


def test_words_far_from_the_target_do_not_count():
    far = " ".join(f"w{k}" for k in range(30))
    near = ANY.near(f"{far} cell", len(far) + 1, len(far) + 5)
    assert "w29" in near
    assert "w5" not in near


def test_scripts_without_spaces_are_read_too():
    old = [f"僧侶は石の房で祈った{k}cell" for k in "abcdef"]
    new = [f"電話の電池が切れた{k}cell" for k in "abcdef"]
    found = contexts(old, new, reader=Reader("ja"))
    assert "電池" in told(found, np.repeat([False, True], 6), 20)


def test_nothing_to_tell():
    assert told(contexts(["cell"], ["cell"]), np.array([False, True])) == []
    assert told(contexts(OLD, NEW), np.zeros(16, bool)) == []


@pytest.mark.parametrize("reader", [ENGLISH, ANY], ids=["English", "any language"])
@given(
    parts=st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=2, max_size=12),
    data=st.data(),
)
def test_any_text_can_be_told(reader, parts, data):
    rows = [(f"{a}cell{b}", len(a), len(a) + 4) for a, b in parts]
    group = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    periods = [("old", "new")[k % 2] for k in range(len(rows))]
    backgrounds = dict.fromkeys(("old", "new"), Background.of(rows, reader))
    found = Contexts.of(rows, periods, backgrounds, reader)
    terms = found.telling(group)
    assert len(terms) <= 6
    for term in terms:
        assert 3 <= term.inside <= group.sum()
        assert 0 <= term.outside <= (~group).sum()


def test_german_nouns_are_one_word_in_all_forms_and_no_names():
    german = Reader("de")
    assert german.key("Maus") == german.key("Mäuse") == german.key("Mäusen") == "maus"
    assert german.flag("Schwungrath", Counter({"Schwungrath": 9})) == ""
    assert ENGLISH.flag("Schwungrath", Counter({"Schwungrath": 9})) == "name"


def test_german_function_words_tell_nothing_without_a_list_of_them():
    old = [f"der Mönch saß in der cell aus Stein und betete {k}" for k in "abcdefgh"]
    new = [f"der Akku von der cell war am Morgen leer und kalt {k}" for k in "abcdefgh"]
    others = [f"der other war in der Stadt und von der Frau {k}" for k in "abcdefghijklmnopqrst"]
    terms = told(contexts(old, new, others, reader=Reader("de")), IS_NEW)
    assert "Akku" in terms
    assert not {"der", "und", "von", "war"} & set(terms)
