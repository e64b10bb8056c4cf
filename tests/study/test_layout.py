import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from senseshift.study.contexts import in_context
from senseshift.study.exporting import latex


@given(st.text(max_size=120), st.text(min_size=1, max_size=10), st.text(max_size=120))
def test_the_target_is_always_whole_and_the_context_short(left, target, right):
    before, shown, after = in_context(left + target + right, len(left), len(left) + len(target))
    assert shown.split() == target.split()
    assert len(before) <= 42
    assert len(after) <= 42
    assert set(before.split()) <= {*left.split(), "…"} or len(left) > 40
    assert not after or after.endswith("…") or right.split() == after.split()


def test_short_contexts_are_whole():
    assert in_context("the cell divides", 4, 8) == ("the ", "cell", " divides")


def test_latex_escapes_what_it_must():
    table = latex(pl.DataFrame({"a_b": ["50 % & $5 #1 {x} ~^\\"], "n": [0.5], "none": [None]}))
    assert r"a\_b" in table
    assert r"50 \% \& \$5 \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}" in table
    assert "0.5000 & --" in table
