"""Any ONNX token encoder with a ``tokenizer.json``: small, offline, no torch."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from senseshift.encoders.folder import FolderSettings, read_object
from senseshift.encoders.marked import MarkedReader
from senseshift.encoders.protocol import Span, Vectors, fingerprint_of
from senseshift.encoders.tokens import (
    Batch,
    checked_length,
    cut,
    pool,
    positions,
    shortest,
)
from senseshift.errors import InputError

FEEDS = {"input_ids": "ids", "attention_mask": "mask", "token_type_ids": "types"}
INTEGERS: dict[str, Any] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
FLOATS = {"tensor(float)", "tensor(float16)", "tensor(double)"}


class OnnxEncoder:
    """Mean of the target's token states in the last hidden layer of an ONNX graph.

    Where its folder says that targets are marked, it is the mean of all tokens of the marked text.

    Parameters
    ----------
    folder
        Holds ``tokenizer.json`` and ``model.onnx`` (or ``onnx/model.onnx``, or one other
        ``.onnx``). A ``senseshift.json`` may set what :class:`FolderSettings` has: ``name``,
        ``model`` (the file), ``languages`` that the model knows, its ``calibration``, how the
        ``target`` is marked, and ``max_length``; else the length is that of the tokenizer's
        truncation, or the model's positions by ``config.json`` and ``tokenizer_config.json``, or
        512.
    name
        What to call it.
    batch_size
        Usages in one run of the graph.
    threads
        For the graph; one for each processor by default.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        name: str | None = None,
        batch_size: int = 32,
        threads: int | None = None,
    ) -> None:
        self.folder = Path(folder).expanduser()
        if not self.folder.is_dir():
            raise InputError(
                f"There is no folder {self.folder}: give one with model.onnx and tokenizer.json."
            )
        settings = FolderSettings.read(self.folder)
        self.name = name or settings.name or f"onnx:{self.folder.resolve().name}"
        self._model = _model_file(self.folder, settings)
        self.languages, self.calibration = settings.languages, settings.calibration
        # Activations quantised on the fly are scaled by the batch's extremes: alone, a usage's
        # vector is its own. Usages then run beside each other, with a thread each.
        alone = _mentions(self._model, b"DynamicQuantize")
        self.batch_size = 1 if alone else batch_size
        self._at_once = (threads or os.cpu_count() or 1) if alone else 1
        self._tokenizer = _tokenizer(self.folder)
        config = read_object(self.folder / "config.json")
        self._pad_id = _pad_id(self._tokenizer, config)
        self.max_length = checked_length(
            _max_length(self.folder, settings, self._tokenizer, config), self._tokenizer, self.name
        )
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._session = _session(self._model, 1 if alone else threads)
        self._inputs = _inputs(self._session, self._model)
        self._output = _output(self._session, self._model)
        self._marked = settings.target and MarkedReader(
            self._tokenizer, settings.target, self.max_length, where=self.folder
        )
        method: dict[str, Any] = {
            "method": "onnx target mean 1",
            "max_length": self.max_length,
            "pad_id": self._pad_id,
        }
        if settings.target:
            method |= {"method": "onnx marked 1", "target": settings.target.to_dict()}
        tokenizer = self._tokenizer.to_str().encode()
        self.fingerprint = fingerprint_of(method, tokenizer, *_graph_files(self._model))

    @cached_property
    def dimension(self) -> int:
        """Length of the vectors: what the graph states, or what one token shows."""
        stated = self._output.shape[2] if len(self._output.shape) == 3 else None
        if isinstance(stated, int):
            return stated
        one = np.ones((1, 1), dtype=np.int64)
        states = self._states(Batch(one * self._pad_id, one, one * 0, one.astype(np.float32)))
        return int(states.shape[2])

    def encode(self, texts: Sequence[str], spans: Sequence[Span]) -> Vectors:
        """One row for each text: the mean of its target's tokens, or of all where it is marked."""
        if self._marked:
            pieces = self._marked.pieces(texts, spans)
        else:
            pieces = cut(self._tokenizer, texts, spans, self.max_length)
        # A graph without a mask would read padding as text: only equal lengths go together.
        equal = "attention_mask" not in self._inputs
        return pool(
            pieces,
            self._pad_id,
            self.batch_size,
            self.dimension,
            self._mean,
            equal=equal,
            at_once=self._at_once,
        )

    def _mean(self, batch: Batch) -> Vectors:
        vectors: Vectors = np.einsum("bt,btd->bd", batch.weights, self._states(batch))
        return vectors

    def _states(self, batch: Batch) -> Vectors:
        feeds = {
            name: getattr(batch, FEEDS[name]).astype(kind) for name, kind in self._inputs.items()
        }
        states = np.asarray(self._session.run([self._output.name], feeds)[0], dtype=np.float32)
        if states.ndim != 3 or states.shape[:2] != batch.ids.shape:
            raise InputError(
                f"The output {self._output.name} of {self._model} has shape {states.shape} for "
                f"{batch.ids.shape} tokens: a state for every token is needed; export the model "
                "with its last_hidden_state."
            )
        return states


