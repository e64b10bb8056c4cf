"""The graph of a student of four bits, against the student itself."""

from collections import Counter

import numpy as np
import onnx
import onnxruntime
import pytest
from tokenizers import Tokenizer, models

from senseshift.encoders import load
from senseshift.encoders.resolve import BUNDLED
from tiny_training import AMBIGUOUS, run

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

WIDTH, NEURONS, RANK, LAYERS = 64, 96, 64, [0, 2, 3]
TOKENIZER = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
TOKENIZER.no_padding()
TEXTS = [f"They saw the {word} at the river, and the office of it." for word in AMBIGUOUS.split()]


def write_mpnet(folder):
    """A large encoder but for its size, in which all that may be forgotten makes a difference."""
    torch.manual_seed(0)
    config = transformers.MPNetConfig(
        vocab_size=TOKENIZER.get_vocab_size() + 5,
        hidden_size=WIDTH,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=140,
        layer_norm_eps=1e-5,
        initializer_range=0.1,
    )
    model = transformers.MPNetModel(config, add_pooling_layer=False)
    with torch.no_grad():
        # So small that what normalisation adds to their variance counts.
        model.embeddings.word_embeddings.weight *= 0.05
        model.embeddings.position_embeddings.weight *= 0.05
        model.encoder.relative_attention_bias.weight.normal_()
        for name, weight in model.named_parameters():
            if "LayerNorm" in name:
                weight += 0.5 * torch.randn(WIDTH)
            elif name.endswith("bias"):
                weight.normal_(std=0.1)
        for layer in model.encoder.layer:  # channels that are louder than the others
            layer.attention.LayerNorm.weight[7] *= 5
            layer.attention.attn.v.weight[9] *= 5
            layer.intermediate.dense.weight[11] *= 5
    model.save_pretrained(folder)
    known = TOKENIZER.get_vocab()
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *sorted(known, key=known.get), "<mask>"]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    marks = {"cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "[UNK]"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **marks).save_pretrained(
        folder
    )


@pytest.fixture(scope="module")
def student(tmp_path_factory, scripts):
    """A student cut from a large encoder, and the folder that was made of it."""
    folder = tmp_path_factory.mktemp("small")
    write_mpnet(folder / "base")
    tokens = [TOKENIZER.encode(text, add_special_tokens=False).ids for text in TEXTS]
    places = [[row, 3, 4] for row in range(len(tokens))]
    bounds = np.cumsum([0, *map(len, tokens)])
    np.savez(folder / "usages.npz", tokens=np.concatenate(tokens), bounds=bounds, places=places)
    corpus = scripts("batches").Corpus(folder / "usages.npz")
    large = scripts("network").TargetEncoder(folder / "base", dropout=0.0)
    small = scripts("small").SmallEncoder(large, LAYERS, NEURONS, RANK, corpus)
    small.settle(corpus.sample(40))
    small(corpus.sample(1))  # rounds
    np.savez(folder / "student.npz", **small.packed())
    run(folder, "export.py", BUNDLED, "student.npz", "made")
    return small, folder / "made"


def session(folder, **options):
    given = onnxruntime.SessionOptions()
    for name, value in options.items():
        setattr(given, name, value)
    path = folder / "model.onnx"
    return onnxruntime.InferenceSession(path, given, providers=["CPUExecutionProvider"])


def read(texts):
    """Their tokens, shorter texts padded."""
    ids = [TOKENIZER.encode(text).ids for text in texts]
    mask = np.array([[k < len(row) for k in range(max(map(len, ids)))] for row in ids])
    rows = np.zeros(mask.shape, dtype=np.int64)
    rows[mask] = np.concatenate(ids)
    return rows, mask.astype(np.int64)


def states_of(folder, ids, mask):
    return session(folder).run(None, {"input_ids": ids, "attention_mask": mask})[0]


def cosines(made, wanted):
    lengths = np.linalg.norm(made, axis=-1) * np.linalg.norm(wanted, axis=-1)
    return (made * wanted).sum(axis=-1) / lengths


LONG = " ".join(TEXTS)[:400]  # beyond the distances that have a number of their own


@pytest.mark.parametrize("texts", [TEXTS[:1], [LONG], [TEXTS[3], LONG, "The bank."]])
def test_every_state_is_the_student_s(student, texts):
    small, folder = student
    ids, mask = read(texts)
    with torch.inference_mode():
        wanted = small.states(torch.from_numpy(ids), torch.from_numpy(mask)).numpy()
    made = states_of(folder, ids, mask)
    assert cosines(made, wanted)[mask > 0].min() > 0.999


def test_weights_have_four_bits(student):
    small, folder = student
    path = folder / "model.onnx"
    assert path.stat().st_size < 0.6 * sum(weight.numel() for weight in small.parameters())
    sizes = Counter()
    for tensor in onnx.load(path).graph.initializer:
        sizes[tensor.name.rpartition(".")[2]] += len(tensor.raw_data)
    weights = len(LAYERS) * (4 * WIDTH * WIDTH + 2 * WIDTH * NEURONS)
    assert sizes["four"] == weights / 2
    assert sizes["multiple"] == weights / 32 / 2


