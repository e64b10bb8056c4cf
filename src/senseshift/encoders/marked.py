"""Texts with their target marked, as XL-LEXEME and its relatives read them.

The text before the target, ``<t>``, the target, ``</t>`` and the text after it are tokenised
separately and put together; if that is too long, both sides are cut to half of what the marked
target leaves, and what one side does not use is not passed on; all tokens' states are averaged,
special ones included; nothing is normalised.

XL-DURel does the same within 128 tokens, then makes a text of these tokens and reads that anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from senseshift.encoders.protocol import Span
from senseshift.encoders.tokens import Pieces
from senseshift.errors import InputError, shortened

if TYPE_CHECKING:
    from tokenizers import Tokenizer

POOLINGS = ("mean", "cls")


@dataclass(frozen=True)
class Marks:
    """How a target is marked, and what is taken of the states then.

    Attributes
    ----------
    opening, closing
        Before and after the target; each is one token.
    pooling
        ``mean`` of all tokens, or the first one (``cls``).
    lower
        Whether texts are read in small letters.
    again
        Whether the tokens are made a text again, which is read as a whole.
    """

    opening: str = "<t>"
    closing: str = "</t>"
    pooling: str = "mean"
    lower: bool = False
    again: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As ``senseshift.json`` keeps it."""
        return {
            "marks": [self.opening, self.closing],
            "pooling": self.pooling,
            "lower": self.lower,
            "again": self.again,
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Marks:
        """Read what :meth:`to_dict` wrote."""
        unknown = sorted(found.keys() - {"marks", "pooling", "lower", "again"})
        marks = found.get("marks")
        if unknown or not isinstance(marks, list) or [type(m) for m in marks] != [str, str]:
            raise InputError(
                "A target has two marks, and may have pooling, lower and again, not "
                f"{shortened(repr(unknown[0] if unknown else marks), 40)}."
            )
        pooling, flags = found.get("pooling", "mean"), ("lower", "again")
        if pooling not in POOLINGS:
            raise InputError(f"The pooling of a target is mean or cls, not {str(pooling)[:40]!r}.")
        for flag in flags:
            if not isinstance(found.get(flag, False), bool):
                raise InputError(f"{flag} of a target is true or false.")
        chosen = {flag: found.get(flag, False) for flag in flags}
        return cls(marks[0], marks[1], pooling, **chosen)


class MarkedReader:
    """From usages to the tokens of marked texts; the tokenizer neither truncates nor pads."""

    def __init__(
        self, tokenizer: Tokenizer, marks: Marks, max_length: int, *, where: object
    ) -> None:
        self._tokenizer, self._marks, self._max_length = tokenizer, marks, max_length
        self._opening = _single(tokenizer, marks.opening, where)
        self._closing = _single(tokenizer, marks.closing, where)
        self._before, self._after = _special(tokenizer, marks.opening)

    def pieces(self, texts: Sequence[str], spans: Sequence[Span]) -> list[Pieces]:
        """The tokens of every usage as the model reads them."""
        parts: list[str] = []
        for text, (start, end) in zip(texts, spans, strict=True):
            parts += [text[:start], text[start:end], text[end:]]
        if self._marks.lower:
            parts = [part.lower() for part in parts]
        # An empty side is nothing, even to a tokenizer that would begin it with a space.
        ids = [self._ids(part) if part else [] for part in parts]
        return [self._pieces(*ids[row : row + 3]) for row in range(0, len(ids), 3)]

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _pieces(self, left: list[int], target: list[int], right: list[int]) -> Pieces:
        budget = self._max_length - len(self._before) - len(self._after)
        core = [self._opening, *target, self._closing]
        if len(left) + len(core) + len(right) > budget:
            # A target too long by itself, of which the original says nothing, loses its end.
            core = [self._opening, *target[: max(0, budget - 2)], self._closing]
            side = (budget - len(core)) // 2
            left, right = left[max(0, len(left) - side) :], right[:side]
        inner = [*left, *core, *right]
        if self._marks.again:
            inner = self._anew(inner)[:budget]
        ids = [*self._before, *inner, *self._after]
        pooled = range(1) if self._marks.pooling == "cls" else range(len(ids))
        return Pieces(ids, [0] * len(ids), pooled)

    def _anew(self, ids: list[int]) -> list[int]:
        """The tokens of the text that these tokens make."""
        tokens = [str(self._tokenizer.id_to_token(number)) for number in ids]
        decoder = self._tokenizer.decoder
        text = decoder.decode(tokens) if decoder else " ".join(tokens)
        return self._ids(text.strip())


def _single(tokenizer: Tokenizer, mark: str, where: object) -> int:
    ids: list[int] = tokenizer.encode(mark, add_special_tokens=False).ids
    if len(ids) != 1 or ids[0] != tokenizer.token_to_id(mark):
        raise InputError(
            f"The tokenizer in {where} reads the mark {shortened(mark, 40)} as {len(ids)} tokens, "
            "but a mark is one token: give a model trained with these marks, or encode with hf:."
        )
    return ids[0]


def _special(tokenizer: Tokenizer, mark: str) -> tuple[list[int], list[int]]:
    """The special tokens before and after a text."""
    plain = tokenizer.encode(mark, add_special_tokens=False)
    whole = tokenizer.post_process(plain)
    place = whole.ids.index(plain.ids[0])
    return whole.ids[:place], whole.ids[place + 1 :]
