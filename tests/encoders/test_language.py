import pytest

from senseshift.encoders.language import is_foreign

FOREIGN = {
    "de": "Der Hund bellte die ganze Nacht, und niemand konnte schlafen.",
    "fr": "Le chien aboyait toute la nuit et personne ne pouvait dormir.",
    "la": "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae.",
    "sv": "Hunden skällde hela natten och ingen kunde sova i huset.",
    "nl": "De hond blafte de hele nacht en niemand kon slapen.",
    "ru": "Собака лаяла",
    "zh": "猫坐在垫子上",
    "el": "ο σκύλος γάβγιζε",
}
ENGLISH = [
    "He shewed me the connexion betwixt the two, and I was oblig'd to own it.",
    "tbe houfe was fo large tbat we eould not fee tbe end of it",  # as machines read old print
    "MICE, TO DRIVE AWAY.—",
    "Kishino, Yamagiwa and Nagata",  # too few words to tell
    "3.14 × 2.71",
    "🐭",
    "",
]


@pytest.mark.parametrize("language", FOREIGN)
def test_other_languages_are_foreign_to_english(language):
    assert is_foreign(FOREIGN[language], (0, 3), "en")


@pytest.mark.parametrize("text", ENGLISH)
def test_english_of_all_times_and_what_tells_nothing_is_not(text):
    assert not is_foreign(text, (0, 1), "en")


def test_only_the_words_near_the_target_count():
    english = "The dog barked in the yard all night long and nobody slept. " * 10
    mixed = english + FOREIGN["de"] * 10
    assert not is_foreign(mixed, (4, 7), "en")
    assert is_foreign(mixed, (len(mixed) - 20, len(mixed) - 10), "en")


def test_a_language_is_not_foreign_to_itself():
    assert not is_foreign(FOREIGN["de"], (0, 3), "de")
    assert is_foreign(FOREIGN["de"], (0, 3), "fr")
