import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from senseshift.findings.telling import Background, Contexts, near


def usages(*texts, target="cell"):
    return [(text, text.index(target), text.index(target) + len(target)) for text in texts]


def contexts(old, new, others=()):
    """Contexts of a word among those of other words, which are the same in both periods."""
    rows = usages(*old, *new)
    is_new = np.array([False] * len(old) + [True] * len(new))
    backgrounds = tuple(
        Background.of([*side, *usages(*others, target="other")])
        for side in (rows[: len(old)], rows[len(old) :])
    )
    return Contexts.of(rows, is_new, backgrounds)


OLD = [f"the monk sat in the cell of stone and prayed {k}" for k in "abcdefgh"]
NEW = [f"the battery of her cell phone was empty in the morning {k}" for k in "abcdefgh"]
OTHERS = [f"the other was in the house of the man and of her {k}" for k in "abcdefghijklmnopqrst"]


def test_words_that_tell_the_new_usages():
    found = contexts(OLD, NEW, OTHERS)
    told = found.telling(found.is_new)
    assert {"phone", "battery", "empty"} <= set(told)
    assert not {"the", "of", "in", "was", "her"} & set(told)
    assert {"monk", "prayed"} <= set(found.telling(~found.is_new))


def test_what_is_frequent_near_every_word_of_the_period_tells_nothing():
    """``upon`` is the style of the old period, not of the word."""
    old = [f"{text} upon" for text in OLD]
    style = [f"upon {text}" for text in OTHERS]
    found = contexts(old, NEW, style)
    assert "upon" not in found.telling(~found.is_new)
    alone = contexts(old, NEW)  # nothing but the word itself to compare with
    assert "upon" in alone.telling(~alone.is_new)


def test_of_words_that_tell_as_much_the_one_seldom_elsewhere_comes_first():
    new = [text.replace("battery", "answer aerial") for text in NEW]
    others = [*OTHERS, *(f"no answer from the other {k}" for k in "ab"), *OTHERS * 9]
    found = contexts(OLD, new, others)
    told = found.telling(found.is_new)
    assert told.index("aerial") < told.index("answer")
    assert told.index("phone") < told.index("answer")


def test_a_study_of_one_word_is_compared_with_itself():
    found = contexts(OLD, NEW)
    told = found.telling(found.is_new)
    assert "phone" in told
    assert "the" not in told


def test_the_target_and_its_forms_are_no_neighbours():
    found = contexts([f"{text} cell" for text in OLD], [f"{text} Cell" for text in NEW], OTHERS)
    assert not {"cell", "Cell"} & set(found.vocabulary)


def test_words_keep_their_usual_spelling():
    found = contexts(OLD, [text.replace("phone", "Telefon") for text in NEW], OTHERS)
    assert "Telefon" in found.telling(found.is_new)


def test_words_far_from_the_target_do_not_count():
    far = " ".join(f"w{k}" for k in range(30))
    assert "w29" in near(f"{far} cell", len(far) + 1, len(far) + 5)
    assert "w5" not in near(f"{far} cell", len(far) + 1, len(far) + 5)


def test_scripts_without_spaces_are_read_too():
    old = [f"僧侶は石の房で祈った{k}cell" for k in "ab"]
    new = [f"電話の電池が切れた{k}cell" for k in "abcdef"]
    found = contexts(old, new)
    assert "電池" in found.telling(found.is_new, 20)


def test_nothing_to_tell():
    found = contexts(["cell"], ["cell"])
    assert found.telling(found.is_new) == []
    assert contexts(OLD, NEW).telling(np.zeros(16, bool)) == []


@given(
    st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=2, max_size=12),
    st.data(),
)
def test_any_text_can_be_told(parts, data):
    rows = [(f"{a}cell{b}", len(a), len(a) + 4) for a, b in parts]
    group = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    is_new = np.arange(len(rows)) % 2 == 1
    found = Contexts.of(rows, is_new, (Background.of(rows), Background.of(rows)))
    told = found.telling(group)
    assert set(told) <= set(found.vocabulary)
    assert len(told) <= 6
