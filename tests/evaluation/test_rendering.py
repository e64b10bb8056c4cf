import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from senseshift.evaluation.cells import Column, Context, Method, Number, Repeated, Table
from senseshift.evaluation.rendering import as_csv, as_json, as_latex, in_terminal
from senseshift.study.contexts import in_context


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


def printed(table, width=100):
    console = Console(width=width, color_system="standard", force_terminal=True)
    with console.capture() as text:
        console.print(*in_terminal(table, width))
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


COMMANDS = {
    "begin", "end", "toprule", "midrule", "bottomrule", "textbf", "textit", "mathrm", "tau",
    "lambda", "footnotesize", "pm", "textbackslash", "textasciitilde", "textasciicircum",
    "textless", "textgreater", "textbar", "dots",
}  # fmt: skip


def check_latex(text):
    """What TeX would trip over: cells, braces, mathematics, environments, specials, commands."""
    lines = [line for line in text.rstrip("\n").split("\n") if not line.startswith("%")]
    kinds = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", lines[0])
    assert kinds
    assert lines[-1] == r"\end{tabular}"
    assert [line for line in lines if r"\begin" in line or r"\end" in line] == [
        lines[0], lines[-1],
    ]  # fmt: skip
    rules = (r"\toprule", r"\midrule", r"\bottomrule")
    assert (lines[1], lines[3], lines[-2]) == rules
    for row in lines[2:-2]:
        if row in rules:
            continue
        assert row.endswith(r" \\")
        assert row[0] not in "[*"  # \\ and rules would take them for arguments
        row = row.removesuffix(r" \\")
        assert set(re.findall(r"\\([a-zA-Z]+)", row)) <= COMMANDS
        plain = re.sub(r"\\([a-zA-Z]+|[&%$#_{}])", "", row)
        assert "\\" not in plain
        assert plain.count("&") == len(kinds[1]) - 1
        for cell in plain.split("&"):
            assert cell.count("{") == cell.count("}")
            assert cell.count("$") % 2 == 0
            outside = "".join(cell.split("$")[::2])
            assert not set(outside) & set("%#~^_<>|"), cell


def test_latex_of_every_table(table):
    check_latex(as_latex(table))


@given(st.text(max_size=20), st.text(max_size=9), st.text(max_size=20))
def test_latex_of_any_text(left, target, right):
    context = Context(*in_context(left + target + right, len(left), len(left + target)))
    sense = right.replace("\n", " ")
    rows = [[word, context, sense, Number("f_1", "x", -0.1)] for word in ("*wódr̥", "[x]")]
    columns = [Column("word", "word"), Column("", "usage"), Column("a_b", "y"), Column("x", "x")]
    check_latex(as_latex(Table("1", "", columns, rows)))


@pytest.mark.parametrize("width", [80, 100, 140])
def test_a_usage_takes_one_line_however_wide_the_terminal_is(width):
    left, right = "many words that stand before " * 3, " and more words behind it" * 4
    columns = [Column("word", "word"), Column("usage", "usage"), Column("SUS", "sus", right=True)]
    rows = [
        ["record_nn", Context(left, "records", right), Number("tau_SUS", "x", -0.1)],
        [Repeated("record_nn"), Context("", "record", right), Number("tau_SUS", "y", -0.2)],
    ]
    lines = printed(Table("1", "Title", columns, rows), width).splitlines()
    assert len(lines) == 4
    shown = re.sub(r"\x1b\[\d*m", "", lines[2])
    assert width - 25 < len(shown) <= width
    assert "before records and more" in shown


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
