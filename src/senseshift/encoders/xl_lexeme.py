"""XL-LEXEME and XL-DURel, re-implemented on ``transformers``: the target marked in the text.

XL-LEXEME's own package cannot be installed any more. What both compute is told in
:mod:`senseshift.encoders.marked`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from senseshift.encoders.hub import called, extra, model_folder
from senseshift.encoders.marked import MarkedReader, Marks
from senseshift.encoders.protocol import Span, Vectors, fingerprint_of
from senseshift.encoders.tokens import Pieces, checked_length, pool
from senseshift.encoders.torch_model import TorchModel
from senseshift.errors import InputError


class XlLexeme:
    """XL-LEXEME, or another model trained the same way.

    Parameters
    ----------
    model
        A folder, or a name on the hub, by default that of the model itself. Maximum length and
        pooling are read from its sentence-transformers files where they are there.
    batch_size
        Usages the model reads at once.
    threads
        For the CPU; torch's choice by default.
    offline
        Never reach the network.
    precise
        On the CPU in float32, even where there is a GPU.
    """

    kind, hub_name = "xl-lexeme", "pierluigic/xl-lexeme"
    longest: int | None = None  # where the method itself has a limit
    again = False

    def __init__(
        self,
        model: str | None = None,
        *,
        batch_size: int = 32,
        threads: int | None = None,
        offline: bool = False,
        precise: bool = False,
    ) -> None:
        self.name = called(self.kind, model) if model else self.kind
        extra("torch", self.name)
        needs = [] if model else ["modules.json"]
        folder = model_folder(model or self.hub_name, offline=offline, needs=needs)
        own = _Files(folder, self.name)
        self.torch_model = TorchModel(
            own.transformer, name=self.name, threads=threads, precise=precise
        )
        self.marks = Marks(pooling=own.pooling, lower=own.lower, again=self.again)
        self.batch_size = batch_size
        self.dimension = self.torch_model.dimension
        limits = (own.max_length, self.longest, self.torch_model.max_length)
        self.max_length = checked_length(
            min(limit for limit in limits if limit), self.torch_model.tokenizer, self.name
        )
        self._reader = MarkedReader(
            self.torch_model.tokenizer, self.marks, self.max_length, where=folder
        )
        settings = {
            "method": f"{self.kind} 1",
            "content": self.torch_model.content,
            "max_length": self.max_length,
            "pooling": self.marks.pooling,
            "lower": self.marks.lower,
        }
        self.fingerprint = fingerprint_of(settings)

    def encode(self, texts: Sequence[str], spans: Sequence[Span]) -> Vectors:
        """One row for each text: the mean of all tokens, the target marked among them."""
        pieces = self.pieces(texts, spans)
        model = self.torch_model
        return pool(pieces, model.pad_id, self.batch_size, self.dimension, model.run)

    def pieces(self, texts: Sequence[str], spans: Sequence[Span]) -> list[Pieces]:
        """The tokens of every usage as the model reads them."""
        return self._reader.pieces(texts, spans)


class XlDurel(XlLexeme):
    """XL-DURel (Yadav and Schlechtweg, 2025), or another model trained the same way."""

    kind, hub_name = "xl-durel", "sachinn1/xl-durel"
    longest, again = 128, True


class _Files:
    """What the sentence-transformers files of a model say, if it has any."""

    def __init__(self, folder: Path, name: str) -> None:
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
                    f"{name.partition(':')[0]} has not: encode with hf: instead."
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
