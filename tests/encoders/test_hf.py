from __future__ import annotations

import json
import logging
import shutil

import numpy as np
import pytest

from tiny_models import make_usages, random_usages, wordpiece

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from senseshift.encoders import Encoder, encode, load, torch_model  # noqa: E402
from senseshift.encoders.hf import HfEncoder  # noqa: E402
from senseshift.errors import InputError  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

LONGEST, LAYERS = 48, 3


def save(folder, *, head=False):
    """A tiny BERT with random weights, saved as one would be."""
    torch.manual_seed(0)
    tokenizer = wordpiece()
    config = transformers.BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=16,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LONGEST,
        initializer_range=0.5,
    )
    kind = transformers.BertForMaskedLM if head else transformers.BertModel
    kind(config).save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return save(tmp_path_factory.mktemp("hf") / "bert")


def direct(folder, usages, layers=(LAYERS,)):
    """One text at a time, without padding: the states of the target's tokens, averaged."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    vectors = []
    for text, start, end in usages.table.select("text", "start", "end").rows():
        read = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
        ids = read["input_ids"]
        hit = [i for i, (a, b) in enumerate(read["offset_mapping"]) if a < end and b > start]
        room = LONGEST - 2
        if len(ids) > room:
            low = min(max(hit[0] - (room - len(hit)) // 2, 0), len(ids) - room)
            ids, hit = ids[low : low + room], [i - low for i in hit]
        with torch.no_grad():
            states = model(
                input_ids=torch.tensor([[2, *ids, 3]]), output_hidden_states=True
            ).hidden_states
        mean = torch.stack([states[layer][0] for layer in layers]).mean(dim=0)
        vectors.append(mean[[i + 1 for i in hit]].mean(dim=0).numpy())
    return np.array(vectors)


def test_vectors_are_those_of_a_direct_computation(bert):
    usages = random_usages(40)
    encoder = load(f"hf:{bert}")
    assert isinstance(encoder, Encoder)
    assert (encoder.dimension, encoder.max_length) == (16, LONGEST)
    made = encode(usages, encoder, cache=False)
    assert made.dtype == np.float32
    np.testing.assert_allclose(made, direct(bert, usages), atol=1e-5)


@pytest.mark.parametrize(
    ("layers", "meant"), [(1, [1]), (-2, [2]), ([-1, -2], [3, 2]), ((0, 3), [0, 3]), (-1, [3])]
)
def test_layers_can_be_chosen_and_averaged(bert, layers, meant):
    usages = random_usages(12)
    made = encode(usages, f"hf:{bert}", layers=layers, cache=False)
    np.testing.assert_allclose(made, direct(bert, usages, meant), atol=1e-5)


@pytest.mark.parametrize("layers", [4, -5, [1, 9], []])
def test_layers_that_are_not_there_are_an_error(bert, layers):
    with pytest.raises(InputError, match=r"no layer|No layers"):
        load(f"hf:{bert}", layers=layers)


def test_order_and_batch_size_do_not_matter(bert):
    usages = random_usages(40)
    expected = encode(usages, f"hf:{bert}", cache=False)
    order = np.random.default_rng(1).permutation(40)
    for size in (1, 7, 64):
        made = encode(usages.table[order], f"hf:{bert}", cache=False, batch_size=size, threads=1)
        np.testing.assert_allclose(made, expected[order], atol=1e-5)


def test_the_number_of_threads_is_given_back(bert):
    before = torch.get_num_threads()
    encode(random_usages(3), f"hf:{bert}", threads=before + 1, cache=False)
    assert torch.get_num_threads() == before


def test_half_precision_is_near_and_kept_apart(bert, monkeypatch):
    """What a GPU runs in, here on the CPU."""
    usages = random_usages(20)
    exact = load(f"hf:{bert}")
    monkeypatch.setattr(torch_model, "device", lambda torch: ("cpu", torch.float16))
    half = load(f"hf:{bert}")
    made = encode(usages, half, cache=False)
    assert made.dtype == np.float32
    difference = np.abs(made - encode(usages, exact, cache=False)).max()
    assert 0 < difference < 0.02
    assert half.fingerprint != exact.fingerprint


def test_the_name_does_not_tell_where_the_model_lies(bert):
    assert load(f"hf:{bert}").name == "hf:bert"


def test_edges_are_defined(bert):
    cases = [("bank", 0, 4), ("the 😀", 4, 5), ("\u0007", 0, 1), ("a" * 90, 0, 90)]
    assert np.isfinite(encode(make_usages(cases), f"hf:{bert}", cache=False)).all()


def test_a_missing_pooler_does_not_change_the_fingerprint(tmp_path):
    """It is random at every load, but no vector passes through it."""
    folder = save(tmp_path / "mlm", head=True)
    first, second = load(f"hf:{folder}"), load(f"hf:{folder}")
    assert first.fingerprint == second.fingerprint


def test_the_fingerprint_follows_weights_tokenizer_and_settings(bert, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(bert, folder)
    prints = [HfEncoder(str(folder)).fingerprint]
    assert prints == [HfEncoder(str(bert)).fingerprint]
    assert HfEncoder(str(folder), layers=-1).fingerprint == prints[0]
    prints.append(HfEncoder(str(folder), layers=1).fingerprint)
    prints.append(HfEncoder(str(folder), layers=[1, 2]).fingerprint)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["normalizer"]["lowercase"] = False
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    prints.append(HfEncoder(str(folder)).fingerprint)
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-5] ^= 1
    (folder / "model.safetensors").write_bytes(content)
    prints.append(HfEncoder(str(folder)).fingerprint)
    assert len(set(prints)) == 5


def test_the_tokenizer_file_is_followed_not_the_class(bert, tmp_path):
    """transformers 5 builds a BertTokenizer anew, with a normaliser that the file has not."""
    folder = tmp_path / "copy"
    shutil.copytree(bert, folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    settings["tokenizer_class"] = "BertTokenizer"
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    usages = make_usages([("the é bank", 4, 5), ("BANK", 0, 4)])
    made = encode(usages, f"hf:{folder}", cache=False)
    np.testing.assert_allclose(made, encode(usages, f"hf:{bert}", cache=False), atol=1e-6)


def test_weights_that_are_missing_are_not_made_up(bert, tmp_path):
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "copy"
    shutil.copytree(bert, folder)
    weights = load_file(folder / "model.safetensors")
    del weights["encoder.layer.1.attention.self.query.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lack encoder\.layer\.1\.attention\.self\.query\.weight"):
        load(f"hf:{folder}")


def test_loading_prints_nothing(tmp_path, capfd):
    folder = save(tmp_path / "mlm", head=True)
    capfd.readouterr()
    encode(random_usages(3), f"hf:{folder}", cache=False)
    shown = capfd.readouterr()
    assert shown.out == shown.err == ""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./no/such", "There is no folder ./no/such"),
        ("{folder}", "has no config.json"),
    ],
)
def test_a_folder_without_a_model_is_named(tmp_path, name, message):
    with pytest.raises(InputError, match=message):
        load("hf:" + name.format(folder=tmp_path))


def test_weights_that_cannot_be_read_are_named(bert, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(bert, folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match="has no weights"):
        load(f"hf:{folder}")
    (folder / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError, match="cannot be loaded"):
        load(f"hf:{folder}")


def test_an_encoder_decoder_is_encoded_with_its_encoder(tmp_path):
    torch.manual_seed(0)
    tokenizer = wordpiece()
    config = transformers.T5Config(
        vocab_size=tokenizer.get_vocab_size(), d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2
    )
    transformers.T5Model(config).save_pretrained(tmp_path)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]"
    ).save_pretrained(tmp_path)
    assert encode(random_usages(4), f"hf:{tmp_path}", cache=False).shape == (4, 8)


def test_a_model_on_this_machine_is_found_by_name_without_the_network(bert, monkeypatch, caplog):
    """The hub's own cache holds it: nothing is asked, nothing is said."""
    import huggingface_hub

    asked = []

    def snapshot(name, **settings):
        asked.append(settings)
        return str(bert)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    usages = random_usages(5)
    with caplog.at_level(logging.WARNING, "senseshift"):
        made = encode(usages, "hf:someone/bert", cache=False)
    np.testing.assert_array_equal(made, encode(usages, f"hf:{bert}", cache=False))
    assert asked == [{"local_files_only": True}]
    assert caplog.records == []
