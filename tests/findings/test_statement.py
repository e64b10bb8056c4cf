from dataclasses import replace

import pytest

from senseshift.findings import VERDICTS, Change, said
from senseshift.findings.statement import is_marked

ROW = {"verdict": "unclear", "old_usages": 40, "new_usages": 50}


def change(name, old, new, marked=True):
    return Change(name, name, (40, 50), (old, new), new - old, -1.0, 1.0, 0.001, 0.01, marked)


ROSE, FELL = change("pilot", 0.0, 0.6), change("geometry", 0.7, 0.1)
STAYED = change("tool", 0.3, 0.3, marked=False)


def test_a_gained_sense_is_named_with_its_shares():
    first, second = said(ROW | {"verdict": "gained"}, [ROSE, FELL, STAYED])
    assert first.startswith("Gained a sense: ")
    assert "pilot" in first
    assert "rose from 0 % to 60 %" in first.replace("\u00a0", " ")
    assert "geometry" in second
    assert "tool" not in first + second


def test_the_sense_that_came_or_went_is_named_before_one_that_moved_farther():
    disc = replace(change("disc", 0.0, 0.2), came=True)
    told = said(ROW | {"verdict": "gained"}, [ROSE, disc, FELL])
    order = ("disc", "pilot", "geometry")
    assert all(name in sentence for name, sentence in zip(order, told, strict=True))
    assert told[0].startswith("Gained a sense: ")
    gone = replace(change("moral", 0.2, 0.0), came=True)
    told = said(ROW | {"verdict": "lost"}, [ROSE, FELL, gone])
    assert ["moral" in told[0], "geometry" in told[1]] == [True, True]
    # Of a word that gained a sense a shade that it lost is not told first.
    told = said(ROW | {"verdict": "gained"}, [disc, FELL, gone])
    assert ["geometry" in told[1], "moral" in told[2]] == [True, True]


def test_what_was_lost_is_told_first():
    first, second = said(ROW | {"verdict": "lost"}, [ROSE, FELL])
    assert "geometry" in first
    assert "pilot" in second


@pytest.mark.parametrize("verdict", ["unclear", "few"])
def test_nothing_is_claimed_where_nothing_is_clear(verdict):
    """Even if a sense is marked or drift is small, the verdict decides what is said."""
    told = " ".join(said(ROW | {"verdict": verdict}, [ROSE, FELL]))
    assert told.startswith(VERDICTS[verdict])
    assert not {"rose", "fell", "gained", "lost", "broadened", "narrowed"} & set(
        told.lower().split()
    )


def test_it_is_told_why_what_differs_beyond_chance_is_not_marked():
    differs = change("tool", 0.1, 0.6, marked=False)  # its q is small
    assert "too few documents" in said(ROW, [differs, STAYED])[0]
    assert "differs by too little" in said(ROW, [replace(differs, shares=(0.5, 0.6)), STAYED])[0]
    as_chance_has_it = [replace(change, q=0.3) for change in (differs, STAYED)]
    assert "no sense's share differs" in said(ROW, as_chance_has_it)[0]


CHANGE = {"p": 0.01, "q": 0.09, "documents": None, "largest": None}


@pytest.mark.parametrize(
    ("row", "shares", "marked"),
    [
        ({}, (0.1, 0.3), True),
        ({}, (0.3, 0.1), True),
        ({}, (0.0, 0.05), True),
        ({"q": 0.11}, (0.1, 0.3), False),  # of all of the study too many would be told by chance
        ({"p": 0.06, "q": 0.06}, (0.1, 0.3), False),  # the only word of a study
        ({"p": None, "q": None}, (0.1, 0.3), False),
        ({"p": None, "q": None}, (0.1, float("nan")), False),
        ({"documents": 2, "largest": 0.5}, (0.1, 0.3), False),
        ({"documents": 9, "largest": 0.6}, (0.1, 0.3), False),
        ({"documents": 9, "largest": 0.5}, (0.1, 0.3), True),
        ({"p": 1e-9, "q": 1e-9}, (0.5, 0.6), False),  # sure as can be, and little to speak of
        ({"p": 1e-9, "q": 1e-9}, (0.0, 0.03), False),
    ],
)
def test_a_sense_is_marked_by_p_and_q_by_how_far_it_moved_and_by_its_documents(row, shares, marked):
    assert is_marked(CHANGE | row, shares) == marked


def test_words_of_one_period_are_new_or_gone_with_their_counts():
    new = {"verdict": "new", "old_usages": 0, "new_usages": 1_200}
    assert said(new, []) == ["New word: 1,200 usages, and none in the old period."]
    gone = {"verdict": "gone", "old_usages": 1, "new_usages": 0}
    assert said(gone, []) == ["Gone word: 1 usage, and none in the new period."]


def test_broadened_only_where_the_interval_of_the_entropies_excludes_zero():
    row = ROW | {"verdict": "shifted"}
    assert "broadened" in " ".join(said(row | {"scope_low": 0.1, "scope_high": 0.4}, [ROSE]))
    assert "narrowed" in " ".join(said(row | {"scope_low": -0.4, "scope_high": -0.1}, [FELL]))
    neither = " ".join(said(row | {"scope_low": -0.1, "scope_high": 0.4}, [ROSE]))
    assert "broadened" not in neither
    assert "narrowed" not in neither


def test_senses_that_were_induced_must_lie_farther_apart_as_well():
    """Entropy alone grows where one sense was taken for several."""
    row = ROW | {"verdict": "shifted", "scope_low": 0.1, "scope_high": 0.4, "spread": 0.1}
    for spread, told in (((0.02, 0.2), True), ((-0.02, 0.2), False), ((-0.2, -0.1), False)):
        bounds = dict(zip(("spread_low", "spread_high"), spread, strict=True))
        assert ("broadened" in " ".join(said(row | bounds, [ROSE]))) == told
        assert "narrowed" not in " ".join(said(row | bounds, [ROSE]))
    assert "broadened" not in " ".join(said(row, [ROSE]))  # of one document nothing is known


def test_reference_words_and_a_dominating_document_are_told():
    row = ROW | {"verdict": "shifted", "drift_p": 0.03, "new_largest_document": 0.45}
    told = " ".join(said(row | {"old_largest_document": 0.1}, [ROSE])).replace("\u00a0", " ")
    assert "more than 97 % of comparable words" in told
    assert "one document has 45 % of its new usages" in told


def test_more_than_hardly_any_or_almost_all_reference_words_reads_well():
    told = [
        " ".join(said(ROW | {"drift_p": p}, [STAYED])).replace("\u00a0", " ")
        for p in (0.00995, 0.0005, 0.995)
    ]
    assert "more than 99 % of" in told[0]
    assert "more than 99 % of" in told[1]
    assert "comparable" not in told[2]


def test_names_from_right_to_left_are_isolated():
    (told,) = said(ROW | {"verdict": "gained"}, [change("خلية", 0.0, 0.5)])
    assert "\u2068خلية\u2069" in told
