"""The multilingual encoder of senseshift, found by it as ``--encoder multilingual``.

The weights lie in ``FOLDER`` as any ONNX encoder's do; README.md is the model card.
"""

from pathlib import Path

FOLDER = Path(__file__).parent / "model"

__all__ = ["FOLDER"]
