"""The identity of a usage: of its content, all of it, and of nothing else."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.usages import Usages
from senseshift.usages.identity import CONTENT, fingerprint, identities

ROWS = [
    dict(zip((*CONTENT, "date"), row, strict=True))
    for row in (
        ("cell", "old", "a", "A monk's cell.", 9, 13, "1815"),
        ("cell", "new", "b", "The naïve cells.", 10, 15, "1965"),
        ("monk", "old", "a", "A monk's cell.", 2, 6, "1815"),
    )
]


def table(rows):
    return Usages.from_records(rows).table


def test_it_is_the_same_in_every_version():
    # Written down when the function was made: studies on disk depend on it.
    assert identities(table(ROWS)).to_list() == [
        "34ef6c957c58d852d7fdfa0c7f5802db",
        "b2d246621b907380b1c5202d016823b5",
        "5a515a2a7c5aaf574ea466ef9af20108",
    ]
    assert fingerprint(table(ROWS)) == "e28a3f48ee9b9a8b01f614b52836bd57"


@pytest.mark.parametrize("column", CONTENT)
def test_every_part_of_the_content_counts(column):
    before = table(ROWS[:1])
    changed = pl.lit(7) if column in ("start", "end") else pl.col(column) + "x"
    after = before.with_columns(changed.alias(column))
    assert identities(before)[0] != identities(after)[0]
    assert fingerprint(before) != fingerprint(after)


def test_order_counts_for_all_usages_and_not_for_one():
    forth, back = table(ROWS), table(ROWS[::-1])
    assert identities(forth).to_list() == identities(back).to_list()[::-1]
    assert fingerprint(forth) != fingerprint(back)
    assert fingerprint(forth) != fingerprint(forth[:2])


def test_further_columns_do_not_count():
    assert fingerprint(table(ROWS)) == fingerprint(table(ROWS).drop("date"))


@given(st.lists(st.text("a1:\0", max_size=3), min_size=4, max_size=4), st.permutations(range(4)))
def test_nothing_moves_from_one_field_to_the_next(fields, order):
    frames = [
        pl.DataFrame(dict(zip(CONTENT, [*values, 0, 1], strict=True)), orient="row")
        for values in (fields, [fields[k] for k in order], ["".join(fields), "", "", ""])
    ]
    same = [frames[0].equals(frame) for frame in frames]
    assert [identities(frames[0])[0] == identities(frame)[0] for frame in frames] == same
