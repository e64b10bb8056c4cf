import csv
import io
import json

import pytest
from rich.console import Console

from senseshift.evaluation.rendering import as_csv, as_json, as_latex, in_terminal
from senseshift.evaluation.table import Column, Context, Method, Number, Repeated, Table


@pytest.fixture
def table():
    columns = [
        Column("method", "method", "Method"), Column("text", "text"),
        Column("λ = 10", "lambda_10", r"$\lambda = 10$", right=True),
        Column("published", "published_lambda_10", right=True),
    ]  # fmt: skip
    rows = [
        [Method("tau_SUS"), Context("50 % of ", "a_b", " & c"), Number("tau_SUS", "x", 0.456, 0.05),
         Number("tau_SUS", "x", 0.99, published=True)],
        [Repeated("tau_SUS"), "–", Number("tau_SUS", "x", 0.4449, 0.1),
         Number("tau_SUS", "x", None, published=True)],
        [Method("f_1"), "λ", Number("f_1", "x", -0.004, 0.2, (10.0, 0.8)),
         Number("f_1", "x", -0.5, published=True)],
        [Method("g_vMF"), "", Number("g_vMF", "x", None),
         Number("g_vMF", "x", 0.1, published=True)],
    ]  # fmt: skip
    return Table("2", "A title with τ", columns, rows, ["A note."], frozenset({2})).with_best()


def printed(table):
    console = Console(width=100, color_system="standard", force_terminal=True)
    with console.capture() as text:
        console.print(*in_terminal(table))
    return text.get()


def test_the_best_of_ours_is_bold_and_what_prints_alike_is_as_good(table):
    best = [cell.best for row in table.rows for cell in row if isinstance(cell, Number)]
    assert best == [True, False, False, False, False, False, False, False]
    alike = Table(
        "3", "", table.columns[:1], [[Number("f_1", "x", v)] for v in (0.706, 0.714, 0.2)]
    )
    assert [row[0].best for row in alike.with_best().rows] == [True, True, False]
    by_row = Table("6", "", table.columns[:2], [[Number("f_1", "x", 0.1), Number("f_1", "y", 0.2)]])
    assert [cell.best for cell in by_row.with_best("row").rows[0]] == [False, True]


def test_terminal(table):
    text = printed(table)
    assert "\x1b[1m0.46\x1b[0m ± 0.05" in text
    assert "τ_SUS" in text
    assert "50 % of \x1b[1ma_b\x1b[0m & c" in text
    assert "\x1b[2m0.99\x1b[0m" in text  # the paper's stand back
    assert "-0.00" not in text
    assert text.count("τ_SUS") == 1
    assert "A note." in text


def test_latex(table):
    text = as_latex(table)
    assert text.splitlines()[:2] == ["% A title with τ", "% A note."]
    assert r"\begin{tabular}{llrr}" in text
    assert r"Method & text & $\lambda = 10$ & published \\" in text
    assert (
        r"$\tau_{\mathrm{SUS}}$ & 50 \% of \textbf{\textit{a\_b}} \& c & "
        r"\textbf{0.46} {\footnotesize $\pm$ 0.05} & 0.99 \\"
    ) in text
    assert r" & -- & 0.44 {\footnotesize $\pm$ 0.10} & -- \\" + "\n\\midrule\n" in text
    assert r"$f_{1}$ & $\lambda$ & 0.00 {\footnotesize $\pm$ 0.20} & $-$0.50 \\" in text
    assert r"$g_{\mathrm{vMF}}$ &  & -- & 0.10 \\" in text
    body = text[text.index(r"\begin") :]
    assert body.isascii()  # any LaTeX takes it
    assert body.count("{") == body.count("}")


def test_csv_has_full_precision_and_the_spread_in_a_column(table):
    rows = list(csv.DictReader(io.StringIO(as_csv(table))))
    assert list(rows[0]) == [
        "method", "text", "lambda_10", "lambda_10_spread", "published_lambda_10",
    ]  # fmt: skip
    assert rows[0]["text"] == "50 % of **a_b** & c"
    assert [row["method"] for row in rows] == ["tau_SUS", "tau_SUS", "f_1", "g_vMF"]
    assert [row["lambda_10"] for row in rows] == ["0.456", "0.4449", "-0.004", ""]


def test_json_has_the_same_with_title_and_notes(table):
    whole = json.loads(as_json(table))
    assert (whole["title"], whole["notes"]) == ("A title with τ", ["A note."])
    assert whole["rows"][2]["lambda_10"] == -0.004
    assert whole["rows"][3]["lambda_10"] is None


def test_numbers_are_listed_with_the_papers_names(table):
    numbers = table.numbers
    assert numbers[4] == {
        "table": "2", "method": "f_1", "column": "x", "value": -0.004, "spread": 0.2,
        "selected": [10, 0.8],
    }  # fmt: skip
    assert numbers[1]["column"] == "published_x"


def test_an_empty_table_is_its_title_and_notes():
    empty = Table("paired", "Title", [Column("a", "a"), Column("b", "b")], [], ["Nothing."])
    assert printed(empty).split() == ["\x1b[1mTitle\x1b[0m", "\x1b[2mNothing.\x1b[0m"]
    assert as_csv(empty) == "a,b\n"
    assert r"\bottomrule" in as_latex(empty)
    assert empty.stem == "paired"
