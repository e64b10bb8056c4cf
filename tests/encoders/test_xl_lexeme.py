from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tiny_models import make_usages, random_usages, sentencepiece

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from senseshift.encoders import Encoder, encode, load  # noqa: E402
from senseshift.encoders.xl_lexeme import XlLexeme  # noqa: E402
from senseshift.errors import InputError  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

LONGEST = 24
POOLING = {"word_embedding_dimension": 16, "pooling_mode_cls_token": False}
MEAN = {**POOLING, "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False}


def save(folder, *, marks=True, longest=LONGEST):
    """A tiny XLM-R saved as sentence-transformers does."""
    torch.manual_seed(0)
    tokenizer = sentencepiece()
    config = transformers.XLMRobertaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=66,
        initializer_range=0.5,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    transformers.XLMRobertaModel(config).save_pretrained(folder)
    if not marks:
        plain = json.loads(tokenizer.to_str())
        plain["added_tokens"] = [t for t in plain["added_tokens"] if "t>" not in t["content"]]
        tokenizer = type(tokenizer).from_str(json.dumps(plain))
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        pad_token="<pad>",
        cls_token="<s>",
        sep_token="</s>",
        model_max_length=512,
    ).save_pretrained(folder)
    # The class a saved XLM-R names, for which transformers 5 builds another tokenizer.
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    settings["tokenizer_class"] = "XLMRobertaTokenizer"
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {
            "idx": 1,
            "name": "1",
            "path": "1_Pooling",
            "type": "sentence_transformers.models.Pooling",
        },
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    limits = {"max_seq_length": longest, "do_lower_case": False}
    (folder / "sentence_bert_config.json").write_text(json.dumps(limits))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(MEAN))
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save(tmp_path_factory.mktemp("xl") / "model")


@pytest.fixture
def copy(model, tmp_path):
    shutil.copytree(model, tmp_path / "copy")
    return tmp_path / "copy"


# Reading does not change it.
TOKENIZER = sentencepiece()


def described_ids(text, start, end, longest=LONGEST):
    """The description, word for word, with the tokenizer alone."""

    def ids(part):
        return TOKENIZER.encode(part, add_special_tokens=False).ids

    left = ids(text[:start]) if text[:start] else []
    core = ids("<t>") + ids(text[start:end]) + ids("</t>")
    right = ids(text[end:]) if text[end:] else []
    if len(left) + len(core) + len(right) + 2 > longest:
        budget = longest - 2
        side = (budget - len(core)) // 2
        left = left[-side:] if side > 0 else []
        right = right[:side] if side > 0 else []
    return [0, *left, *core, *right, 2]


def described(folder, usages, longest=LONGEST):
    """One text at a time: all states of the last layer averaged, nothing normalised."""
    network = transformers.XLMRobertaModel.from_pretrained(folder).eval()
    vectors = []
    for row in usages.table.select("text", "start", "end").rows():
        with torch.no_grad():
            ids = torch.tensor([described_ids(*row, longest)])
            states = network(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state
        vectors.append(states[0].mean(dim=0).numpy())
    return np.array(vectors)


def test_vectors_are_those_of_the_description(model):
    usages = random_usages(60)
    encoder = load(f"xl-lexeme:{model}")
    assert isinstance(encoder, Encoder)
    assert (encoder.dimension, encoder.max_length) == (16, LONGEST)
    made = encode(usages, encoder, cache=False)
    np.testing.assert_allclose(made, described(model, usages), atol=1e-5)
    assert made.dtype == np.float32
    assert not np.allclose(np.linalg.norm(made, axis=1), 1.0, atol=1e-2)


LONG = "a b c d e f g h i j k l m n o p q r s t u v w x y z"
CUT = {
    "both sides": f"{LONG} bank {LONG}",
    "left only": f"{LONG} bank",
    "right only": f"bank {LONG}",
    "short left, long right": f"a bank {LONG}",
    "long left, short right": f"{LONG} bank z",
    "nothing": "a bank b",
    "no context": "bank",
    "full width": f"{LONG} ｂａｎｋ {LONG} bank",
}


@pytest.mark.parametrize("case", CUT)
def test_truncation_on_either_side(model, case):
    text = CUT[case]
    target = "ｂａｎｋ" if case == "full width" else "bank"
    start = text.index(target)
    usages = make_usages([(text, start, start + 4)])
    encoder = XlLexeme(str(model))
    [pieces] = encoder.pieces([text], [(start, start + 4)])
    assert pieces.ids == described_ids(text, start, start + 4)
    np.testing.assert_allclose(
        encode(usages, encoder, cache=False), described(model, usages), atol=1e-5
    )
    if case in ("short left, long right", "right only"):
        # What the left does not use is not passed on to the right.
        assert len(pieces.ids) < LONGEST - 4


def test_the_marks_stand_around_the_target(model):
    [pieces] = XlLexeme(str(model)).pieces(["the bank er"], [(4, 8)])
    read = [TOKENIZER.id_to_token(i) for i in pieces.ids]
    # Tokenised separately: the target begins a text of its own, and so does what follows.
    assert read == ["<s>", "▁the", "<t>", "▁bank", "</t>", "▁", "er", "</s>"]
    assert list(pieces.pooled) == list(range(8))


def test_a_target_too_long_by_itself_still_fits(model):
    text = "q" * 80
    [pieces] = XlLexeme(str(model)).pieces([f"a {text} b"], [(2, 82)])
    assert len(pieces.ids) == LONGEST
    assert [TOKENIZER.id_to_token(pieces.ids[i]) for i in (1, -2)] == ["<t>", "</t>"]


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_text_is_read_as_described(model, data):
    encoder = _loaded(model)
    text = data.draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + 12)))
    [pieces] = encoder.pieces([text], [(start, end)])
    core = TOKENIZER.encode(text[start:end], add_special_tokens=False).ids
    assert len(pieces.ids) <= LONGEST
    if len(core) <= LONGEST - 4:
        assert pieces.ids == described_ids(text, start, end)


