"""What is a usage of a word in raw text, and where it begins and ends."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.corpus import find
from senseshift.errors import InputError


@pytest.fixture
def targets(tmp_path):
    """The targets found in a text, as they stand in the contexts kept."""

    def search(text, words, **options):
        path = tmp_path / "corpus.txt"
        path.write_text(text, encoding="utf-8")
        usages = find({"old": path}, words, **({"layout": "lines", "names": "in"} | options))
        return [usages.target(row) for row in range(len(usages))]

    return search


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        ("The cells of a cell, a CELL; Cells!", "cell", ["cells", "cell", "CELL", "Cells"]),
        ("the cell's wall and the cells’ walls", "cell", ["cell", "cells"]),
        ("cell-phone, cell‑like, multi-cell", "cell", []),
        ("cell--a cell—the cell… (cell) 'cell' _cell_", "cell", ["cell"] * 6),
        ("cellar excell cell1 cellé", "cell", []),
        ("mice and a mouse-trap", "mouse", ["mice"]),
        ("He saw it with a saw", "saw", ["saw", "saw"]),
        ("It is o'clock; the clock's late", "clock", ["clock"]),
        ("don’t and do, doesn't, did", "do", ["do", "do", "does", "did"]),
        ("Don lives. I don't.", "don", ["Don"]),
        ("We can't and cannot", "cannot", ["can't", "cannot"]),
        ("a naïve man, naive", "naïve", ["naïve"]),
        ("multi-word mother-in-law's", "mother-in-law", ["mother-in-law"]),
    ],
)
def test_english_by_lemma(targets, text, word, found):
    assert targets(text, [word]) == found


@pytest.mark.parametrize(
    ("language", "text", "word", "found"),
    [
        ("fr", "L'eau, les eaux d’eau, d'Eau; aujourd'hui", "eau", ["eau", "eaux", "eau", "Eau"]),
        ("fr", "aujourd'hui, aujourd’hui", "aujourd'hui", ["aujourd'hui", "aujourd’hui"]),
        ("fr", "« Viens », dit-il. A-t-elle dit ? porte-avions", "dire", ["dit", "dit"]),
        ("it", "dell'acqua e le acque", "acqua", ["acqua", "acque"]),
        ("de", "Die Zelle, ZELLEN, Zellkern, Zellen-Typ", "Zelle", ["Zelle", "ZELLEN"]),
        ("ru", "авторитета и авторитетом", "авторитет", ["авторитета", "авторитетом"]),
        ("hi", "यह किताब है", "किताब", ["किताब"]),
    ],
)
def test_other_languages_by_lemma(targets, language, text, word, found):
    assert targets(text, [word], language=language) == found


def test_decomposed_text_is_found_and_stored_composed(targets, tmp_path):
    for text in ("un naïveté", "a naïve one"):
        word = text.split()[1]
        decomposed = unicodedata.normalize("NFD", text)
        assert decomposed != text
        assert targets(decomposed, [word], by="form") == [word]
        assert targets(text, [unicodedata.normalize("NFD", word)], by="form") == [word]


def test_by_form_and_case(targets):
    assert targets("Cell cells cell", ["cell"], by="form") == ["Cell", "cell"]
    assert targets("Cell cells cell", ["cell"], by="form", fold_case=False) == ["cell"]
    assert targets("Polish the Polish", ["Polish"], by="form", fold_case=False) == ["Polish"] * 2


def test_several_words(targets):
    text = "Hot dogs, a hot\tdog's bun; hot, dog. hot-dog hotdog hot the dog"
    assert targets(text, ["hot dog"]) == ["Hot dogs", "hot dog"]
    assert targets(text, ["hot dog"], by="form") == ["hot dog"]
    assert targets("hot hot dog dog", ["hot dog", "dog", "hot"], by="form") == [
        "hot dog", "dog", "dog", "hot", "hot",
    ]  # fmt: skip


def test_compounds_on_request(targets):
    assert targets("cell-phones of one-cell", ["cell"], compounds=True) == ["cell", "cell"]


def test_regular_expressions(targets):
    text = "colour, color and 細胞が"
    assert targets(text, [r"\bcolou?r\b"], by="regex") == ["colour", "color"]
    assert targets(text, {"cell": "細胞"}, by="regex") == ["細胞"]
    assert targets("aXa", ["x*"], by="regex") == ["X"]
    assert targets("aXa", ["x"], by="regex", fold_case=False) == []
    with pytest.raises(InputError, match=r"expression '\(' is broken"):
        targets("", ["("], by="regex")


def test_tags_are_only_a_name_in_raw_text(targets):
    assert targets("They attack an attack", ["attack_nn"]) == ["attack", "attack"]


def test_words_that_cannot_be_looked_for(targets):
    with pytest.raises(InputError, match=r"'C\+\+' holds characters .* by='regex'"):
        targets("", ["C++"])
    with pytest.raises(InputError, match="no word to look for"):
        targets("", [])
    with pytest.raises(InputError, match="is empty"):
        targets("", ["cell", " "])
    with pytest.raises(InputError, match="by='stem' is not one of lemma, form, regex"):
        targets("", ["cell"], by="stem")
    with pytest.raises(InputError, match="no dictionary of the language 'xx'"):
        targets("cell", ["cell"], language="xx")
    assert targets("cell", ["cell"], language="xx", by="form") == ["cell"]


def test_words_from_a_file(targets, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# targets\ncell_nn\t0.7\n\nhot dog\n")
    assert targets("cells of hot dogs", path) == ["cells", "hot dogs"]
    path.write_text("colour\tcolou?r\n")
    assert targets("color", str(path), by="regex") == ["color"]
    with pytest.raises(InputError, match=r"nowhere.txt does not exist"):
        targets("", "nowhere.txt")
    assert targets("cells", "cell") == ["cells"]


@settings(max_examples=150, deadline=None)
@given(
    pieces=st.lists(
        st.sampled_from(["cell", "Cells", "x", "naïve", ". ", "!\n", " ", ", ", "é", "\t"])
    ),
    context=st.integers(0, 12),
    layout=st.sampled_from(["lines", "paragraphs", "running"]),
)
def test_a_span_always_holds_the_target(tmp_path_factory, pieces, context, layout):
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_text(" ".join(pieces), encoding="utf-8")
    usages = find({"old": path}, ["cell", "naïve"], context=context, layout=layout, names="in")
    assert (len(usages) > 0) == any(piece in ("cell", "Cells", "naïve") for piece in pieces)
    for row in range(len(usages)):
        expected = {"cell": {"cell", "cells"}, "naïve": {"naïve"}}[usages.table["word"][row]]
        assert usages.target(row).lower() in expected
        assert "\n" not in usages.table["text"][row]
