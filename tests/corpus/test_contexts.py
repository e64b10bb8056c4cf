"""Contexts against the whole text they were cut from."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.corpus import find

WORDS = st.sampled_from(["cell", "monk", "a", "é", "cell-like", "winter,"])
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=8)


def search(folder, text, **options):
    path = folder / "corpus.txt"
    path.write_text(text, encoding="utf-8")
    return find({"old": path}, ["cell"], by="form", layout="lines", **options)


@settings(max_examples=200, deadline=None)
@given(lines=LINES, reach=st.integers(1, 30))
def test_a_wider_context_is_what_stands_around_the_line(tmp_path_factory, lines, reach):
    usages = search(tmp_path_factory.mktemp("corpus"), "\n".join(lines), context=reach)
    whole = " ".join(lines)
    expected = set()
    begin = 0
    for line in lines:
        end = begin + len(line)
        # The widest run of whole words that adds no more than `reach` characters to a side.
        cuts = [0, *(m.start() for m in re.finditer(" ", whole)), len(whole)]
        first = min(c + (c > 0) for c in cuts if c + (c > 0) >= begin - reach)
        last = max(c for c in cuts if c <= end + reach)
        for match in re.finditer(r"(?<![\w-])cell(?![\w-])", line):
            expected.add((whole[first:last], begin + match.start() - first))
        begin = end + 1
    assert set(usages.table.select("text", "start").rows()) == expected


@settings(max_examples=200, deadline=None)
@given(pieces=st.lists(st.sampled_from(["cell", "l", "-", ".", "é", " ", "\n", "_", "1"])))
def test_words_are_found_where_an_expression_finds_them(tmp_path_factory, pieces):
    text = "".join(pieces)
    usages = search(tmp_path_factory.mktemp("corpus"), text)
    letter = r"[^\W_]"
    oracle = re.compile(rf"(?<!{letter})(?<!{letter}-)cell(?!{letter}|-{letter})")
    expected = {
        (line.strip(), match.start())
        for line in text.split("\n")
        for match in oracle.finditer(line.strip())
    }
    assert set(usages.table.select("text", "start").rows()) == expected
