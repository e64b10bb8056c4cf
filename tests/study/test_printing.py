import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from senseshift.study.contexts import in_context
from senseshift.study.exporting import latex

letters = st.sampled_from("ab  \n\u3000…") | st.characters()
contexts = st.text(letters, max_size=40) | st.text(letters, min_size=41, max_size=120)


@given(contexts, st.text(min_size=1, max_size=10), contexts)
def test_the_target_is_always_whole_and_the_context_short(left, target, right):
    before, shown, after = in_context(left + target + right, len(left), len(left) + len(target))
    assert shown.split() == target.split()
    # What is after is seen from its far end, so that both are cut where they begin.
    for whole, kept in ((left, before), (right[::-1], after[::-1])):
        assert len(kept) <= 42
        if len(whole) <= 40:
            assert kept.split() == whole.split()
            continue
        assert kept[0] == "…"
        words = kept[1:].split()
        if " " in whole[-40:].strip():  # all words are whole ones, the nearest
            assert words == whole.split()[len(whole.split()) - len(words) :]
        else:
            assert "".join(whole.split()).endswith("".join(words))
            assert words or not whole[-40:].strip()


def test_short_contexts_are_whole():
    assert in_context("the cell divides", 4, 8) == ("the ", "cell", " divides")


def test_latex_escapes_what_it_must():
    table = latex(pl.DataFrame({"a_b": ["50 % & $5 #1 {x} ~^\\"], "n": [0.5], "none": [None]}))
    assert r"a\_b" in table
    assert r"50 \% \& \$5 \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}" in table
    assert "0.5000 & --" in table
