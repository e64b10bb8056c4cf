"""From a text and its target to the tokens a model reads, and from their states to one vector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from senseshift.encoders.protocol import Span, Vectors
from senseshift.errors import InputError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

DEFAULT_LENGTH = 512
# No text is read further from its target than this many characters for each token of the window:
# far beyond what fits, and it keeps whole books as contexts cheap.
CHARACTERS_A_TOKEN = 24
LONGEST_WORD = 100


@dataclass(frozen=True)
class Pieces:
    """A usage as a model reads it, and which positions' states are averaged to its vector."""

    ids: list[int]
    types: list[int]
    pooled: Sequence[int]


@dataclass(frozen=True)
class Batch:
    """Pieces padded to the longest; ``weights`` averages the states of every row."""

    ids: NDArray[np.int64]
    mask: NDArray[np.int64]
    types: NDArray[np.int64]
    weights: Vectors


def cut(
    tokenizer: Tokenizer, texts: Sequence[str], spans: Sequence[Span], max_length: int
) -> list[Pieces]:
    """Tokenise every text in a window around its target and point at the target's tokens.

    A text that is too long is cut to ``max_length`` with its target in the middle, or as near to
    it as the text's ends allow; a target too long by itself keeps its beginning. The target's
    tokens are all that overlap its characters, unknown ones included. A target of which the
    tokenizer keeps nothing (a control character, say) is the mean of its context instead, and of
    the special tokens where there is no context.
    """
    room = max_length - tokenizer.num_special_tokens_to_add(False)
    near = [_near(text, span, room) for text, span in zip(texts, spans, strict=True)]
    # One by one: a batch would take as many threads as there are processors, and is no faster.
    return [
        _pieces(tokenizer, tokenizer.encode(text, add_special_tokens=False), text, span, room)
        for text, span in near
    ]


def _near(text: str, span: Span, room: int) -> tuple[str, Span]:
    """The part of the text that can matter, cut between words, and the span in it."""
    start, end = span
    reach = room * CHARACTERS_A_TOKEN
    first, last = max(0, start - reach), min(len(text), end + reach)
    # Where writing has no spaces, as in Chinese, any place is as good.
    if first > 0:
        nearest = range(first, min(first + LONGEST_WORD, start) + 1)
        first = next((place for place in nearest if text[place - 1].isspace()), first)
    if last < len(text):
        nearest = range(last, max(last - LONGEST_WORD, end) - 1, -1)
        last = next((place for place in nearest if text[place].isspace()), last)
    return text[first:last], (start - first, end - first)


def _pieces(tokenizer: Tokenizer, encoding: Encoding, text: str, span: Span, room: int) -> Pieces:
    start, end = span
    offsets = encoding.offsets
    touched = [i for i, (a, b) in enumerate(offsets) if max(a, start) < min(b, end)]
    if touched:
        first, last = touched[0], touched[-1] + 1
    else:
        first = last = sum(b <= start for _, b in offsets)
    low, high = window(len(offsets), first, last, room)
    encoding.truncate(len(offsets) - low, direction="left")
    encoding.truncate(high - low, direction="right")
    whole = tokenizer.post_process(encoding)
    if not whole.ids:
        raise InputError(
            f"The tokenizer makes nothing of the text {text[:40]!r}: leave this usage out."
        )
    before = whole.special_tokens_mask.index(0) if high > low else 0
    if touched:
        pooled = range(before + first - low, before + min(last, high) - low)
    else:
        pooled = range(before, before + high - low) if high > low else range(len(whole.ids))
    return Pieces(whole.ids, whole.type_ids, pooled)


def window(count: int, first: int, last: int, room: int) -> tuple[int, int]:
    """Which of ``count`` tokens to keep so that ``room`` suffices, ``first:last`` in the middle.

    >>> window(100, 50, 52, 10), window(100, 1, 3, 10), window(100, 98, 99, 10)
    ((46, 56), (0, 10), (90, 100))
    >>> window(8, 2, 3, 10), window(100, 20, 40, 10)
    ((0, 8), (20, 30))
    """
    if count <= room:
        return 0, count
    low = first - max(0, room - (last - first)) // 2
    low = min(max(low, 0), count - room)
    return low, low + room


def pool(
    pieces: Sequence[Pieces],
    pad_id: int,
    batch_size: int,
    dimension: int,
    run: Callable[[Batch], Vectors],
    *,
    equal: bool = False,
    at_once: int = 1,
) -> Vectors:
    """A vector for every usage: batches by length through ``run``, back in the order given."""
    batches = by_length([len(piece.ids) for piece in pieces], batch_size, equal=equal)
    vectors = np.empty((len(pieces), dimension), dtype=np.float32)

    def fill(rows: list[int]) -> None:
        vectors[rows] = run(_pad([pieces[row] for row in rows], pad_id))

    if at_once == 1:
        for rows in batches:
            fill(rows)
    else:
        with ThreadPoolExecutor(at_once) as threads:
            list(threads.map(fill, batches))  # The list raises what a thread raised.
    return vectors


def by_length(lengths: Sequence[int], size: int, *, equal: bool = False) -> Iterator[list[int]]:
    """Rows in batches of similar (or equal) lengths, the longest first, else in their order.

    >>> list(by_length([1, 3, 1, 2], 2)), list(by_length([1, 3, 1, 2], 2, equal=True))
    ([[1, 3], [0, 2]], [[1], [3], [0, 2]])
    """
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: -lengths[row]):
        if batch and (len(batch) == size or (equal and lengths[row] != lengths[batch[0]])):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _pad(pieces: Sequence[Pieces], pad_id: int) -> Batch:
    shape = len(pieces), max(len(piece.ids) for piece in pieces)
    ids = np.full(shape, pad_id, dtype=np.int64)
    mask, types = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    weights = np.zeros(shape, dtype=np.float32)
    for row, piece in enumerate(pieces):
        length = len(piece.ids)
        ids[row, :length], types[row, :length], mask[row, :length] = piece.ids, piece.types, 1
        weights[row, list(piece.pooled)] = 1.0 / len(piece.pooled)
    return Batch(ids, mask, types, weights)


def positions(config: Mapping[str, Any]) -> int | None:
    """How many tokens a model with this ``config.json`` has positions for, if it is limited."""
    count = config.get("max_position_embeddings")
    if not isinstance(count, int) or count <= 0:
        return None
    # The RoBERTa family numbers positions from the padding token's id + 1 on.
    family = str(config.get("model_type", ""))
    if "roberta" in family or family in {"camembert", "xmod", "longformer", "mpnet"}:
        count -= int(config.get("pad_token_id") or 0) + 1
    return count


def shortest(*limits: object) -> int:
    """The shortest of the limits that are stated; 512 if none is.

    >>> shortest(512, None), shortest(10**30, None)  # Tokenizers without a limit state the latter.
    (512, 512)
    """
    stated = [limit for limit in limits if isinstance(limit, int | float)]
    return min((int(limit) for limit in stated if 0 < limit < 10**6), default=DEFAULT_LENGTH)


def checked_length(max_length: int, tokenizer: Tokenizer, name: str) -> int:
    """The maximum length, if it leaves room for a token beside the special ones."""
    special = tokenizer.num_special_tokens_to_add(False)
    if max_length <= special:
        raise InputError(
            f"The encoder {name} has a maximum length of {max_length} tokens, {special} of them "
            "special: it needs room for one more at least."
        )
    return max_length
