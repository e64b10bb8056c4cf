"""The graph that is shipped, against the network that was trained."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from tiny_models import wordpiece

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

EXPORT = Path(__file__).parents[2] / "training" / "export.py"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("base")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=300,
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=96,
        initializer_range=0.2,
    )
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    model.save_pretrained(folder)
    wordpiece().save(str(folder / "tokenizer.json"))
    # The name that weights have in training.
    weights = {f"base.{name}": weight for name, weight in model.state_dict().items()}
    torch.save(weights, folder / "student.pt")
    return folder, model


def exported(folder, bits):
    output = folder / bits
    command = [sys.executable, EXPORT, folder, folder / "student.pt", output, "--bits", bits]
    subprocess.run(command, check=True, capture_output=True)
    return onnxruntime.InferenceSession(output / "model.onnx", providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(("bits", "closest"), [("float", 1 - 1e-6), ("eight", 0.99)])
def test_every_state_is_the_network_s(trained, bits, closest):
    folder, model = trained
    session = exported(folder, bits)
    ids = np.random.default_rng(0).integers(5, 300, size=(3, 20))
    mask = np.ones_like(ids)
    mask[1, 12:] = 0  # padding
    with torch.inference_mode():
        wanted = model(torch.from_numpy(ids), torch.from_numpy(mask)).last_hidden_state.numpy()
    (made,) = session.run(None, {"input_ids": ids, "attention_mask": mask})
    made, wanted = made[mask > 0], wanted[mask > 0]
    lengths = np.linalg.norm(made, axis=1) * np.linalg.norm(wanted, axis=1)
    assert ((made * wanted).sum(axis=1) / lengths).min() > closest
    if bits == "float":
        assert np.abs(made - wanted).max() < 1e-4


def test_the_folder_is_an_encoder_for_english(trained):
    folder, _ = trained
    exported(folder, "eight")
    settings = json.loads((folder / "eight/senseshift.json").read_text())
    assert settings["languages"] == ["en"]
    from senseshift.encoders import load

    encoder = load(f"onnx:{folder / 'eight'}")
    assert encoder.encode(["the dog"], [(4, 7)]).shape == (1, 48)
