"""What an encoder is: four names, so that anything that makes vectors can be one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from senseshift.errors import InputError

Span = tuple[int, int]
Vectors = NDArray[np.float32]


@runtime_checkable
class Encoder(Protocol):
    """Turns usages into vectors.

    The vector of a usage depends on its text and span alone, never on what else is in the call:
    usages come in batches by length, each distinct one once, and cached ones not at all.
    """

    @property
    def name(self) -> str:
        """What to call it in messages and settings."""

    @property
    def dimension(self) -> int | None:
        """Length of its vectors; None where only an encoding can tell."""

    @property
    def fingerprint(self) -> str | None:
        """Changes whenever its vectors might (weights, tokenizer, settings); None: not cached."""

    def encode(self, texts: Sequence[str], spans: Sequence[Span]) -> Vectors:
        """One row for each text, for its target ``text[start:end]``."""


class FromCallable:
    """A Python callable ``(texts, spans) -> array`` as an encoder; its vectors are not cached."""

    # Code has no content that could be hashed soundly: what it calls may change unseen.
    fingerprint = None

    def __init__(self, function: Callable[[Sequence[str], Sequence[Span]], object]) -> None:
        self._function = function
        self.name = str(getattr(function, "__qualname__", type(function).__qualname__))
        self.dimension: int | None = None

    def encode(self, texts: Sequence[str], spans: Sequence[Span]) -> Vectors:
        """What the callable returns, as float32."""
        made = self._function(texts, spans)
        try:
            vectors = np.asarray(made, dtype=np.float32)
        except (TypeError, ValueError):
            raise InputError(
                f"The encoder {self.name} gave a {type(made).__name__} that is no matrix of "
                f"numbers: expected one row for each of the {len(texts)} usages."
            ) from None
        if self.dimension is None and vectors.ndim == 2:
            self.dimension = vectors.shape[1]
        return vectors


def fingerprint_of(settings: Mapping[str, object], *contents: bytes | Path) -> str:
    """A hash of settings and of contents, given as bytes or as files to read.

    >>> fingerprint_of({"layers": [-1]}, b"weights") == fingerprint_of({"layers": [-2]}, b"weights")
    False
    """
    total = hashlib.blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=16)
    for content in contents:
        if isinstance(content, Path):
            with content.open("rb") as file:
                total.update(hashlib.file_digest(file, "blake2b").digest())
        else:
            total.update(hashlib.blake2b(content).digest())
    return total.hexdigest()
