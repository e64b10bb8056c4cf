"""All that the scripts of the training read, in small, and how they are run."""

import gzip
import hashlib
import json
import subprocess
import sys
import zlib
from pathlib import Path

from senseshift.encoders.resolve import BUNDLED

TRAINING = Path(__file__).parents[1] / "training"
AMBIGUOUS = """bank bark bat bell bill block board bolt bow box branch bridge brush cabinet cap card
chest china club coat cone court crane crown deck draft drill drop fan file flat fork glass hall
hook horn jam key lead light line mass match mint mole nail note organ palm park pen pipe pitch
plant plate pool port pound press ring rock roll root ruler scale school seal shed ship case"""
WORDS = AMBIGUOUS.split()
PLACES = ("river", "office"), ("meadow", "counter")  # where a word has its first and second sense


def usage(word, sense, number):
    text = f"They saw the {word} at the {PLACES[number % 2][sense]}, number {number}."
    return [f"{word}.n", f"{word}-{sense}", text, 13, 13 + len(word)]


def write_sources(folder):
    """All that the scripts read, and a base of the shape of the real one but for its width."""
    assert any(zlib.crc32(word.encode()) % 25 == 0 for word in WORDS)  # one is held out
    rows = [usage(word, sense, k) for word in WORDS for sense in (0, 1) for k in range(3)]
    example = ["racket.n", "racket-0", "it was full of rackets", 15, 22]
    for name, lines in (("usages", [*rows, example]), ("webster", rows)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    (folder / "webster.txt").write_text("".join(f"{row[2]}\n" for row in rows))
    (folder / "sentences.txt").write_text("".join(f"I saw a {word}.\n" for word in WORDS))
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
    related = (f"{word}.n.train-a: 1 {'/ ' * (k % 2)}2\n" for k, word in enumerate(WORDS[:20]))
    (folder / "related.txt").write_text("".join(related))
    with (folder / "read.tsv").open("w", encoding="utf-8") as file:
        file.write("word\tpart\ttext\tsentence\tstart\tend\tsense\n")
        for number, word in enumerate(WORDS[24:32]):
            for sense in (0, 1):
                for _, _, text, start, end in (usage(word, sense, k) for k in range(3)):
                    sentence = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
                    part = "choose" if number < 2 else "train"
                    file.write(f"{word}\t{part}\t\t{sentence}\t{start}\t{end}\tA{sense + 1}\n")
    pairs = [
        [*usage(w, 0, 0)[2:], *usage(w, k % 2, 1)[2:], k % 2 == 0] for k, w in enumerate(WORDS)
    ]
    with gzip.open(folder / "dev.json.gz", "wt", encoding="utf-8") as file:
        json.dump({"mcl_dev": pairs, "wic_dev": pairs}, file)
    write_base(folder / "base", hidden_size=32, num_attention_heads=2, intermediate_size=24)


def write_base(folder, **shape):
    """A base of six layers with chance weights."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.BertConfig(num_hidden_layers=6, **shape)
    transformers.BertModel(config).save_pretrained(folder)
    tokenizer = BUNDLED / "tokenizer.json"
    transformers.BertTokenizerFast(tokenizer_file=str(tokenizer)).save_pretrained(folder)


def run(folder, script, *arguments):
    done = subprocess.run(
        [sys.executable, TRAINING / script, *map(str, arguments)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
