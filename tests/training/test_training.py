"""From texts to an encoder: every script of the training, in its order, on very little."""

import gzip
import json
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from senseshift.encoders import load
from senseshift.encoders.resolve import BUNDLED

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TRAINING = Path(__file__).parents[2] / "training"
AMBIGUOUS = """bank bark bat bell bill block board bolt bow box branch bridge brush cabinet cap card
chest china club coat cone court crane crown deck draft drill drop fan file flat fork glass hall
hook horn jam key lead light line mass match mint mole nail note organ palm park pen pipe pitch
plant plate pool port pound press ring rock roll root ruler scale school seal shed ship case"""
WORDS = AMBIGUOUS.split()
PLACES = ("river", "office"), ("meadow", "counter")  # where a word has its first and second sense


def usage(word, sense, number):
    text = f"They saw the {word} at the {PLACES[number % 2][sense]}, number {number}."
    return [f"{word}.n", f"{word}-{sense}", text, 13, 13 + len(word)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All that the scripts read, and bases of the shape of the real ones but for their width."""
    folder = tmp_path_factory.mktemp("training")
    assert any(zlib.crc32(word.encode()) % 25 == 0 for word in WORDS)  # one is held out
    rows = [usage(word, sense, k) for word in WORDS for sense in (0, 1) for k in range(3)]
    example = ["racket.n", "racket-0", "it was full of rackets", 15, 22]
    for name, lines in (("usages", [*rows, example]), ("webster", rows[::2])):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    (folder / "webster.txt").write_text("".join(f"{row[2]}\n" for row in rows))
    (folder / "dict").mkdir()
    lines = [f"{k:08} 03 n 01 {word} 0 000 | a {word} of some kind" for k, word in enumerate(WORDS)]
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"dict/data.{part}").write_text("\n".join(lines) if part == "noun" else "")
    (folder / "written").mkdir()
    for name, words in (("train-a", WORDS[:20]), ("test", WORDS[20:24])):
        (folder / f"written/{name}.txt").write_text(
            "".join(
                f"# {word}.n 1=here 2=there\n"
                + "".join(
                    f"{word}.n|{sense + 1}|o|The [{word}] was by the {PLACES[k % 2][sense]} {k}.\n"
                    for sense in (0, 1)
                    for k in range(4)
                )
                for word in words
            )
        )
    pairs = [
        [*usage(w, 0, 0)[2:], *usage(w, k % 2, 1)[2:], k % 2 == 0] for k, w in enumerate(WORDS)
    ]
    with gzip.open(folder / "dev.json.gz", "wt", encoding="utf-8") as file:
        json.dump({"mcl_dev": pairs, "wic_dev": pairs}, file)
    config = transformers.BertConfig(
        hidden_size=12, num_hidden_layers=6, num_attention_heads=2, intermediate_size=24
    )
    torch.manual_seed(0)
    transformers.BertModel(config).save_pretrained(folder / "base")
    tokenizer = BUNDLED / "tokenizer.json"
    transformers.BertTokenizerFast(tokenizer_file=str(tokenizer)).save_pretrained(folder / "base")
    return folder


def run(folder, script, *arguments):
    done = subprocess.run(
        [sys.executable, TRAINING / script, *map(str, arguments)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_encoder_comes_of_it(folder):
    given = ["usages.jsonl.gz", "dict", "webster.jsonl.gz", "webster.txt", "written"]
    run(folder, "prepare.py", *given, BUNDLED / "tokenizer.json", "dev.json.gz", "work")
    corpus = np.load(folder / "work/training.npz")
    assert sorted(set(corpus["kind"])) == [0, 1, 3, 4, 5]
    # Words of the written test are in no fold, whatever text they stand in.
    assert (corpus["fold"] < 0).sum() > 4 * 8

    few = ["--steps", 3, "--lemmas", 8]
    for fold in (0, 1):
        run(folder, "train_teacher.py", "base", "work", "--fold", fold, "--name", f"t{fold}", *few)
    teachers = ["t0", "t1", "t0", "t1"]
    run(folder, "train_student.py", "base", "work", *teachers, "--name", "s", "--bare", 2, *few)
    last = json.loads((folder / "work/s.jsonl").read_text().splitlines()[-1])
    assert {"mcl_dev", "wic_dev", "held_out", "written"} < last.keys()
    assert all(0 <= last[name] <= 1 for name in ("mcl_dev", "wic_dev", "held_out", "written"))

    run(folder, "export.py", "base", "work/s.pt", "made", "--name", "tiny")
    encoder = load(f"onnx:{folder / 'made'}")
    assert encoder.name == "tiny"
    assert encoder.encode(["the bank"], [(4, 8)]).shape == (1, 12)
    names = {weight.name for weight in _weights(folder / "made/model.onnx")}
    assert "encoder.layer.6.output.dense.bias" in names  # six layers, one of them twice
    line = run(folder, "evaluate.py", "dev.json.gz", "written/test.txt", f"onnx:{folder / 'made'}")
    assert [part.split()[0] for part in line.strip().split("  ")[1:]] == [
        "mcl_dev", "wic_dev", "written", "change",
    ]  # fmt: skip


def _weights(path):
    import onnx

    return onnx.load(path).graph.initializer
