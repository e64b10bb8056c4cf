from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from senseshift.encoders import encode, load
from senseshift.encoders.onnx import OnnxEncoder
from senseshift.errors import InputError
from tiny_models import DIMENSION, make_usages, random_usages, wordpiece, write_graph


def naive(graph, text, start, end, longest=64):
    """The description in the plainest way: the states of one text, the target's averaged."""
    tokenizer = wordpiece()
    whole = tokenizer.encode(text, add_special_tokens=False)
    ids, offsets = list(whole.ids), list(whole.offsets)
    hit = [i for i, (a, b) in enumerate(offsets) if b > start and a < end]
    room = longest - 2
    if len(ids) > room:
        left = (room - len(hit)) // 2
        low = hit[0] - left
        low = 0 if low < 0 else low
        low = len(ids) - room if low + room > len(ids) else low
        ids, hit = ids[low : low + room], [i - low for i in hit]
    states = graph.states([2, *ids, 3])
    return states[[i + 1 for i in hit]].mean(axis=0)


def test_vectors_are_those_of_a_naive_computation(graph):
    usages = random_usages(120)
    made = encode(usages, f"onnx:{graph.folder}", cache=False, threads=1)
    rows = usages.table.select("text", "start", "end").rows()
    expected = [naive(graph, *row) for row in rows]
    assert made.dtype == np.float32
    np.testing.assert_allclose(made, expected, atol=1e-5)
    # The texts are long enough for windows to matter.
    lengths = [len(wordpiece().encode(row[0]).ids) for row in rows]
    assert max(lengths) > 64 > min(lengths)


@pytest.mark.parametrize("batch_size", [1, 7, 200])
def test_order_and_batch_size_do_not_matter(graph, batch_size):
    usages = random_usages(90)
    name = f"onnx:{graph.folder}"
    expected = encode(usages, name, cache=False)
    order = np.random.default_rng(1).permutation(90)
    made = encode(usages.table[order], name, cache=False, batch_size=batch_size)
    np.testing.assert_allclose(made, expected[order], atol=1e-5)


def test_a_graph_that_quantises_by_the_batch_reads_usages_alone(tmp_path):
    tiny = write_graph(tmp_path / "g", quantised=True)
    usages = random_usages(60)
    made = encode(usages, f"onnx:{tiny.folder}", cache=False)
    order = np.random.default_rng(1).permutation(60)
    again = encode(usages.table[order], f"onnx:{tiny.folder}", cache=False, batch_size=7)
    np.testing.assert_allclose(again, made[order], atol=1e-5)
    rows = usages.table.select("text", "start", "end").rows()
    np.testing.assert_allclose(made, [naive(tiny, *row) for row in rows], atol=0.05)


def test_called_directly_it_batches_by_itself(graph):
    encoder = load(f"onnx:{graph.folder}", batch_size=8)
    table = random_usages(30).table
    spans = list(zip(table["start"], table["end"], strict=True))
    made = encoder.encode(table["text"].to_list(), spans)
    np.testing.assert_allclose(made, encode(table, encoder, cache=False), atol=1e-5)
    assert encoder.dimension == DIMENSION
    assert encoder.encode([], []).shape == (0, DIMENSION)


@pytest.mark.parametrize(("mask", "types"), [(True, False), (False, True), (False, False)])
def test_a_graph_gets_the_inputs_it_has(tmp_path, mask, types):
    tiny = write_graph(tmp_path / "g", mask=mask, types=types)
    usages = random_usages(40)
    made = encode(usages, f"onnx:{tiny.folder}", cache=False)
    rows = usages.table.select("text", "start", "end").rows()
    np.testing.assert_allclose(made, [naive(tiny, *row) for row in rows], atol=1e-5)


def test_the_fingerprint_follows_weights_tokenizer_and_settings(graph, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(graph.folder, folder)
    same = OnnxEncoder(folder).fingerprint
    assert same == OnnxEncoder(graph.folder).fingerprint
    (folder / "senseshift.json").write_text('{"max_length": 32}')
    shorter = OnnxEncoder(folder)
    tokenizer = wordpiece()
    tokenizer.add_tokens(["dog"])
    tokenizer.save(str(folder / "tokenizer.json"))
    other = OnnxEncoder(folder).fingerprint
    content = bytearray((folder / "model.onnx").read_bytes())
    place = content.index(graph.tokens[5].tobytes())
    content[place] ^= 1
    (folder / "model.onnx").write_bytes(content)
    assert len({same, shorter.fingerprint, other, OnnxEncoder(folder).fingerprint}) == 4
    assert shorter.max_length == 32


def test_the_maximum_length_is_the_one_stated(graph, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(graph.folder, folder)
    assert OnnxEncoder(folder).max_length == 64
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 50}')
    assert OnnxEncoder(folder).max_length == 50
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 1e30}')
    assert OnnxEncoder(folder).max_length == 64
    tokenizer = wordpiece()
    tokenizer.enable_truncation(20)
    tokenizer.enable_padding(pad_id=0, length=20)
    tokenizer.save(str(folder / "tokenizer.json"))
    truncating = OnnxEncoder(folder)
    assert truncating.max_length == 20
    # Its own truncation and padding are not applied beside ours.
    text = "a " * 100 + "bank"
    expected = naive(graph, text, 200, 204, 20)
    np.testing.assert_allclose(truncating.encode([text], [(200, 204)])[0], expected, atol=1e-5)
    short = truncating.encode(["a bank"], [(2, 6)])[0]
    np.testing.assert_allclose(short, naive(graph, "a bank", 2, 6), atol=1e-5)
    (folder / "config.json").unlink()
    (folder / "tokenizer_config.json").unlink()
    wordpiece().save(str(folder / "tokenizer.json"))
    assert OnnxEncoder(folder).max_length == 512