def _model_file(folder: Path, settings: FolderSettings) -> Path:
    named = [settings.model] if settings.model else ["model.onnx", "onnx/model.onnx"]
    for name in named:
        if (folder / name).is_file():
            return folder / name
    if settings.model:
        raise InputError(f"{folder} has no {named[0]}, which its senseshift.json names as model.")
    found = sorted(folder.glob("*.onnx"))
    if len(found) == 1:
        return found[0]
    listed = f"{len(found)} other .onnx files" if found else "no other .onnx file"
    raise InputError(
        f"{folder} has no model.onnx and {listed}: put the model there under this name, or name "
        'it in a senseshift.json ({"model": "…"}).'
    )


def _graph_files(model: Path) -> list[Path]:
    """The graph and what of its weights lies beside it, as those above 2 GB do."""
    beside = (path for path in model.parent.iterdir() if path.is_file() and path != model)
    data = (p for p in beside if p.suffix in {".data", ".weight"} or "onnx_data" in p.name)
    return [model, *sorted(data)]


def _mentions(model: Path, operation: bytes) -> bool:
    """Whether a graph uses operations of this name: names stand in the file as they are."""
    with model.open("rb") as file:
        if not model.stat().st_size:
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(operation) >= 0


def _tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    if not path.is_file():
        raise InputError(f"{folder} has no tokenizer.json: put the model's fast tokenizer there.")
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # The library raises bare exceptions.
        raise InputError(f"{path} is not a tokenizer that can be read: {error}.") from None


def _pad_id(tokenizer: Any, config: dict[str, Any]) -> int:
    if tokenizer.padding:
        return int(tokenizer.padding["pad_id"])
    named = (tokenizer.token_to_id(token) for token in ("[PAD]", "<pad>"))
    known = [config.get("pad_token_id"), *named, 0]
    return next(int(pad) for pad in known if pad is not None)


def _max_length(
    folder: Path, settings: FolderSettings, tokenizer: Any, config: dict[str, Any]
) -> int:
    if settings.max_length is not None:
        return settings.max_length
    if tokenizer.truncation:
        return int(tokenizer.truncation["max_length"])
    stated = read_object(folder / "tokenizer_config.json").get("model_max_length")
    return shortest(positions(config), stated)


def _runtime() -> Any:
    """The library, which reports each run to its makers unless this is set before it is loaded."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    return onnxruntime


def _session(model: Path, threads: int | None) -> Any:
    onnxruntime = _runtime()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if threads is not None:
        options.intra_op_num_threads = threads
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # Its many kinds of error share no other base.
        reason = str(error).splitlines()[0]
        raise InputError(f"{model} is not an ONNX model that can be run: {reason}.") from None


def _inputs(session: Any, model: Path) -> dict[str, Any]:
    inputs = {}
    for given in session.get_inputs():
        if given.name not in FEEDS or given.type not in INTEGERS:
            raise InputError(
                f"{model} wants the input {given.name} of {given.type}: only integer "
                f"{', '.join(FEEDS)} can be fed; export the model as a plain token encoder."
            )
        if any(isinstance(size, int) for size in given.shape):
            raise InputError(
                f"{model} takes its input {given.name} in the fixed shape {given.shape} only: "
                "export it with dynamic axes for batch and sequence."
            )
        inputs[given.name] = INTEGERS[given.type]
    if "input_ids" not in inputs:
        raise InputError(f"{model} has no input input_ids: export it as a plain token encoder.")
    return inputs


def _output(session: Any, model: Path) -> Any:
    outputs = [output for output in session.get_outputs() if output.type in FLOATS]
    # An output whose shape the graph leaves open may be the one; running it will tell.
    fit = [output for output in outputs if len(output.shape) in (3, 0)]
    fit.sort(key=lambda output: (output.name != "last_hidden_state", len(output.shape) != 3))
    if not fit:
        raise InputError(
            f"{model} has no output with a state for every token: export the model with its "
            "last_hidden_state."
        )
    return fit[0]
