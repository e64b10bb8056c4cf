from __future__ import annotations

import importlib
import sys

import pytest

from senseshift.encoders import Encoder, encode, load, resolve
from senseshift.encoders.onnx import OnnxEncoder
from senseshift.errors import InputError, MissingExtraError
from tiny_models import random_usages


def test_every_kind_is_understood(graph, tmp_path):
    assert isinstance(load(f"onnx:{graph.folder}"), OnnxEncoder)
    assert isinstance(load(f"onnx:{graph.folder}"), Encoder)
    encoder = load(f"onnx:{graph.folder}")
    assert load(encoder) is encoder
    assert load(lambda texts, spans: []).fingerprint is None


def test_the_bundled_encoder_is_the_one_in_the_package(graph, monkeypatch, tmp_path):
    monkeypatch.setattr(resolve, "BUNDLED", graph.folder)
    assert load("bundled").fingerprint == load(f"onnx:{graph.folder}").fingerprint
    monkeypatch.setattr(resolve, "BUNDLED", tmp_path / "not there")
    with pytest.raises(InputError, match="has no bundled encoder: name another one, xl-lexeme"):
        encode(random_usages(2))


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("xllexeme", {}, r"'xllexeme' is not known: give (multilingual, )?bundled, onnx:DIR"),
        ("onnx:", {}, "names no model"),
        ("hf:", {}, "names no model"),
        ("onnx:/no/such/folder", {}, "There is no folder /no/such/folder"),
        ("vectors.npy", {}, "There is no file vectors.npy"),
        (3, {}, "The encoder is a int"),
        ("bundled", {"layers": 3}, "Layers can be chosen only for an encoder hf"),
        ("bundled", {"batch_size": 0}, "batch size is 0"),
        ("bundled", {"threads": 0}, "number of threads is 0"),
    ],
)
def test_what_is_not_understood_is_told(name, settings, message):
    with pytest.raises(InputError, match=message):
        load(name, **settings)


def test_a_folder_gets_a_hint(tmp_path):
    with pytest.raises(InputError, match=f"onnx:{tmp_path} or hf:{tmp_path}"):
        load(tmp_path)


@pytest.mark.parametrize("name", ["hf:some/model", "xl-lexeme", "xl-lexeme:some/model"])
def test_a_missing_extra_names_what_to_install(monkeypatch, name):
    real = importlib.import_module

    def without(module, *rest):
        if module.partition(".")[0] in ("torch", "transformers", "huggingface_hub"):
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        return real(module, *rest)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(MissingExtraError, match=r"pip install 'senseshift\[hf\]'"):
        load(name)


def test_threads_reach_the_session(graph, monkeypatch):
    import onnxruntime

    seen = []
    real = onnxruntime.InferenceSession

    def session(path, options, **rest):
        seen.append(options.intra_op_num_threads)
        return real(path, options, **rest)

    monkeypatch.setattr(onnxruntime, "InferenceSession", session)
    load(f"onnx:{graph.folder}", threads=1)
    assert seen == [1]
    assert "onnxruntime" in sys.modules
