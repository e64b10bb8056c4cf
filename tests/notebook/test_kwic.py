from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

from pictures import made_study
from senseshift import Study
from senseshift.colours import DIVERGING
from senseshift.errors import InputError


class Table(HTMLParser):
    """The cells of a table, and every tag there is."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.rows, self.attributes = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes.append(dict(attributes))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows:
            self.rows[-1][-1] += data


def with_texts(study, **columns):
    instances = study.instances.with_columns(**columns)
    return Study(study.words, instances, study.arcs, study.vectors, study.about)


def test_it_is_a_table_of_every_usage_with_the_word_in_the_middle():
    study = made_study()
    table = Table(study.concordance("cell")._repr_html_())
    head, *rows = table.rows
    assert head == ["SUS", "period", "sense", "", "cell", ""]
    assert len(rows) == 40
    usages = study.usages_of("cell")
    for row, usage in zip(rows, usages.iter_rows(named=True), strict=True):
        assert row[0] == f"{usage['sus']:+.3f}".replace("-", "−")
        assert row[1:3] == [usage["period"], usage["sense"]]
        assert "".join(row[3:]) == usage["text"]
        assert row[4] == "cell"


def test_sus_has_the_colours_of_the_maps():
    table = Table(made_study().concordance("cell")._repr_html_())
    fills = [a["style"].partition("background:")[2][:7] for a in table.attributes if "style" in a]
    fills = [fill for fill in fills if fill.startswith("#")]
    sus = made_study().usages_of("cell")["sus"].to_numpy()
    low, high = np.quantile(np.abs(sus), [0.30, 0.95])
    shades = np.searchsorted(np.linspace(low, high, 5)[:4], np.abs(sus))  # 0 white, 4 darkest
    assert fills == [
        DIVERGING[5 + shade if value > 0 else 4 - shade]
        for value, shade in zip(sus, shades, strict=True)
    ]
    assert {DIVERGING[1], "#ffffff", DIVERGING[-1]} < set(fills)  # blue, white and red


def test_it_can_be_ordered_otherwise_and_cut():
    study = made_study()
    assert study.concordance("bank", by="period").usages["period"].to_list() == (
        ["old"] * 20 + ["new"] * 20
    )
    assert study.concordance("bank", by="sense").usages["sense"].is_sorted()
    lowest = study.concordance("bank", descending=False, count=3)
    assert lowest.usages["sus"][0] == study.usages_of("bank")["sus"].min()
    assert str(lowest).startswith("bank: 3 of 40 usages\n")
    assert str(lowest).count("[bank]") == 3
    with pytest.raises(InputError, match="no 'date' to order by"):
        study.concordance("bank", by="date")


def test_text_from_outside_is_escaped():
    hostile = "<script>alert('x')</script><img src=x onerror=y>\"'&amp;</td></table>"
    start = pl.lit(0)
    study = with_texts(
        made_study(), text=pl.lit(hostile), start=start, end=pl.lit(8), sense=pl.lit(hostile),
        date=pl.lit(hostile),
    )  # fmt: skip
    html = study.concordance("cell")._repr_html_()
    table = Table(html)
    assert set(table.tags) == {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "b"}
    assert table.rows[1][2] == hostile
    assert "".join(table.rows[1][4:]) == hostile


@pytest.mark.parametrize(
    ("text", "start", "end", "direction"),
    [("the cell is", 4, 8, "ltr"), ("في الخلية هنا", 3, 9, "rtl"), ("בתא הזה", 0, 3, "rtl")],
)
def test_scripts_from_right_to_left_have_what_comes_before_on_the_right(
    text, start, end, direction
):
    study = with_texts(made_study(), text=pl.lit(text), start=pl.lit(start), end=pl.lit(end))
    table = Table(study.concordance("cell")._repr_html_())
    assert table.attributes[table.tags.index("table")]["dir"] == direction
    assert table.rows[1][3:] == [text[:start], text[start:end], text[end:]]
