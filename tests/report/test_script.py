import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senseshift.report.script import literal, script, slug

DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)  # fmt: skip


@given(DATA)
def test_a_literal_is_the_data_and_safe_in_a_page(data):
    text = literal(data)
    assert json.loads(text) == data
    assert not set(text) & set("<>&\u2028\u2029")


def test_numbers_are_short_and_what_is_none_is_null():
    assert literal(
        {"a": np.array([1.0, 2.5]), "b": [float("inf"), float("nan")], "c": (1, None)}
    ) == ('{"a":[1,2.5],"b":[null,null],"c":[1,null]}')


def test_a_script_calls_the_page():
    assert script("x", [1]) == 'senseshift.receive("x", [1]);\n'


@pytest.mark.parametrize(
    "word", ["AC/DC", "..", "con", "שלום", "a b", "", "." * 300, "nul.txt", "é"]
)
def test_a_slug_is_a_name_on_every_file_system(word):
    name = slug(word)
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-")
    assert 0 < len(name) < 60
    assert not name.startswith("-")


@given(st.text(max_size=20), st.text(max_size=20))
def test_two_words_have_two_files_whatever_their_case(one, other):
    assert (slug(one).lower() == slug(other).lower()) == (one == other)
