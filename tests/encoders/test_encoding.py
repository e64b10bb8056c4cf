from __future__ import annotations

import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.encoders import encode
from senseshift.errors import InputError
from tiny_models import make_usages, random_usages


def measure(texts, spans):
    return [[len(text), start, end] for text, (start, end) in zip(texts, spans, strict=True)]


def test_rows_are_those_of_the_usages():
    usages = random_usages(100)
    made = encode(usages, measure, batch_size=9)
    assert made.dtype == np.float32
    rows = usages.table.select(pl.col("text").str.len_chars(), "start", "end").rows()
    assert made.tolist() == [list(row) for row in rows]
    np.testing.assert_array_equal(encode(usages.table, measure), made)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_text_and_span_keeps_its_row(data):
    characters = st.characters(exclude_categories=["Cs"])
    texts = data.draw(st.lists(st.text(characters, min_size=1, max_size=20), max_size=12))
    starts = [data.draw(st.integers(0, len(text) - 1)) for text in texts]
    rows = [
        (t, a, data.draw(st.integers(a + 1, len(t)))) for t, a in zip(texts, starts, strict=True)
    ]
    seen = []

    def spell(texts, spans):
        seen.extend(zip(texts, spans, strict=True))
        pairs = zip(texts, spans, strict=True)
        return [[ord(t[a]), ord(t[b - 1]), len(t), b - a] for t, (a, b) in pairs]

    made = encode(make_usages(rows), spell, batch_size=data.draw(st.integers(1, 5)))
    expected = [[ord(t[a]), ord(t[b - 1]), len(t), b - a] for t, a, b in rows]
    assert made.tolist() == expected
    assert len(seen) == len(set(rows))


def test_longest_texts_come_first_in_batches_of_the_size_asked():
    sizes = []

    def note(texts, spans):
        sizes.append([len(text) for text in texts])
        return measure(texts, spans)

    encode(random_usages(25), note, batch_size=10)
    assert [len(batch) for batch in sizes] == [10, 10, 5]
    flat = [size for batch in sizes for size in batch]
    assert flat == sorted(flat, reverse=True)


def test_progress_counts_usages_to_the_end(tmp_path):
    from counting import Counting

    usages = random_usages(25)
    calls = []
    encode(
        usages.table[:5],
        Counting(tmp_path / "log"),
        progress=lambda *call: calls.append(call),
    )
    assert calls == [(0, 5), (5, 5)]
    calls.clear()
    encode(
        usages,
        Counting(tmp_path / "log"),
        batch_size=10,
        progress=lambda *call: calls.append(call),
    )
    assert calls == [(5, 25), (15, 25), (25, 25)]


def test_no_usages_give_no_rows(tmp_path):
    from counting import Counting

    assert encode(make_usages([]), measure).shape == (0, 0)
    assert encode(make_usages([]), Counting(tmp_path / "log")).shape == (0, 8)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop("start"), "no column start"),
        (lambda t: t.with_columns(start=pl.lit("2")), "column start of the usages is String"),
        (
            lambda t: t.with_columns(text=pl.lit(2)),
            "column text of the usages is Int32, not String",
        ),
        (
            lambda t: t.with_columns(id=pl.lit("u")),
            "'u' of the word 'bank' is there more than once",
        ),
        (lambda t: t.with_columns(end=pl.lit(99)), r"usage 'u0' \(row 1\) is characters 2 to 99"),
        (lambda t: t.with_columns(end=pl.col("start")), "start < end must lie within"),
        (lambda t: t.with_columns(start=pl.lit(-1)), "characters -1 to 6, but its text has 6"),
        (
            lambda t: t.with_columns(
                text=pl.when(pl.col("id") == "u1").then(None).otherwise("text")
            ),
            "column text of the usages is empty in row 2",
        ),
        (lambda t: t.to_dicts(), "The usages are a list"),
    ],
)
def test_broken_usages_are_named(change, message):
    table = make_usages([("a bank", 2, 6), ("b bank", 2, 6)]).table
    with pytest.raises(InputError, match=message):
        encode(change(table), measure)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ([[1.0, 2.0]], r"shape \(1, 2\) for 2 usages: expected \(2, 2\)"),
        ([1.0, 2.0], r"shape \(2,\) for 2 usages: expected \(2, dimensions\)"),
        ([[1.0], [2.0, 3.0]], "gave a list that is no matrix of numbers"),
        (None, "gave an array of shape"),
        ([[1.0], [np.nan]], "vector of usage 'u1' of the word 'bank' from .* is not finite"),
        ([[np.inf], [1.0]], "vector of usage 'u0'"),
    ],
)
def test_a_callable_that_gives_nonsense_is_named(result, message):
    usages = make_usages([("a bank!", 2, 6), ("a bank", 2, 6)])
    with pytest.raises(InputError, match=message):
        encode(usages, lambda texts, spans: result)


def test_a_dimension_that_changes_is_an_error():
    widths = iter([2, 3])
    usages = make_usages([("a bank", 2, 6), ("b bank", 2, 6)])
    with pytest.raises(InputError, match=r"shape \(1, 3\) for 1 usages: expected \(1, 2\)"):
        encode(usages, lambda texts, spans: np.ones((len(texts), next(widths))), batch_size=1)


def test_what_a_callable_raises_is_not_hidden():
    def broken(texts, spans):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        encode(random_usages(2), broken)


def test_vectors_that_are_not_finite_are_not_cached(tmp_path):
    from counting import Counting

    class Broken(Counting):
        def encode(self, texts, spans):
            return super().encode(texts, spans) * np.nan

    usages = random_usages(3)
    with pytest.raises(InputError, match="not finite"):
        encode(usages, Broken(tmp_path / "log"))
    assert np.isfinite(encode(usages, Counting(tmp_path / "log"))).all()


def test_the_package_imports_no_model_library():
    code = (
        "import sys, senseshift.encoders; "
        "heavy = {'torch', 'transformers', 'onnxruntime', 'tokenizers'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
