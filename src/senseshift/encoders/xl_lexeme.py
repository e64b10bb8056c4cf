"""XL-LEXEME, re-implemented on ``transformers``: the target marked, all tokens averaged.

Its own package cannot be installed any more. What it computes is told here: the text before the
target, ``<t>``, the target, ``</t>`` and the text after it are tokenised separately and put
together; if that is too long, both sides are cut to half of what the marked target leaves, and
what one side does not use is not passed on; all tokens' states are averaged, special ones
included; nothing is normalised.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senseshift.encoders.hub import called, extra, model_folder
from senseshift.encoders.protocol import Span, Vectors, fingerprint_of
from senseshift.encoders.tokens import Pieces, checked_length, pool
from senseshift.encoders.torch_model import TorchModel
from senseshift.errors import InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

OPEN, CLOSE = "<t>", "</t>"
HUB_NAME = "pierluigic/xl-lexeme"


class XlLexeme:
    """XL-LEXEME, or another model trained the same way.

    Parameters
    ----------
    model
        A folder, or a name on the hub. Maximum length and pooling are read from its
        sentence-transformers files where they are there.
    batch_size
        Usages the model reads at once.
    threads
        For the CPU; torch's choice by default.
    offline
        Never reach the network.
    """

    def __init__(
        self,
        model: str = HUB_NAME,
        *,
        batch_size: int = 32,
        threads: int | None = None,
        offline: bool = False,
    ) -> None:
        self.name = "xl-lexeme" if model == HUB_NAME else called("xl-lexeme", model)
        extra("torch", self.name)
        needs = ["modules.json"] if model == HUB_NAME else []
        folder = model_folder(model, offline=offline, needs=needs)
        own = _Files(folder)
        self._model = TorchModel(own.transformer, name=self.name, threads=threads)
        self._lower, self._pooling = own.lower, own.pooling
        self.batch_size = batch_size
        self.dimension = self._model.dimension
        self.max_length = checked_length(
            min(own.max_length or self._model.max_length, self._model.max_length),
            self._model.tokenizer,
            self.name,
        )
        self._marks = [_single(self._model.tokenizer, mark, folder) for mark in (OPEN, CLOSE)]
        self._before, self._after = _special(self._model.tokenizer)
        settings = {
            "method": "xl-lexeme 1",
            "content": self._model.content,
            "max_length": self.max_length,
            "pooling": self._pooling,
            "lower": self._lower,
        }
        self.fingerprint = fingerprint_of(settings)

    def encode(self, texts: Sequence[str], spans: Sequence[Span]) -> Vectors:
        """One row for each text: the mean of all tokens, the target marked among them."""
        pieces = self.pieces(texts, spans)
        model = self._model
        return pool(pieces, model.pad_id, self.batch_size, self.dimension, model.run)

    def pieces(self, texts: Sequence[str], spans: Sequence[Span]) -> list[Pieces]:
        """The tokens of every usage as the model reads them."""
        parts: list[str] = []
        for text, (start, end) in zip(texts, spans, strict=True):
            parts += [text[:start], text[start:end], text[end:]]
        if self._lower:
            parts = [part.lower() for part in parts]
        encode = self._model.tokenizer.encode
        encodings = [encode(part, add_special_tokens=False) for part in parts]
        # An empty side is nothing, even to a tokenizer that would begin it with a space.
        ids = [e.ids if part else [] for e, part in zip(encodings, parts, strict=True)]
        return [self._pieces(*ids[row : row + 3]) for row in range(0, len(ids), 3)]

    def _pieces(self, left: list[int], target: list[int], right: list[int]) -> Pieces:
        opening, closing = self._marks
        budget = self.max_length - len(self._before) - len(self._after)
        core = [opening, *target, closing]
        if len(left) + len(core) + len(right) > budget:
            # A target too long by itself, of which the original says nothing, loses its end.
            core = [opening, *target[: max(0, budget - 2)], closing]
            side = (budget - len(core)) // 2
            left, right = left[max(0, len(left) - side) :], right[:side]
        ids = [*self._before, *left, *core, *right, *self._after]
        pooled = range(1) if self._pooling == "cls" else range(len(ids))
        return Pieces(ids, [0] * len(ids), pooled)


class _Files:
    """What the sentence-transformers files of a model say, if it has any."""

    def __init__(self, folder: Path) -> None:
        self.transformer, pooling = folder, folder / "1_Pooling"
        for module in _json(folder / "modules.json") or []:
            kind = str(module["type"]).rpartition(".")[2]
            if kind == "Transformer":
                self.transformer = folder / module["path"]
            elif kind == "Pooling":
                pooling = folder / module["path"]
            else:
                raise InputError(
                    f"{folder / 'modules.json'} has a module {kind} after the model, which "
                    "XL-LEXEME has not: encode with hf: instead."
                )
        settings = _json(self.transformer / "sentence_bert_config.json") or {}
        self.max_length: int | None = settings.get("max_seq_length")
        self.lower = bool(settings.get("do_lower_case", False))
        self.pooling = _pooling(pooling / "config.json")


def _json(path: Path) -> Any:
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is not valid JSON ({error}): repair or remove it.") from None


def _pooling(path: Path) -> str:
    config = _json(path) or {"pooling_mode_mean_tokens": True}
    chosen = [key for key, value in config.items() if key.startswith("pooling_mode_") and value]
    stated = config.get("pooling_mode")
    modes = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    named = [modes.get(key, key) for key in chosen] or ([stated] if stated else ["mean"])
    if len(named) != 1 or named[0] not in modes.values():
        raise InputError(
            f"{path} asks for the pooling {', '.join(map(str, named))}: only mean or cls is known."
        )
    return str(named[0])


def _single(tokenizer: Tokenizer, mark: str, folder: Path) -> int:
    ids = tokenizer.encode(mark, add_special_tokens=False).ids
    if len(ids) != 1 or ids[0] != tokenizer.token_to_id(mark):
        raise InputError(
            f"The tokenizer in {folder} reads the mark {mark} as {len(ids)} tokens, but XL-LEXEME "
            "has one token for it: give a model trained with these marks, or encode with hf:."
        )
    return ids[0]


def _special(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """The special tokens before and after a text."""
    plain = tokenizer.encode(OPEN, add_special_tokens=False)
    whole = tokenizer.post_process(plain)
    place = whole.ids.index(plain.ids[0])
    return whole.ids[:place], whole.ids[place + 1 :]
