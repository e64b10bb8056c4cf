"""A model of ``transformers`` as a folder that runs anywhere, without torch.

The folder is what :class:`~senseshift.encoders.onnx.OnnxEncoder` reads: graph, tokenizer, and in
``senseshift.json`` how long texts may be and how the target is marked. Before it appears, usages in
many languages are encoded by both, and their cosines must agree.
"""

from __future__ import annotations

import io
import json
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from senseshift.encoders.folder import FILE
from senseshift.encoders.hf import HfEncoder
from senseshift.encoders.hub import extra
from senseshift.encoders.onnx import OnnxEncoder
from senseshift.encoders.probes import probes
from senseshift.encoders.protocol import Span
from senseshift.encoders.quantise import LARGEST_FILE, quantise
from senseshift.encoders.xl_lexeme import XlDurel, XlLexeme
from senseshift.errors import InputError
from senseshift.folders import files_whole

OPSET = 18
GRAPH, FLOAT = "model.onnx", "float32.onnx"
# By how much the cosine of two usages may differ between the model and its copy.
EXACT, EIGHT_BITS = 1e-3, 0.03
KINDS = "hf:NAME_OR_DIR, xl-lexeme or xl-durel (or either with :DIR_OR_NAME)"


@dataclass(frozen=True)
class Exported:
    """What was written, and how near to the original it is."""

    folder: Path
    name: str
    megabytes: float
    difference: float
    bound: float
    usages: int

    def __str__(self) -> str:
        return (
            f"{self.name}, {self.megabytes:,.1f} MB: cosines of {self.usages} usages differ from "
            f"the original's by {self.difference:.5f} at most (allowed: {self.bound})"
        )


def export(
    encoder: str,
    folder: str | Path,
    *,
    int8: bool = False,
    layers: int | Sequence[int] | None = None,
    offline: bool = False,
) -> Exported:
    """Write a model as an ONNX folder, checked against the original on the spot.

    Parameters
    ----------
    encoder
        ``hf:NAME_OR_DIR``, ``xl-lexeme``, ``xl-durel``, or either of these with ``:DIR_OR_NAME``.
    folder
        Where to write; ``onnx:FOLDER`` then is the encoder.
    int8
        Weights in eight bits: a quarter of the size, three times as fast, and cosines that differ
        a little. Where that is too much, a slower way with blocks of weights is taken.
    layers, offline
        See :func:`senseshift.encoders.load`; layers are averaged in the graph.

    Raises
    ------
    InputError
        Where a cosine differs by more than .001, or .03 in eight bits; nothing is written then.
    """
    extra("onnxscript", encoder)
    source = _source(encoder, layers, offline)
    bound = EIGHT_BITS if int8 else EXACT
    folder = Path(folder).expanduser()
    texts, spans = probes()
    with files_whole(folder) as made:
        _write(source, made, int8)
        for careful in (False, True) if int8 else (None,):
            if careful is not None:
                quantise(made / FLOAT, made / GRAPH, careful=careful)
            difference = _difference(source, OnnxEncoder(made), texts, spans)
            if difference <= bound:
                break
        else:
            raise InputError(
                f"The copy of {source.name} gives cosines that differ from the original's by "
                f"{difference:.4f}, more than the {bound} that is allowed: nothing was written"
                + ("; export it without --int8." if int8 else ".")
            )
        for path in made.glob(f"{FLOAT}*"):
            path.unlink()
        megabytes = sum(path.stat().st_size for path in made.iterdir()) / 1e6
    return Exported(folder, _name(source, int8), megabytes, difference, bound, len(texts))


def _source(
    encoder: str, layers: int | Sequence[int] | None, offline: bool
) -> HfEncoder | XlLexeme:
    kind, _, argument = encoder.partition(":")
    if layers is not None and kind != "hf":
        raise InputError("Layers can be chosen only for an encoder hf:NAME_OR_DIR: leave them out.")
    if kind == "hf" and argument:
        return HfEncoder(argument, layers=layers, offline=offline, precise=True)
    if kind in ("xl-lexeme", "xl-durel"):
        marked = XlLexeme if kind == "xl-lexeme" else XlDurel
        return marked(argument or None, offline=offline, precise=True)
    raise InputError(f"The encoder {encoder[:80]!r} cannot be exported: give {KINDS}.")


def _name(source: HfEncoder | XlLexeme, int8: bool) -> str:
    return f"{source.name} (int8)" if int8 else source.name


def _write(source: HfEncoder | XlLexeme, folder: Path, int8: bool) -> None:
    """All but the graph in eight bits, which is made of the other."""
    model = source.torch_model
    layers = source.layers if isinstance(source, HfEncoder) else None
    _write_graph(model.module, layers, model.pad_id, folder / (FLOAT if int8 else GRAPH))
    # The tokenizer tells the id of the padding, by which some models count positions.
    pad = model.tokenizer.id_to_token(model.pad_id) or "[PAD]"
    model.tokenizer.enable_padding(pad_id=model.pad_id, pad_token=pad)
    model.tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    model.tokenizer.no_padding()
    settings: dict[str, Any] = {"name": _name(source, int8), "max_length": source.max_length}
    if isinstance(source, XlLexeme):
        settings["target"] = source.marks.to_dict()
    (folder / FILE).write_text(json.dumps(settings, ensure_ascii=False) + "\n", encoding="utf-8")


def _write_graph(module: Any, layers: list[int] | None, pad_id: int, path: Path) -> None:
    """The model as a graph from ids and mask to a state for every token."""
    torch = extra("torch", "export")

    class States(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.module = module

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            output = self.module(
                input_ids=input_ids,
                attention_mask=attention_mask,
                output_hidden_states=layers is not None,
            )
            if layers is None:
                return output.last_hidden_state
            return torch.stack([output.hidden_states[layer] for layer in layers]).mean(dim=0)

    ids = torch.full((2, 9), pad_id + 1 if pad_id < 1 else pad_id - 1)
    mask = torch.ones_like(ids)
    mask[1, 6:] = 0
    ids[1, 6:] = pad_id
    axes = {0: torch.export.Dim("batch", min=1), 1: torch.export.Dim("sequence", min=2)}
    try:
        with _quiet(), torch.inference_mode():
            program = torch.onnx.export(
                States().eval(), (ids, mask), dynamo=True, opset_version=OPSET, verbose=False,
                input_names=["input_ids", "attention_mask"], output_names=["last_hidden_state"],
                dynamic_shapes={"input_ids": axes, "attention_mask": axes},
            )  # fmt: skip
            parameters = sum(p.numel() * p.element_size() for p in module.parameters())
            program.save(str(path), external_data=parameters > LARGEST_FILE)
    except Exception as error:  # Of torch or onnxscript: no common base.
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(
            f"This model cannot be made a graph by torch {torch.__version__}: {reason[:200]}"
        ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing on the terminal of what the exporter tells itself; what matters it raises."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    with (
        warnings.catch_warnings(),
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logger.setLevel(level)


def _difference(
    source: HfEncoder | XlLexeme, copy: OnnxEncoder, texts: Sequence[str], spans: Sequence[Span]
) -> float:
    """The largest difference of the cosines of any two usages; infinite if one is no number."""
    cosines = []
    for encoder in (source, copy):
        vectors = np.asarray(encoder.encode(texts, spans), dtype=np.float64)
        units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        cosines.append(units @ units.T)
    difference = float(np.abs(cosines[0] - cosines[1]).max())
    return difference if np.isfinite(difference) else float("inf")