def test_unpacking_is_over_before_the_graph_runs(student, tmp_path):
    _, folder = student
    session(folder, optimized_model_filepath=str(tmp_path / "read.onnx"), log_severity_level=3)
    graph = onnx.load(tmp_path / "read.onnx").graph
    assert "BitShift" not in {node.op_type for node in graph.node}
    constants = {tensor.name: tensor for tensor in graph.initializer}
    products = [node for node in graph.node if node.op_type == "DynamicQuantizeMatMul"]
    assert len(products) == 4 * len(LAYERS)
    for node in products:
        whole = onnx.numpy_helper.to_array(constants[node.input[1]])
        # More than seven bits can overflow on some processors.
        assert whole.dtype == np.int8
        assert np.abs(whole.astype(int)).max() <= 56


def test_pieces_of_other_scripts_are_unknown(student):
    _, folder = student
    ids, mask = read([TEXTS[0]])

    def with_piece(piece):
        changed = ids.copy()
        changed[0, 4] = TOKENIZER.token_to_id(piece)
        return states_of(folder, changed, mask)

    unknown = with_piece("[UNK]")
    assert np.array_equal(with_piece("水"), unknown)
    assert not np.allclose(with_piece("water"), unknown, atol=1e-3)


def test_pieces_that_english_needs_stay(scripts):
    def stays(piece):
        assert TOKENIZER.token_to_id(piece) is not None
        return scripts("small_graph").english(piece)

    assert all(
        map(stays, ["the", "##ing", "[CLS]", "[PAD]", "ß", "##ø", "—", "’", "€", "₂", "##₂"])
    )
    assert not any(map(stays, ["##н", "水", "α", "[unused7]", "ʻ"]))


def test_the_folder_is_an_encoder_for_english(student):
    small, folder = student
    encoder = load(f"onnx:{folder}")
    assert encoder.name == load("bundled").name
    assert encoder.languages == ("en",)
    assert encoder.max_length == 128
    vectors = encoder.encode(TEXTS[:5], [(13, text.index(" at")) for text in TEXTS[:5]])
    windows = [(TOKENIZER.encode(t, add_special_tokens=False).ids, 3, 4) for t in TEXTS[:5]]
    with torch.inference_mode():
        # One by one, as the encoder does.
        wanted = [small([(np.array(ids), *target)]).numpy()[0] for ids, *target in windows]
    assert cosines(vectors, np.array(wanted)).min() > 0.99


def test_what_is_packed_stays_as_it_is(student, scripts, monkeypatch, capsys, tmp_path):
    _, folder = student

    def export(name, *options):
        given = ["export.py", BUNDLED, folder.parent / name, tmp_path / "other", *options]
        monkeypatch.setattr("sys.argv", list(map(str, given)))
        with pytest.raises(SystemExit) as ended:
            scripts("export").main()
        return f"{ended.value} {capsys.readouterr().err}"

    for option in (["--bits", "float"], ["--layers", 2], ["--embeddings", 4], ["--texts", "a"]):
        assert f"{option[0]} is not for a packed student" in export("student.npz", *option)
    assert "usages.npz is no packed student" in export("usages.npz")
    assert not (tmp_path / "other").exists()


def test_a_head_reads_the_last_layer(student, scripts, tmp_path):
    _, folder = student
    packed = dict(np.load(folder.parent / "student.npz"))
    head = np.random.default_rng(0).normal(size=(16, WIDTH)).astype(np.float32)
    np.savez(tmp_path / "headed.npz", **packed, head=head)
    run(tmp_path, "export.py", BUNDLED, "headed.npz", "made")
    texts, spans = TEXTS[:5], [(13, text.index(" at")) for text in TEXTS[:5]]
    plain, made = (load(f"onnx:{of}").encode(texts, spans) for of in (folder, tmp_path / "made"))
    assert made.shape == (5, 16)
    assert cosines(made, plain @ head.T).min() > 0.999

    # What is taught reads the same states, and no head that was there before.
    reader = scripts("train_head").Packed(tmp_path / "headed.npz", BUNDLED)
    windows = [(np.array(TOKENIZER.encode(t, add_special_tokens=False).ids), 3, 4) for t in texts]
    assert cosines(reader(windows).numpy(), plain).min() > 0.999
    reader.head = torch.from_numpy(head)
    assert cosines(reader(windows).numpy(), made).min() > 0.999


def test_a_student_is_taught_a_head(student, scripts, folder, tmp_path):
    _, own = student
    given = ["usages.jsonl.gz", "dict", "webster.jsonl.gz", "webster.txt", "written"]
    run(folder, "prepare.py", *given, BUNDLED / "tokenizer.json", "dev.json.gz", tmp_path,
        "--related", "related.txt", "--read", "read.tsv")  # fmt: skip
    student = own.parent / "student.npz"
    done = run(folder, "train_head.py", BUNDLED, tmp_path, student, "--name", "h", "--size", 16,
               "--steps", 20)  # fmt: skip
    assert '"read": ' in done
    before, after = dict(np.load(student)), dict(np.load(tmp_path / "h.npz"))
    head = after.pop("head")
    assert head.shape == (16, WIDTH)
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[name], after[name]) for name in before)
