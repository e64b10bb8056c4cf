"""``senseshift export``: a model of a hub as a folder that runs without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from senseshift.cli import options as opt
from senseshift.cli.inputs import numbers


def export_command(
    encoder: Annotated[str, typer.Argument(help="hf:NAME_OR_DIR, xl-lexeme or xl-durel.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
    int8: Annotated[
        bool, typer.Option("--int8", help="Weights in eight bits: a quarter of the size.")
    ] = False,
    layers: opt.Layers = None,
    offline: opt.Offline = False,
) -> None:
    """Write a Hugging Face model as a folder that onnx:DIR runs without torch, and check it."""
    from senseshift.encoders.export import export

    print(export(encoder, output, int8=int8, layers=numbers(layers), offline=offline))
    print(f"written to {output}: compare … --encoder onnx:{output}")
