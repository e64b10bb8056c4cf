"""The graph that is shipped, against the network that was trained."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from tiny_models import wordpiece

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

EXPORT = Path(__file__).parents[2] / "training" / "export.py"
WORDS = "embeddings.word_embeddings.weight"
IDS = np.random.default_rng(0).integers(5, 300, size=(3, 20))
MASK = np.ones_like(IDS)
MASK[1, 12:] = 0  # padding


def written(folder, loudest=1.0):
    """A small model as training leaves it, with one channel that is louder than the others."""
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=300,
        hidden_size=64,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=96,
        initializer_range=0.2,
    )
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    with torch.no_grad():
        for layer in model.encoder.layer:
            layer.attention.output.LayerNorm.weight[7] *= loudest
            layer.intermediate.dense.weight[:, 7] /= loudest
    model.save_pretrained(folder)
    wordpiece().save(str(folder / "tokenizer.json"))
    # The name that weights have in training.
    weights = {f"base.{name}": weight for name, weight in model.state_dict().items()}
    torch.save(weights, folder / "student.pt")
    return folder, model


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return written(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def loud(tmp_path_factory):
    return written(tmp_path_factory.mktemp("loud"), loudest=20.0)


def exported(folder, bits, *options):
    output = folder / "-".join([bits, *(option.rpartition("/")[2] for option in options)])
    command = [sys.executable, EXPORT, folder, folder / "student.pt", output, "--bits", bits]
    subprocess.run([*command, *options], check=True, capture_output=True)
    return output / "model.onnx"


def states_of(path):
    """Those of the tokens of three texts."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, {"input_ids": IDS, "attention_mask": MASK})[0][MASK > 0]


def states_of_network(model, averaged=1):
    with torch.inference_mode():
        made = model(torch.from_numpy(IDS), torch.from_numpy(MASK), output_hidden_states=True)
    return torch.stack(made.hidden_states[-averaged:]).mean(dim=0).numpy()[MASK > 0]


def least_cosine(made, wanted):
    lengths = np.linalg.norm(made, axis=1) * np.linalg.norm(wanted, axis=1)
    return ((made * wanted).sum(axis=1) / lengths).min()


@pytest.mark.parametrize(("bits", "closest"), [("float", 1 - 1e-6), ("eight", 0.99)])
def test_every_state_is_the_network_s(trained, bits, closest):
    folder, model = trained
    made, wanted = states_of(exported(folder, bits)), states_of_network(model)
    assert least_cosine(made, wanted) > closest
    if bits == "float":
        assert np.abs(made - wanted).max() < 1e-4


def test_words_of_four_bits_and_the_mean_of_layers(trained):
    folder, model = trained
    path = exported(folder, "eight", "--embeddings", "4", "--layers", "2")
    assert least_cosine(states_of(path), states_of_network(model, averaged=2)) > 0.97
    (words,) = (t for t in onnx.load(path).graph.initializer if t.name == WORDS)
    assert list(words.dims) == [300, 32]  # two numbers of 64 in a byte
    # Nothing but the rounding of the words tells this one from the network.
    rounded = exported(folder, "float", "--embeddings", "4", "--layers", "2")
    (table,) = (t for t in onnx.load(rounded).graph.initializer if t.name == WORDS)
    other = copy.deepcopy(model)
    embeddings = torch.from_numpy(onnx.numpy_helper.to_array(table).copy())
    other.embeddings.word_embeddings.weight.data = embeddings
    difference = states_of(rounded) - states_of_network(other, averaged=2)
    assert np.abs(difference).max() < 1e-4


@pytest.fixture(scope="module")
def texts(loud):
    """A file of texts of words that the tokenizer knows."""
    words = sorted(wordpiece().get_vocab())[5:]
    chance = np.random.default_rng(1)
    path = loud[0] / "texts.txt"
    path.write_text("\n".join(" ".join(chance.choice(words, size=12)) for _ in range(300)))
    return path


def test_texts_bring_eight_bits_nearer_to_the_network(loud, texts):
    folder, model = loud
    wanted = states_of_network(model, averaged=2)
    plain = states_of(exported(folder, "eight", "--layers", "2"))
    better = states_of(exported(folder, "eight", "--layers", "2", "--texts", str(texts)))
    lost, now = (np.square(made - wanted).mean() for made in (plain, better))
    assert now < lost / 4
    assert least_cosine(better, wanted) > least_cosine(plain, wanted)


def test_scales_alone_change_nothing(loud, texts, scripts):
    """What is divided in the inputs is multiplied in the weights, wherever they go."""
    folder, model = loud
    export, equalise = scripts("export"), scripts("equalise")
    weights = export.weights_of(folder / "student.pt")
    config = json.loads((folder / "config.json").read_text())
    whole = export.Graph(weights, config, "float").model()
    some = equalise.texts_of([texts], 20)
    assert len(some) == 20
    seen = equalise.watch(whole, wordpiece(), some)
    assert len(seen) == 4 * 3  # products of three layers
    path = folder / "scaled.onnx"
    onnx.save(export.Graph(weights, config, "float", 2, seen).model(), path)
    assert np.abs(states_of(path) - states_of_network(model, averaged=2)).max() < 1e-3


def test_what_eight_bits_spoil_is_not_written(loud, texts, scripts, monkeypatch, capsys):
    folder, _ = loud
    export, output = scripts("export"), folder / "checked"
    options = ["--layers", "2", "--texts", str(texts)]
    given = ["export.py", str(folder), str(folder / "student.pt"), str(output), *options]
    monkeypatch.setattr("sys.argv", given)
    export.main()
    assert "states keep a cosine of 0.99" in capsys.readouterr().out
    (output / "model.onnx").unlink()
    monkeypatch.setattr(scripts("graph"), "MATRIX", 1)  # weights of three values
    with pytest.raises(SystemExit, match="nothing is written"):
        export.main()
    assert not (output / "model.onnx").exists()


def test_the_folder_is_an_encoder_for_english(trained):
    folder, _ = trained
    exported(folder, "eight")
    settings = json.loads((folder / "eight/senseshift.json").read_text())
    assert settings["languages"] == ["en"]
    from senseshift.encoders import load

    encoder = load(f"onnx:{folder / 'eight'}")
    assert encoder.encode(["the dog"], [(4, 7)]).shape == (1, 64)
