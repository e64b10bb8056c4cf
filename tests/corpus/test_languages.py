"""Finding in other languages: spelling, inflection, sentences, scripts without spaces."""

from __future__ import annotations

import polars as pl
import pytest

from senseshift.corpus import draw_controls, find, vocabulary
from senseshift.corpus.contexts import splitter
from senseshift.corpus.counting import COMMONEST, SCHEMA
from senseshift.errors import InputError


def found(tmp_path, text, word, language, **options):
    """The forms and contexts that are found of a word."""
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    usages = find({"old": tmp_path / "text.txt"}, [word], language=language, **options)
    rows = usages.table.select("text", "start", "end").rows()
    return [(text[start:end], text) for text, start, end in rows]


def forms(*given, **options):
    return sorted(form for form, _ in found(*given, **options))


def test_german_nouns_are_found_in_their_forms_and_are_no_names(tmp_path):
    text = (
        "Die Mäuse kamen. Eine MAUS und noch eine maus saßen im Schloß. Des Schlosses Herr schlief."
    )
    assert forms(tmp_path, text, "Maus", "de") == ["MAUS", "Mäuse", "maus"]
    assert forms(tmp_path, text, "Schloss", "de") == ["Schlosses", "Schloß"]


def test_what_is_said_not_to_be_handled_is_not(tmp_path):
    """Compounds and separable verbs of German, and spelling before its reforms."""
    text = "Die Feldmaus hörte auf und fing wieder an. Er schloß die Thür."
    for word in ("Maus", "aufhören", "Tür"):
        assert found(tmp_path, text, word, "de") == []


def test_latin_is_found_in_any_spelling(tmp_path):
    text = "Virtus laudatur. Uirtutem quaerunt, VIRTVTIS AMORE. Cum virtūte et justitiā, iustitia."
    expected = ["Uirtutem", "VIRTVTIS", "Virtus", "virtūte"]
    assert forms(tmp_path, text, "virtus", "la") == expected
    assert forms(tmp_path, text, "uirtus", "la") == expected
    assert forms(tmp_path, text, "iustitia", "la") == ["iustitia", "justitiā"]


def test_russian_is_found_with_and_without_its_dots(tmp_path):
    text = "Ёлка стояла в углу. Под елкой лежали подарки, вокруг ёлки плясали."
    assert forms(tmp_path, text, "ёлка", "ru") == ["Ёлка", "елкой", "ёлки"]
    assert forms(tmp_path, text, "елка", "ru") == ["Ёлка", "елкой", "ёлки"]


def test_turkish_has_two_letters_i(tmp_path):
    text = "Işık söndü. IŞIK yandı, ışıklar gitti."
    assert forms(tmp_path, text, "ışık", "tr", names="in") == ["IŞIK", "Işık", "ışıklar"]


def test_scripts_without_spaces_are_searched_by_form(tmp_path):
    text = "他在河岸上走了很久。银行在对岸。Bank of China！好。"
    usages = found(tmp_path, text, "岸", "zh", by="form", layout="paragraphs")
    assert usages == [("岸", "他在河岸上走了很久。"), ("岸", "银行在对岸。")]
    assert forms(tmp_path, text, "Bank", "zh", by="form") == ["Bank"]
    with pytest.raises(InputError, match="by='form'"):
        found(tmp_path, text, "岸", "zh")


SENTENCES = {
    "de": ["Er kam am 3. Mai mit Dr. Meyer.", "»Wohin?« fragte er.", "Gut."],
    "es": ["El Sr. López vino.", "¿Adónde va?", "No sé."],
    "ru": ["«Куда?» — спросил он.", "Никто не ответил."],
    "el": ["Πού πας;", "Δεν ξέρω."],
    "hi": ["वह गया।", "वह आई।"],
}


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_end_as_the_language_has_it(language):
    sentences = SENTENCES[language]
    assert splitter(language)(" ".join(sentences)) == sentences


def test_quotations_of_scripts_without_spaces_stay_whole():
    text = "「走了。」她说。好吗？好！"
    assert splitter("zh")(text) == ["「走了。」", "她说。", "好吗？", "好！"]


def test_reference_words_of_german_are_nouns_too():
    """Nearly all their usages have a capital inside the sentence, which makes no name of them."""
    common = [(f"wort{k}", 9_000, 0) for k in range(COMMONEST)]
    rows = [*common, ("wind", 100, 99), ("wagen", 100, 98), ("warm", 100, 0)]
    counts = pl.DataFrame(
        [(word, period, count, names) for word, count, names in rows for period in ("a", "b")],
        schema=SCHEMA,
        orient="row",
    )
    assert sorted(draw_controls(counts, ["Wagen"], 5, language="de")) == ["warm", "wind"]
    assert draw_controls(counts, ["Wagen"], 5, language="nl") == ["warm"]


def test_the_forms_of_a_german_noun_are_counted_together(tmp_path):
    (tmp_path / "old.txt").write_text(
        "Da war die Maus. Da sind Mäuse. Nun kam er zur Maus.", "utf-8"
    )
    counts = vocabulary({"old": tmp_path / "old.txt"}, language="de")
    assert counts.filter(word="maus")["count"].to_list() == [3]
