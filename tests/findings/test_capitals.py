"""Senses that are written as names are."""

import pytest

import senseshift
from senseshift.findings import word_finding
from senseshift.findings.capitals import as_names, has_capital


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They dined at [Maxim]'s again.", True),
        ("It was a [maxim] of hers.", False),
        ("[Maxim] was late.", None),  # the beginning of a sentence says nothing
        ("He left. [Maxim] stayed.", None),
        ("She said, “[Maxim] is late.”", None),
        ("A LIFE OF [MAXIM] GORKY", None),
        ("", None),
        ("\u00a0 [x]", None),
    ],
)
def test_a_capital_tells_only_within_a_sentence(text, expected):
    start, end = (text.index("["), text.index("]") - 1) if text else (0, 0)
    assert has_capital(text.replace("[", "").replace("]", ""), start, end) is expected


def test_a_sense_is_a_name_where_only_it_has_capitals():
    capitals = [True] * 8 + [False] * 2 + [None] * 3 + [False] * 9 + [True]
    assert as_names(capitals, range(13)) == (8, 10)
    assert as_names(capitals, range(13, 23)) is None  # the other one
    assert as_names([True] * 20, range(10)) is None  # as nouns are in German
    assert as_names([True, True, False, False], range(2)) is None  # too few to tell
    assert as_names([True] * 3 + [None] * 9, range(3)) is None
    assert as_names([], []) is None


def test_the_statement_asks_whether_a_gained_sense_is_a_name(tmp_path):
    rules = ("a sound maxim to follow in business", "the maxim that haste makes waste",
             "an old maxim of the law courts", "her father's maxim on thrift")  # fmt: skip
    names = ("We saw Maxim at the station in Kiev", "with Maxim and his brother Pavel",
             "I asked Maxim to bring the horses", "then young Maxim rode home")  # fmt: skip
    rows = []
    for k in range(24):
        for period, text in (("old", rules[k % 4]), ("new", (rules if k < 8 else names)[k % 4])):
            text = f"{text}, number {k} of the {period} ones."
            start = text.lower().index("maxim")
            rows.append(
                {"word": "maxim", "period": period, "id": f"{period}{k}", "text": text,
                 "start": start, "end": start + 5, "sense": "name" if "Maxim" in text else "rule"}
            )  # fmt: skip
    study = senseshift.compare(
        senseshift.Usages.from_records(rows, periods=["old", "new"]), senses="given"
    )
    told = word_finding(study, study.view("maxim")).sentences
    assert told[0].replace("\u00a0", " ") == (
        "Gained a sense: ‘\u2068name\u2069’ rose from 0 % to 67 % "
        "(a name? 16 of 16 with a capital)."
    )
    assert "capital" not in told[1]
