"""A study says what made it, so that whoever reads its page can make it again."""

import json
import warnings

import pytest
from reading import read_senses

from senseshift import Usages, compare, find, read, report
from senseshift.errors import InputError, LanguageWarning, UnreadWarning

OLD = "The monk sat in his cell. A bare cell of stone. He left the cell at dawn.\n"
NEW = "Her cell was flat. The cell had no signal. A cell of a battery. The prison cell.\n"


@pytest.fixture
def found(tmp_path):
    (tmp_path / "old.txt").write_text(OLD, "utf-8")
    (tmp_path / "new.txt").write_text(NEW, "utf-8")
    return find(
        {"old": [tmp_path / "old.txt"], "new": [tmp_path / "new.txt"]},
        ["cell", "unicorn"], max_usages=3, seed=7,
    )  # fmt: skip


@pytest.fixture
def study(found):
    return compare(
        found, read_senses, measures=["f_SUS"], permutations=20, seed=5,
        made_by={"command": "senseshift compare --seed 5"},
    )  # fmt: skip


def test_the_study_records_all_that_it_depends_on(study, tmp_path):
    study.save(tmp_path / "study")
    about = json.loads((tmp_path / "study" / "study.json").read_text("utf-8"))
    assert about["words"] == ["cell", "unicorn"]
    assert [file["name"] for file in about["corpora"]["files"]] == ["old.txt", "new.txt"]
    asked = about["corpora"]["settings"]
    assert (asked["max_usages"], asked["seed"], asked["language"]) == (3, 7, "en")
    assert about["language"] == "en"
    assert about["settings"]["rho"] == 1.0
    assert (about["settings"]["permutations"], about["settings"]["seed"]) == (20, 5)
    assert about["warnings"] == []
    assert about["usages"] == 6
    assert about["command"] == "senseshift compare --seed 5"


def test_the_study_keeps_what_was_said_while_corpora_were_read(tmp_path):
    for period, text in (("old", OLD), ("new", NEW)):
        (tmp_path / period).mkdir()
        (tmp_path / period / "text.txt").write_text(text, "utf-8")
    (tmp_path / "old" / "scan.pdf").write_bytes(b"%PDF-1.4")
    with pytest.warns(UnreadWarning):
        found = find({"old": [tmp_path / "old"], "new": [tmp_path / "new"]}, ["cell"])
    found.write(tmp_path / "usages.parquet")
    for usages in (found, read(tmp_path / "usages.parquet")):
        study = compare(usages, read_senses, measures=["f_SUS"], permutations=20)
        (said,) = study.about["warnings"]
        assert "1 file of the corpora is not read: scan.pdf" in said


def test_the_page_tells_it(study, tmp_path):
    text = report.write(study, tmp_path / "pages").read_text("utf-8")
    foot = text[text.index("About this study") :]
    for part in (
        "cell, unicorn", "2 files", "old.txt", "at most 3 usages", "seed 7", "language en",
        "20, seed 5", "ρ = 1", "cosine distance", "senseshift compare --seed 5", "read_senses",
        study.about["usages_fingerprint"],
    ):  # fmt: skip
        assert part in foot, part


class English:
    """An encoder that knows one language."""

    name, dimension, fingerprint, languages = "english", 6, "english-1", ("en",)

    def encode(self, texts, spans):
        return read_senses(texts, spans)


def test_a_language_that_the_encoder_does_not_know_is_recorded(tmp_path):
    text = "Der Hund bellte die ganze Nacht im Hof und niemand schlief"
    records = [
        {"word": "Hund", "period": p, "id": f"{p}{k}", "text": text, "start": 4, "end": 8}
        for p in "12" for k in range(2)
    ]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LanguageWarning)
        study = compare(
            Usages.from_records(records), English(), measures=["f_SUS"], permutations=0,
            cache=False,
        )  # fmt: skip
    (said,) = study.about["warnings"]
    assert said.startswith("4 of 4 usages are not in the language 'en'")
    assert "not in the language" in report.write(study, tmp_path / "pages").read_text("utf-8")


def test_usages_of_words_that_were_not_measured_are_not_counted(usages):
    lonely = usages.table.filter(word="bank", period="old").with_columns(word="word")
    lonely = lonely.with_columns(word=lonely["word"].str.replace("bank", "lonely"))
    both = Usages.concat([usages, Usages.from_table(lonely)], periods=("old", "new"))
    study = compare(both, read_senses, measures=["f_SUS"], permutations=0)
    assert (len(both), study.about["usages"]) == (140, 120)
    assert "3 words, 120 usages" in str(study)


def test_where_nothing_was_found_there_is_no_study(tmp_path):
    (tmp_path / "old.txt").write_text(OLD, "utf-8")
    (tmp_path / "new.txt").write_text(NEW, "utf-8")
    corpora = {"old": [tmp_path / "old.txt"], "new": [tmp_path / "new.txt"]}
    with pytest.raises(InputError, match=r"no usage was found \(zzzqqq: never found"):
        compare(find(corpora, ["zzzqqq"]), read_senses)
    with pytest.raises(InputError, match="no usage was found"):
        compare(find(corpora, ["cell", "zzzqqq"]), read_senses, words=["zzzqqq"])
