"""A released encoder that unlearns the manners of texts, and stays as it is in all else.

    python training/refine.py all-MiniLM-L6-v2/ work/ work/s5/model.onnx --name s10

It goes on from the eight bits of a graph that ``export.py`` made.  Words of one
sense teach it that a manner is no sense (``one_sense.py``), labelled usages keep it at telling
senses apart, and its old cosines keep it near what it was.  The word embeddings and the lower
layers stay; a processor does it in minutes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from batches import Corpus, Window, together
from kinds import BARE, GLOSS, READ
from loop import arguments, batches, save, train
from losses import contrast, copying, in_lemma
from network import TargetEncoder, precision

PARTS = ("query", "key", "value")  # stand in one matrix of the graph


def weights_in(path: Path) -> dict[str, Tensor]:
    """What a graph of ``export.py`` has in eight bits, by its names in the base model."""
    found = {w.name: numpy_helper.to_array(w) for w in onnx.load(path).graph.initializer}
    words = found.get("embeddings.word_embeddings.weight")
    if words is None or words.dtype != np.int8:
        raise SystemExit(f"{path} is no graph of export.py, all in eight bits.")
    weights: dict[str, np.ndarray] = {}
    for name, array in found.items():
        stem, _, kind = name.rpartition(".")
        if name == "embeddings.word_embeddings.weight":
            weights[name] = array * found[f"{name}.scale"]
        elif stem.endswith("LayerNorm") and kind in ("weight", "bias"):
            weights[name] = array * found.get(f"{stem}.kept", 1.0)
        elif kind in ("weight", "bias") and f"{stem}.scale" in found:
            whole = array
            if kind == "weight":
                whole = ((array * found[f"{stem}.scale"]).T * inputs_of(stem, found)).astype("f4")
            if stem.endswith("self"):
                split = zip(PARTS, np.split(whole, len(PARTS)), strict=True)
                weights |= {f"{stem}.{part}.{kind}": part_of for part, part_of in split}
            else:
                weights[name] = whole
    if any(name.startswith("head.") for name in weights):
        weights["head.added"] = found["shift"]  # what evening took from the states that it reads
    # The one type is part of the positions there.
    weights["embeddings.position_embeddings.weight"] = found["positions"]
    weights["embeddings.token_type_embeddings.weight"] = np.zeros((2, found["positions"].shape[1]))
    return {name: torch.tensor(array, dtype=torch.float32) for name, array in weights.items()}


def inputs_of(name: str, found: dict[str, np.ndarray]) -> np.ndarray:
    """By what the inputs of a linear map are multiplied where ``export.py --texts`` evened them.

    With that in its weights the network is the same: shifts are in what it adds, and may stay, and
    attention's values are written as the map beyond reads them.
    """
    even = np.ones(1, dtype=np.float32)
    if name.startswith("head."):
        return even
    number = int(name.split(".")[2])
    layer, below = (f"encoder.layer.{k}" for k in (number, number - 1))
    divided = {
        f"{layer}.attention.self": f"{below}.output" if number else "embeddings",
        f"{layer}.intermediate.dense": f"{layer}.attention.output",
    }
    if name in divided:
        return 1 / found.get(f"{divided[name]}.LayerNorm.kept", even)
    return found.get(f"{layer}.wide", even) if name == f"{layer}.output.dense" else even


def released(base: Path, weights: dict[str, Tensor], dropout: float) -> TargetEncoder:
    """The encoder of a graph, with as many layers and positions as that has, or the base itself."""
    encoder = TargetEncoder(base, dropout=dropout)
    if not weights:
        return encoder
    layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder."))
    encoder.stack([min(k, len(encoder.base.encoder.layer) - 1) for k in range(layers)])
    own = encoder.base.state_dict()
    heads = [name for name in weights if name.startswith("head.") and name.endswith(".weight")]
    maps = {name.split(".")[1]: weights[name] for name in heads}
    encoder.read_by(maps, weights.get("head.added"))
    for name, weight in weights.items():
        if not name.startswith("head."):
            own[name][: len(weight)] = weight  # positions beyond a window's stay, and are not used
    return encoder


def main() -> None:
    """Train, and write weights."""
    parser = arguments(
        __doc__, name="refined", steps=230, rate=5e-5, lemmas=32, dropout=0.05, wider=0.2,
        narrower=0.3, workers=1,
    )  # fmt: skip
    parser.add_argument(
        "graph", type=Path, nargs="?", help="of a released encoder, if not the base"
    )
    parser.add_argument("--single", type=int, default=3, help="words of one sense in a batch")
    parser.add_argument("--disguised", type=int, default=9, help="words made of two such ones")
    parser.add_argument("--kept", type=int, default=3, help="layers from below that stay")
    parser.add_argument("--copying", type=float, default=20.0, help="weight of its old cosines")
    parser.add_argument("--sharpness", type=float, default=8.0, help="of the contrast")
    parser.add_argument("--related", action="store_true", help="closely related senses are one")
    given = parser.parse_args()

    torch.manual_seed(given.seed)
    corpus = Corpus(given.work / "training.npz")
    weights = weights_in(given.graph) if given.graph else {}
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = released(given.base, weights, given.dropout).to(device)
    before = released(given.base, weights, 0.0).to(device).eval()
    frozen = ["embeddings", *(f"encoder.layer.{number}." for number in range(given.kept))]
    for name, weight in encoder.named_parameters():
        weight.requires_grad_(not any(part in name for part in frozen))
    usable = (corpus.fold >= 0) & (corpus.kind != GLOSS)
    levels = [corpus.sense]
    if given.related:
        levels = together(corpus)
        usable &= (corpus.kind == BARE) | (levels[0] >= 0)
    sense, *label = (torch.as_tensor(of).to(device) for of in (corpus.sense, *levels))
    read = torch.as_tensor(corpus.kind == READ).to(device)
    labelled = given.lemmas - given.single - given.disguised  # groups, which come first

    def loss_of(windows: list[Window], vectors: Tensor, usages: Tensor, group: Tensor) -> Tensor:
        rows, cosine, pair = usages.to(device), vectors @ vectors.T, in_lemma(group)
        same = [of[rows][:, None] == of[rows] for of in (sense, *label)]
        contrasts = [contrast(cosine[pair], one[pair], given.sharpness) for one in same[1:]]
        # What was read, or was told as two senses and is one now, need not stay where it was.
        stays = (group < labelled) & ~read[rows]
        as_they_are = (pair & (same[0] | ~same[1]))[stays][:, stays]
        told = sum(contrasts) / len(contrasts)
        if not as_they_are.any():  # a batch of usages that were read alone
            return told
        with torch.no_grad(), precision():
            old = before([windows[row] for row in stays.nonzero()[:, 0].tolist()])
        kept = copying(cosine[stays][:, stays], old @ old.T, as_they_are, 0.0)
        return told + given.copying * kept

    taken = batches(given, corpus, usable, single=given.single, disguised=given.disguised)
    train(given, encoder, corpus, taken, loss_of)
    for weight in encoder.parameters():
        weight.requires_grad_(True)
    save(encoder, given.work / f"{given.name}.pt")


if __name__ == "__main__":
    main()
