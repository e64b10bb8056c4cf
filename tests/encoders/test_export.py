"""Models as ONNX folders: tiny ones of the real architectures, against torch."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tiny_models import random_usages, sentencepiece, wordpiece

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("onnxscript")

from test_xl_lexeme import save as save_marked  # noqa: E402

from senseshift.cli import app  # noqa: E402
from senseshift.encoders import encode, load, quantise  # noqa: E402
from senseshift.encoders import export as module  # noqa: E402
from senseshift.encoders.export import export  # noqa: E402
from senseshift.errors import InputError  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

SMALL = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64,
    "initializer_range": 0.1,
}  # fmt: skip
KINDS = {"bert": ("Bert", 64, 0), "xlm-r": ("XLMRoberta", 66, 1), "mpnet": ("MPNet", 66, 1)}


def save(folder, kind):
    """A tiny model, as ``save_pretrained`` writes it."""
    torch.manual_seed(0)
    family, positions, pad = KINDS[kind]
    tokenizer = wordpiece() if kind == "bert" else sentencepiece()
    config = getattr(transformers, f"{family}Config")(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=positions, pad_token_id=pad,
        **SMALL,
    )  # fmt: skip
    getattr(transformers, f"{family}Model")(config).save_pretrained(folder)
    padding = "[PAD]" if kind == "bert" else "<pad>"
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=padding
    ).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_gives_the_vectors_of_the_original(tmp_path, kind):
    model = save(tmp_path / "model", kind)
    layers = [-1, 1] if kind == "mpnet" else None
    made = export(f"hf:{model}", tmp_path / "copy", layers=layers)
    assert made.difference < 1e-4
    names = {path.name for path in (tmp_path / "copy").iterdir()}
    assert names == {"SHA256SUMS", "model.onnx", "senseshift.json", "tokenizer.json"}
    usages = random_usages(40)  # of many lengths, some too long for the model
    expected = encode(usages, load(f"hf:{model}", layers=layers), cache=False)
    copied = encode(usages, f"onnx:{tmp_path / 'copy'}", cache=False)
    np.testing.assert_allclose(copied, expected, atol=1e-4)


def cosines(usages, encoder):
    vectors = encode(usages, encoder, cache=False)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units @ units.T


@pytest.mark.parametrize("kind", ["xl-lexeme", "xl-durel"])
def test_marks_are_carried_by_the_copy(tmp_path, kind):
    model = save_marked(tmp_path / "model")
    export(f"{kind}:{model}", tmp_path / "exact")
    settings = json.loads((tmp_path / "exact" / "senseshift.json").read_text())
    assert settings["target"]["marks"] == ["<t>", "</t>"]
    usages = random_usages(40)
    expected = encode(usages, f"{kind}:{model}", cache=False)
    copy = load(f"onnx:{tmp_path / 'exact'}")
    np.testing.assert_allclose(encode(usages, copy, cache=False), expected, atol=1e-4)
    assert settings["target"]["again"] is (kind == "xl-durel")


def test_eight_bits_are_near_and_weights_may_lie_beside_the_graph(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LARGEST_FILE", 0)  # as those of large models do
    monkeypatch.setattr(quantise, "LARGEST_FILE", 0)
    model = save(tmp_path / "model", "xlm-r")
    made = export(f"hf:{model}", tmp_path / "small", int8=True)
    assert made.difference <= made.bound
    assert "int8" in load(f"onnx:{tmp_path / 'small'}").name
    usages = random_usages(40)
    far = np.abs(cosines(usages, f"onnx:{tmp_path / 'small'}") - cosines(usages, f"hf:{model}"))
    assert 0 < far.max() < 0.05
    assert not list((tmp_path / "small").glob("float32*"))
    assert (tmp_path / "small" / "model.onnx.data").is_file()


def test_a_copy_that_is_too_far_is_not_written(tmp_path, monkeypatch, capsys):
    model = save(tmp_path / "model", "bert")
    monkeypatch.setattr(module, "EIGHT_BITS", 1e-9)
    with pytest.raises(InputError, match=r"differ .* more than the 1e-09 .* without --int8"):
        app(["export", f"hf:{model}", "-o", str(tmp_path / "copy"), "--int8"])
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "cache") == ["model"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bundled", "'bundled' cannot be exported: give hf:NAME_OR_DIR, xl-lexeme"),
        ("hf:", "'hf:' cannot be exported"),
        ("hf:/no/such/model", "There is no folder /no/such/model"),
    ],
)
def test_what_cannot_be_exported_is_told(tmp_path, name, message):
    with pytest.raises(InputError, match=message):
        export(name, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