def test_edges_are_defined(graph):
    cases = [
        ("bank", 0, 4),
        ("bank of the river", 0, 4),
        ("the river bank", 10, 14),
        ("abcdefghijklmnopqrstuvwxyz", 0, 26),
        ("the 😀 bank", 4, 5),
        ("\u0007", 0, 1),
        (" ", 0, 1),
    ]
    made = encode(make_usages(cases), f"onnx:{graph.folder}", cache=False)
    assert np.isfinite(made).all()
    for row, case in enumerate(cases[:5]):
        np.testing.assert_allclose(made[row], naive(graph, *case), atol=1e-5)
    # Nothing of the target and no context: the special tokens speak.
    np.testing.assert_allclose(made[5], graph.states([2, 3]).mean(axis=0), atol=1e-5)
    np.testing.assert_array_equal(made[5], made[6])


def spoil(folder, name, content):
    (folder / name).write_text(content)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "tokenizer.json").unlink(), "has no tokenizer.json"),
        (lambda f: (f / "model.onnx").unlink(), "no model.onnx and no other .onnx"),
        (lambda f: spoil(f, "model.onnx", "no model"), "is not an ONNX model that can be run"),
        (lambda f: spoil(f, "tokenizer.json", "{}"), "is not a tokenizer that can be read"),
        (lambda f: spoil(f, "config.json", "{"), "is not valid JSON"),
        (lambda f: spoil(f, "config.json", "[]"), "must hold a JSON object"),
        (lambda f: spoil(f, "senseshift.json", '{"length": 3}'), "sets 'length', which is not one"),
        (lambda f: spoil(f, "senseshift.json", '{"max_length": "3"}'), "must be int, not '3'"),
        (
            lambda f: spoil(f, "senseshift.json", '{"calibration": {"middle": 1}}'),
            "senseshift.json: A calibration has middle and width",
        ),
        (lambda f: spoil(f, "senseshift.json", '{"max_length": 2}'), "maximum length of 2"),
        (lambda f: spoil(f, "senseshift.json", '{"model": "x.onnx"}'), "has no x.onnx"),
    ],
)
def test_a_broken_folder_is_named(graph, tmp_path, damage, message):
    folder = tmp_path / "copy"
    shutil.copytree(graph.folder, folder)
    damage(folder)
    with pytest.raises(InputError, match=message) as caught:
        OnnxEncoder(folder)
    # Lengths are checked where an encoder has a name and no folder.
    assert ("onnx:copy" if "maximum length" in message else str(folder)) in str(caught.value)


def test_another_file_can_be_named(graph, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(graph.folder, folder)
    (folder / "model.onnx").rename(folder / "small.onnx")
    assert OnnxEncoder(folder).name == "onnx:copy"
    shutil.copy(folder / "small.onnx", folder / "large.onnx")
    with pytest.raises(InputError, match="2 other"):
        OnnxEncoder(folder)
    settings = {"model": "small.onnx", "name": "tiny"}
    (folder / "senseshift.json").write_text(json.dumps(settings))
    assert OnnxEncoder(folder).name == "tiny"


def test_a_graph_that_is_no_token_encoder_is_refused(tmp_path):
    import onnx
    from onnx import TensorProto, helper

    def save(name, shape, output):
        given = helper.make_tensor_value_info(name, TensorProto.INT64, shape)
        made = helper.make_tensor_value_info("out", TensorProto.FLOAT, output)
        node = helper.make_node("Cast", [name], ["out"], to=TensorProto.FLOAT)
        body = helper.make_graph([node], "g", [given], [made])
        model = helper.make_model(body, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        onnx.save(model, tmp_path / "model.onnx")

    wordpiece().save(str(tmp_path / "tokenizer.json"))
    save("pixels", ["b", "t"], ["b", "t"])
    with pytest.raises(InputError, match="wants the input pixels"):
        OnnxEncoder(tmp_path)
    save("input_ids", [1, 128], [1, 128])
    with pytest.raises(InputError, match="fixed shape"):
        OnnxEncoder(tmp_path)
    save("input_ids", ["b", "t"], ["b", "t"])
    with pytest.raises(InputError, match="no output with a state for every token"):
        OnnxEncoder(tmp_path)
