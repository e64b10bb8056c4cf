"""From what the user named to the encoder itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senseshift.encoders.language import preferred
from senseshift.encoders.packages import MULTILINGUAL, OWN, announced, installed
from senseshift.encoders.precomputed import SUFFIXES, Precomputed, from_array, read_vectors
from senseshift.encoders.protocol import Encoder, FromCallable, Span
from senseshift.errors import InputError, shortened

Layers = int | Sequence[int]
EncoderLike = (
    str
    | Path
    | Encoder
    | Precomputed
    | NDArray[Any]
    | Callable[[Sequence[str], Sequence[Span]], Any]
)

BUNDLED = Path(__file__).parent / "bundled"

KINDS = (
    "bundled, onnx:DIR, xl-lexeme, xl-durel (or either with :DIR_OR_NAME), hf:NAME_OR_DIR, or a "
    "file of vectors (.npy, .npz, .parquet)"
)


def load(
    encoder: EncoderLike | None = None,
    *,
    language: str | None = None,
    batch_size: int = 32,
    threads: int | None = None,
    layers: Layers | None = None,
    offline: bool = False,
) -> Encoder | Precomputed:
    """The encoder that was named, ready to use.

    Parameters
    ----------
    encoder
        ``bundled``; the name of one that an installed package brings, as senseshift-xx does
        ``multilingual`` (see :mod:`senseshift.encoders.packages`); ``onnx:DIR``; ``xl-lexeme`` or
        ``xl-durel`` (or either with ``:DIR_OR_NAME``); ``hf:NAME_OR_DIR``; a file of vectors, or an
        array of them with a row for each usage; an :class:`Encoder`; or a callable
        ``(texts, spans) -> array``. None takes one that knows the language.
    language
        Of the usages, by which an encoder is taken where none is named: the bundled one where
        nobody says it.
    batch_size
        Usages that a model reads at once.
    threads
        For the model; the library's choice by default.
    layers
        For ``hf:`` only: the hidden layer to take (0 are the embeddings, −1 is the last), or
        several to average.
    offline
        Never reach the network. Without it, that happens only for a model that was named by its
        name on the Hugging Face hub and is not on this machine, and a warning says so.
    """
    _check_numbers(batch_size, threads)
    if encoder is None:
        encoder = preferred(language)
    kind, _, argument = encoder.partition(":") if isinstance(encoder, str) else ("", "", "")
    if layers is not None and kind != "hf":
        raise InputError("Layers can be chosen only for an encoder hf:NAME_OR_DIR: leave them out.")
    if isinstance(encoder, str) and encoder == "bundled":
        return _bundled(batch_size, threads)
    if kind in ("onnx", "hf") and not argument:
        raise InputError(f"The encoder {encoder!r} names no model: give one of {KINDS}.")
    if kind == "onnx":
        from senseshift.encoders.onnx import OnnxEncoder

        return OnnxEncoder(argument, batch_size=batch_size, threads=threads)
    if kind == "hf":
        from senseshift.encoders.hf import HfEncoder

        return HfEncoder(
            argument, layers=layers, batch_size=batch_size, threads=threads, offline=offline
        )
    if kind in ("xl-lexeme", "xl-durel"):
        from senseshift.encoders.xl_lexeme import XlDurel, XlLexeme

        marked = XlLexeme if kind == "xl-lexeme" else XlDurel
        return marked(argument or None, batch_size=batch_size, threads=threads, offline=offline)
    if isinstance(encoder, str) and encoder not in OWN and (found := announced(encoder)):
        if not isinstance(found, Path):
            return found if isinstance(found, Encoder) else FromCallable(found)
        from senseshift.encoders.onnx import OnnxEncoder

        return OnnxEncoder(found, batch_size=batch_size, threads=threads)
    if isinstance(encoder, str | Path):
        return _file(Path(encoder))
    if isinstance(encoder, np.ndarray):
        return from_array(encoder)
    if isinstance(encoder, Precomputed | Encoder):
        return encoder
    if callable(encoder):
        return FromCallable(encoder)
    raise InputError(f"The encoder is a {type(encoder).__name__}: give one of {KINDS}.")


def _check_numbers(batch_size: int, threads: int | None) -> None:
    if batch_size < 1:
        raise InputError(f"The batch size is {batch_size}: it must be 1 or more.")
    if threads is not None and threads < 1:
        raise InputError(f"The number of threads is {threads}: it must be 1 or more.")


def _bundled(batch_size: int, threads: int | None) -> Encoder:
    from senseshift.encoders.onnx import OnnxEncoder

    if not (BUNDLED / "model.onnx").is_file():
        raise InputError(
            "This build of senseshift has no bundled encoder: name another one, xl-lexeme, "
            "hf:NAME_OR_DIR, onnx:DIR or a file of vectors (.npy, .npz, .parquet)."
        )
    return OnnxEncoder(BUNDLED, batch_size=batch_size, threads=threads)


def _file(path: Path) -> Precomputed:
    if path.suffix.lower() in SUFFIXES:
        return read_vectors(path)
    if str(path) == MULTILINGUAL.encoder:
        raise InputError(
            f"The encoder {MULTILINGUAL.encoder} is in the package {MULTILINGUAL.name}, which is "
            f"not installed: run pip install {MULTILINGUAL.name} (or "
            f"./packages/{MULTILINGUAL.name} in senseshift's repository)."
        )
    hint = f"; for the model in this folder, onnx:{path} or hf:{path}" if path.is_dir() else ""
    others = "".join(f"{name}, " for name in installed())
    raise InputError(
        f"The encoder {shortened(str(path))!r} is not known: give {others}{KINDS}{hint}."
    )
