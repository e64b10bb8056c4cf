from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.encoders.tokens import by_length, cut, pool, positions, window
from senseshift.errors import InputError
from tiny_models import sentencepiece, wordpiece


def tokens(pieces, tokenizer):
    return [tokenizer.id_to_token(pieces.ids[i]) for i in pieces.pooled]


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("bank", "bank", ["bank"]),
        ("bank of the river", "bank", ["bank"]),
        ("the river bank", "bank", ["bank"]),
        ("the banking river", "banking", ["bank", "##ing"]),
        ("the banking river", "ank", ["bank"]),
        ("the 😀 bank 😀 river", "bank", ["bank"]),
        ("the 😀 bank", "😀", ["[UNK]"]),
        ("🏳️‍🌈🏳️‍🌈 the bank.", "bank", ["bank"]),
        ("e\u0301 bank", "bank", ["bank"]),
        ("the river bank", "river bank", ["river", "bank"]),
        ("the \u0007 bank", "\u0007", ["the", "bank"]),
        ("\u0007", "\u0007", ["[CLS]", "[SEP]"]),
    ],
)
def test_the_targets_tokens_are_found(text, target, expected):
    tokenizer = wordpiece()
    start = text.index(target)
    [pieces] = cut(tokenizer, [text], [(start, start + len(target))], 64)
    assert tokens(pieces, tokenizer) == expected


def test_a_long_text_is_cut_around_its_target():
    tokenizer = wordpiece()
    text = "a " * 100 + "bank " + "b " * 100
    [pieces] = cut(tokenizer, [text], [(200, 204)], 13)
    read = [tokenizer.id_to_token(i) for i in pieces.ids]
    assert read == ["[CLS]", *"aaaaa", "bank", *"bbbbb", "[SEP]"]
    assert tokens(pieces, tokenizer) == ["bank"]


@pytest.mark.parametrize("place", ["start", "end"])
def test_room_that_one_side_does_not_use_is_the_others(place):
    tokenizer = wordpiece()
    text = "bank" + " a" * 100 if place == "start" else "a " * 100 + "bank"
    start = text.index("bank")
    [pieces] = cut(tokenizer, [text], [(start, start + 4)], 12)
    assert len(pieces.ids) == 12
    assert tokens(pieces, tokenizer) == ["bank"]


def test_a_target_too_long_by_itself_keeps_its_beginning():
    tokenizer = wordpiece()
    text = "the abcdefghijklmnop river"
    [pieces] = cut(tokenizer, [text], [(4, 20)], 7)
    assert tokens(pieces, tokenizer) == ["a", "##b", "##c", "##d", "##e"]
    assert len(pieces.ids) == 7


def test_a_whole_book_is_read_near_the_target_only():
    tokenizer = wordpiece()
    book = "river the " * 200_000
    text = book + "bank " + book
    [pieces] = cut(tokenizer, [text], [(len(book), len(book) + 4)], 12)
    [near] = cut(tokenizer, [text[len(book) - 100 : len(book) + 100]], [(100, 104)], 12)
    assert pieces == near


def test_a_text_is_not_cut_within_a_word():
    tokenizer = wordpiece()
    # Ten tokens fit, so 240 characters are read: the last letters of one river, the first of one.
    text = "river" + " " * 236 + "bank" + " " * 236 + "river"
    [pieces] = cut(tokenizer, [text], [(241, 245)], 12)
    assert [tokenizer.id_to_token(i) for i in pieces.ids] == ["[CLS]", "bank", "[SEP]"]


def test_a_long_text_without_spaces_keeps_its_context():
    tokenizer = wordpiece()
    text = "河" * 5000 + "岸" + "河" * 5000
    [pieces] = cut(tokenizer, [text], [(5000, 5001)], 13)
    assert len(pieces.ids) == 13
    assert list(pieces.pooled) == [6]


