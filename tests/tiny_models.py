"""Tiny tokenizers, graphs and usages; nothing here needs torch or a network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

DIMENSION = 6
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass
class Usages:
    """What the encoders need of usages: their table."""

    table: pl.DataFrame


def make_usages(rows: list[tuple[str, int, int]], words: list[str] | None = None) -> Usages:
    texts, starts, ends = zip(*rows, strict=True) if rows else ((), (), ())
    columns = {
        "word": words or ["bank"] * len(rows),
        "period": ["old"] * len(rows),
        "id": [f"u{row}" for row in range(len(rows))],
        "text": list(texts),
        "start": list(starts),
        "end": list(ends),
    }
    kinds = {"word": pl.String, "period": pl.String, "id": pl.String, "text": pl.String}
    return Usages(pl.DataFrame(columns, schema={**kinds, "start": pl.Int64, "end": pl.Int64}))


def random_usages(count: int, seed: int = 0) -> Usages:
    """Texts of 1 to 60 words, each with one of its words as target; all distinct."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        length = rng.integers(1, 60)
        words = ["".join(rng.choice(list(LETTERS), rng.integers(1, 8))) for _ in range(length)]
        words.append(f"x{number}")
        target = int(rng.integers(len(words)))
        start = sum(len(word) + 1 for word in words[:target])
        rows.append((" ".join(words), start, start + len(words[target])))
    return make_usages(rows)


def wordpiece() -> Tokenizer:
    """Letters as word pieces, a few words, control characters dropped; [CLS] … [SEP]."""
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "bank", "river", "the", ".", *LETTERS]
    tokens += [f"##{letter}" for letter in LETTERS] + ["##ing", "é"]
    tokenizer = Tokenizer(
        models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.BertNormalizer(strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    return tokenizer


def sentencepiece() -> Tokenizer:
    """A unigram model over letters and a few words, as XLM-R has, with the marks of the target."""
    special = [(token, 0.0) for token in ("<s>", "<pad>", "</s>", "<unk>")]
    words = [("▁", -2.0), ("▁the", -3.0), ("▁bank", -3.5), ("bank", -4.0), ("er", -4.5)]
    letters = [(letter, -6.0) for letter in LETTERS + "."]
    tokenizer = Tokenizer(models.Unigram(special + words + letters, unk_id=3))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer.add_special_tokens(["<t>", "</t>"])
    return tokenizer


@dataclass
class TinyGraph:
    """Weights of the graph below, and the same computation by hand."""

    folder: Path
    tokens: np.ndarray
    places: np.ndarray
    types: np.ndarray

    def states(self, ids: list[int]) -> np.ndarray:
        """State = own embedding + position + type + mean of the text's embeddings."""
        own = self.tokens[ids]
        mixed = own + self.places[: len(ids)] + own.mean(axis=0) + self.types[0]
        return np.tanh(mixed)


def write_graph(
    folder: Path, *, mask: bool = True, types: bool = True, long: int = 64, quantised: bool = False
) -> TinyGraph:
    """An ONNX encoder in which every token sees the whole text and its own position."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(3)
    size = wordpiece().get_vocab_size()
    tokens = rng.normal(size=(size, DIMENSION)).astype(np.float32)
    places = rng.normal(size=(long, DIMENSION)).astype(np.float32)
    kinds = rng.normal(size=(2, DIMENSION)).astype(np.float32)
    constants = {"tokens": tokens, "places": places, "kinds": kinds}
    constants |= {
        "zero": np.array(0),
        "one": np.array(1),
        "two": np.array([2]),
        "axis": np.array([1]),
    }

    def node(kind: str, inputs: str, output: str, **settings: object) -> object:
        return helper.make_node(kind, inputs.split(), [output], **settings)

    nodes = [
        node("Gather", "tokens input_ids", "own"),
        node("Shape", "input_ids", "shape"),
        node("Gather", "shape one", "length"),
        node("Range", "zero length one", "numbers"),
        node("Gather", "places numbers", "place"),
    ]
    if mask:
        nodes += [
            node("Cast", "attention_mask", "real", to=TensorProto.FLOAT),
            node("Unsqueeze", "real two", "wide"),
            node("Mul", "own wide", "kept"),
            node("ReduceSum", "kept axis", "sum", keepdims=1),
            node("ReduceSum", "wide axis", "count", keepdims=1),
            node("Div", "sum count", "mean"),
        ]
    else:
        nodes += [node("ReduceMean", "own axis", "mean", keepdims=1)]
    nodes += [node("Add", "own mean", "mixed"), node("Add", "mixed place", "placed")]
    typed = "token_type_ids" if types else "zero"
    nodes += [node("Gather", f"kinds {typed}", "kind"), node("Add", "placed kind", "whole")]
    if quantised:
        nodes += [
            helper.make_node("DynamicQuantizeLinear", ["whole"], ["small", "scale", "nought"]),
            node("DequantizeLinear", "small scale nought", "rough"),
        ]
    nodes += [node("Tanh", "rough" if quantised else "whole", "last_hidden_state")]
    names = ["input_ids"] + ["attention_mask"] * mask + ["token_type_ids"] * types
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "t"]) for name in names],
        [
            helper.make_tensor_value_info(
                "last_hidden_state", TensorProto.FLOAT, ["b", "t", DIMENSION]
            )
        ],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / "model.onnx")
    wordpiece().save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(f'{{"max_position_embeddings": {long}}}')
    # Without types, "zero" picks the first one for all.
    return TinyGraph(folder, tokens, places, kinds)
