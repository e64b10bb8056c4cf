"""A trained encoder as one small ONNX file with weights of eight bits.

    python training/export.py all-MiniLM-L6-v2/ work/student.pt src/senseshift/encoders/bundled/
    python training/export.py all-MiniLM-L6-v2/ work/s8.npz work/s8/
    python training/export.py base/ work/m1.pt packages/senseshift-xx/src/senseshift_xx/model/

Every weight matrix has a scale for each of its output channels, every word's embedding one of its
own, or by ``--embeddings 4`` one for every 32 of its numbers, which are of four bits then.
Activations are quantised when the graph runs; with ``--texts`` what they are on these texts is seen
to beforehand, which loses far less. ``--bits float`` leaves all as it is. The words of the
multilingual base stay the four bits that they are, and so does all of a student that learnt with
them (``small.py``); of its words those of other scripts than the Latin go.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from tokenizers import Tokenizer

import e5
from equalise import kept, texts_of, watch
from four_bits import in_four_bits
from graph import LONGEST, Graph
from small_graph import SmallGraph, packed_in, pieces_in

ENGLISH = {"name": "senseshift-en-6", "languages": ["en"]}
# Of the languages whose letters have a place in the vocabulary, those that the base has read.
LANGUAGES = [
    "be", "bg", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "eu", "fi",
    "fr", "fy", "ga", "gd", "gl", "hbs", "hr", "hu", "is", "it", "la", "lt", "lv", "mk", "nb",
    "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr", "uk",
]  # fmt: skip
MULTILINGUAL = {"name": "senseshift-xx-2", "languages": LANGUAGES}
TEXTS = 512  # that are looked at
LOWEST = 0.8  # cosine of a token's state in eight bits with what it was


def weights_of(path: Path) -> dict[str, np.ndarray]:
    """The student's weights by their names in the base model."""
    if path.suffix == ".pt":
        loaded = torch.load(path, weights_only=True, map_location="cpu")
    else:
        from safetensors.torch import load_file

        loaded = load_file(path)
    return {name.removeprefix("base."): tensor.float().numpy() for name, tensor in loaded.items()}


def of_weights(given: argparse.Namespace) -> tuple[onnx.ModelProto, dict[str, object]]:
    """The graph of a student with weights in float32, and the settings of its kind."""
    config = json.loads((given.base / "config.json").read_text())
    weights, settings = weights_of(given.weights), ENGLISH
    multilingual = (given.base / "base.npz").exists()
    if multilingual and e5.WORDS not in weights:  # only a student of English trains them
        weights |= {e5.WORDS: e5.load(given.base / "base.npz")[e5.WORDS]}
        settings = MULTILINGUAL
    elif multilingual or given.embeddings == 4:
        weights[e5.WORDS] = in_four_bits(weights[e5.WORDS])
    seen = None
    if given.texts and given.bits == "eight":
        tokenizer = Tokenizer.from_file(str(given.base / "tokenizer.json"))
        tokenizer.enable_truncation(LONGEST)
        texts = texts_of(given.texts, TEXTS)
        seen = watch(Graph(weights, config, "float").model(), tokenizer, texts)
    model = Graph(weights, config, given.bits, given.layers, seen).model()
    if seen:
        whole = Graph(weights, config, "float", given.layers).model()
        cosines = kept(whole, model, tokenizer, texts)
        print(f"states keep a cosine of {cosines.mean():.4f}, at least {cosines.min():.4f}")
        if cosines.min() < LOWEST:
            raise SystemExit(f"Eight bits spoil some states (below {LOWEST}): nothing is written.")
    return model, settings


def main() -> None:
    """Write model, tokenizer and settings."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("base", type=Path)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("output", type=Path)
    arguments.add_argument("--bits", default="eight", choices=["eight", "float"])
    arguments.add_argument(
        "--embeddings", type=int, default=8, choices=[4, 8], help="bits of words"
    )
    arguments.add_argument("--texts", type=Path, nargs="+", help="files like what will be read")
    arguments.add_argument("--name", help="of the encoder, if not the released one's")
    arguments.add_argument("--layers", type=int, default=1, help="from above that are averaged")
    given = arguments.parse_args()
    tokenizer = json.loads((given.base / "tokenizer.json").read_text(encoding="utf-8"))
    if given.weights.suffix == ".npz":
        for option in ("bits", "embeddings", "texts", "layers"):
            if getattr(given, option) != arguments.get_default(option):
                arguments.error(f"--{option} is not for a packed student, which stays as it is")
        packed = packed_in(given.weights)
        model, settings = SmallGraph(packed, pieces_in(given.base)).model(), ENGLISH
    else:
        model, settings = of_weights(given)
    given.output.mkdir(parents=True, exist_ok=True)
    onnx.save(model, given.output / "model.onnx")
    tokenizer |= {"truncation": None, "padding": None}
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (given.output / "tokenizer.json").write_text(text, encoding="utf-8")
    settings = settings | {"name": given.name or settings["name"], "max_length": LONGEST}
    (given.output / "senseshift.json").write_text(json.dumps(settings) + "\n")
    size = (given.output / "model.onnx").stat().st_size
    print(f"{given.output / 'model.onnx'}: {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