@given(count=st.integers(1, 60), data=st.data(), room=st.integers(1, 70))
def test_the_window_holds_the_target(count, data, room):
    first = data.draw(st.integers(0, count - 1))
    last = data.draw(st.integers(first + 1, count))
    low, high = window(count, first, last, room)
    assert 0 <= low < high <= count
    assert high - low == min(count, room)
    if last - first <= room:
        assert low <= first
        assert last <= high
        # As central as the ends allow: moving the window is possible on a shorter side only.
        left, right = first - low, high - last
        assert abs(left - right) <= 1 or low == 0 or high == count
    else:
        assert low == first


@settings(max_examples=150, deadline=None)
@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60),
    data=st.data(),
    unigram=st.booleans(),
    longest=st.integers(3, 30),
)
def test_any_text_gives_tokens_that_touch_the_target(text, data, unigram, longest):
    tokenizer = sentencepiece() if unigram else wordpiece()
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    [pieces] = cut(tokenizer, [text], [(start, end)], longest)
    assert len(pieces.ids) == len(pieces.types) <= longest
    assert len(pieces.pooled) > 0
    assert all(0 <= place < len(pieces.ids) for place in pieces.pooled)
    whole = tokenizer.encode(text)
    touched = [
        whole.ids[i]
        for i, (a, b) in enumerate(whole.offsets)
        if a < end and b > start and a < b and not whole.special_tokens_mask[i]
    ]
    if touched:
        assert [pieces.ids[i] for i in pieces.pooled] == touched[: longest - 2]


def test_a_text_without_any_token_is_an_error():
    tokenizer = wordpiece()
    from tokenizers import processors

    tokenizer.post_processor = processors.TemplateProcessing(single="$A", special_tokens=[])
    with pytest.raises(InputError, match="makes nothing of the text"):
        cut(tokenizer, ["\u0007"], [(0, 1)], 10)


@given(st.lists(st.integers(0, 9), max_size=40), st.integers(1, 7), st.booleans())
def test_batches_hold_every_row_once_longest_first(lengths, size, equal):
    batches = list(by_length(lengths, size, equal=equal))
    rows = [row for batch in batches for row in batch]
    assert sorted(rows) == list(range(len(lengths)))
    assert rows == sorted(rows, key=lambda row: (-lengths[row], row))
    assert all(0 < len(batch) <= size for batch in batches)
    if equal:
        assert all(len({lengths[row] for row in batch}) == 1 for batch in batches)


def test_pooling_averages_and_restores_the_order():
    from senseshift.encoders.tokens import Pieces

    pieces = [Pieces([5] * n, [0] * n, range(n)) for n in (2, 4, 1)]
    seen = []

    def run(batch):
        seen.append(batch.ids.shape)
        assert (abs(batch.weights.sum(axis=1) - 1) < 1e-6).all()
        assert (batch.ids == [[5 if real else 9 for real in row] for row in batch.mask]).all()
        return batch.mask.sum(axis=1, keepdims=True)

    assert pool(pieces, 9, 2, 1, run).ravel().tolist() == [2, 4, 1]
    assert seen == [(2, 4), (1, 1)]


def test_positions_of_the_roberta_family_start_after_the_padding():
    xlmr = {"model_type": "xlm-roberta", "max_position_embeddings": 514, "pad_token_id": 1}
    assert positions(xlmr) == 512
    assert positions({"model_type": "bert", "max_position_embeddings": 512}) == 512
    assert positions({}) is None


def test_targets_of_a_unigram_tokenizer_are_their_own_pieces():
    """As XLM-R has it: a piece begins with the space before it, or that space is one of its own."""
    tokenizer = sentencepiece()
    text = "the bank er. xbank"
    expected = {(4, 8): ["▁bank"], (9, 11): ["▁", "er"], (13, 18): ["▁", "x", "bank"]}
    for span, pieces in expected.items():
        [read] = cut(tokenizer, [text], [span], 32)
        assert [tokenizer.id_to_token(read.ids[i]) for i in read.pooled] == pieces