_LOADED: dict[str, XlLexeme] = {}


def _loaded(folder):
    return _LOADED.setdefault(str(folder), XlLexeme(str(folder)))


def test_order_and_batch_size_do_not_matter(model):
    usages = random_usages(40)
    name = f"xl-lexeme:{model}"
    expected = encode(usages, name, cache=False)
    order = np.random.default_rng(1).permutation(40)
    for size in (1, 7, 64):
        made = encode(usages.table[order], name, cache=False, batch_size=size)
        np.testing.assert_allclose(made, expected[order], atol=1e-5)


def test_length_and_pooling_are_the_models_own(copy):
    usages = random_usages(10)
    (copy / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    made = encode(usages, f"xl-lexeme:{copy}", cache=False)
    np.testing.assert_allclose(made, described(copy, usages, 16), atol=1e-5)
    # No file: as far as the positions go, 66 less the padding's two.
    (copy / "sentence_bert_config.json").unlink()
    assert XlLexeme(str(copy)).max_length == 64
    (copy / "1_Pooling" / "config.json").unlink()
    (copy / "modules.json").unlink()
    made = encode(usages, f"xl-lexeme:{copy}", cache=False)
    np.testing.assert_allclose(made, described(copy, usages, 64), atol=1e-5)


def test_pooling_of_the_first_token(copy):
    pooling = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (copy / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    [pieces] = XlLexeme(str(copy)).pieces(["a bank"], [(2, 6)])
    assert list(pieces.pooled) == [0]


def test_a_transformer_in_a_folder_of_its_own_is_found(model, copy):
    modules = json.loads((copy / "modules.json").read_text())
    modules[0]["path"] = "0_Transformer"
    inner = copy / "0_Transformer"
    inner.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        (copy / name).rename(inner / name)
    (copy / "sentence_bert_config.json").rename(inner / "sentence_bert_config.json")
    (copy / "modules.json").write_text(json.dumps(modules))
    usages = random_usages(5)
    made = encode(usages, f"xl-lexeme:{copy}", cache=False)
    np.testing.assert_allclose(made, encode(usages, f"xl-lexeme:{model}", cache=False), atol=1e-6)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "asks for the pooling"),
        ("1_Pooling/config.json", {"pooling_mode": "lasttoken"}, "asks for the pooling lasttoken"),
        ("modules.json", [{"type": "a.Normalize", "path": "2"}], "has a module Normalize"),
    ],
)
def test_what_xl_lexeme_is_not_is_refused(copy, file, content, message):
    (copy / file).write_text(json.dumps(content))
    with pytest.raises(InputError, match=message):
        XlLexeme(str(copy))


def test_marks_must_be_single_tokens(tmp_path):
    folder = save(tmp_path / "plain", marks=False)
    with pytest.raises(InputError, match=r"reads the mark <t> as \d+ tokens"):
        XlLexeme(str(folder))


def test_marks_may_stand_in_a_file_of_their_own(model, copy):
    """As older versions of transformers saved them."""
    content = json.loads((copy / "tokenizer.json").read_text())
    added = [t for t in content["added_tokens"] if "t>" in t["content"]]
    content["added_tokens"] = [t for t in content["added_tokens"] if t not in added]
    (copy / "tokenizer.json").write_text(json.dumps(content))
    settings = json.loads((copy / "tokenizer_config.json").read_text())
    settings["added_tokens_decoder"] = {
        str(t["id"]): {key: value for key, value in t.items() if key != "id"} for t in added
    }
    (copy / "tokenizer_config.json").write_text(json.dumps(settings))
    usages = random_usages(5)
    made = encode(usages, f"xl-lexeme:{copy}", cache=False)
    np.testing.assert_allclose(made, encode(usages, f"xl-lexeme:{model}", cache=False), atol=1e-6)


def test_the_fingerprint_follows_the_settings(model, copy):
    assert XlLexeme(str(copy)).fingerprint == _loaded(model).fingerprint
    (copy / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    assert XlLexeme(str(copy)).fingerprint != _loaded(model).fingerprint


def test_cached_vectors_are_the_same(model, tmp_path):
    usages = random_usages(10)
    first = encode(usages, _loaded(model), cache=tmp_path / "kept")
    np.testing.assert_array_equal(encode(usages, _loaded(model), cache=tmp_path / "kept"), first)


def test_xl_durel_reads_the_text_of_the_marked_tokens_anew(model):
    from senseshift.encoders.xl_lexeme import XlDurel

    encoder = XlDurel(str(model))
    assert XlDurel.hub_name == "sachinn1/xl-durel"
    for text, start, end in (("the bank er", 4, 8), (f"{LONG} bank {LONG}", 52, 56)):
        [pieces] = encoder.pieces([text], [(start, end)])
        tokens = [TOKENIZER.id_to_token(i) for i in described_ids(text, start, end)[1:-1]]
        again = TOKENIZER.encode(TOKENIZER.decoder.decode(tokens)).ids
        assert pieces.ids == (again if len(again) <= LONGEST else [*again[: LONGEST - 1], 2])
        assert {TOKENIZER.token_to_id(mark) for mark in ("<t>", "</t>")} <= set(pieces.ids)
    assert encoder.fingerprint != XlLexeme(str(model)).fingerprint
