"""Pairs of sentences, Swedish senses and the development sets of other languages, as arrays.

    python training/prepare_languages.py DATA/ base/tokenizer.json TEACHER/tokenizer.json work/

``DATA`` has ``tatoeba_en_XX.tsv.gz`` (a sentence in English, a tab, one in XX), ``bible_XX.txt.gz``
(verse by verse, the same verse in the same line), ``swewic_train`` and ``_dev.jsonl.gz`` (SuperLim)
and ``am2ico_XX.tsv.gz`` (development pairs). Sentences are tokenised once; their content words are
listed with their lemmas and places, in the English ones also for the teacher's tokenizer.
``align.py`` then finds which words translate each other.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import simplemma
from tokenizers import Tokenizer

from kinds import WRITTEN
from prepare import Row, tokenised, tokenizer_in, write_pairs

LONGEST = 400  # characters of a sentence
ENGLISH = "en"


def lines(path: Path) -> list[str]:
    """Of a compressed text."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read().split("\n")


def sentence_pairs(folder: Path) -> Iterator[tuple[str, str, str]]:
    """English sentences, the other language, and the sentence in it."""
    for path in sorted(folder.glob("tatoeba_en_*.tsv.gz")):
        language = path.name.split("_")[2].split(".")[0]
        for line in lines(path):
            if line.count("\t") == 1:
                english, other = line.split("\t")
                yield english, language, other
    verses = lines(folder / "bible_en.txt.gz")
    for path in sorted(folder.glob("bible_*.txt.gz")):
        language = path.name.split("_")[1].split(".")[0]
        if language != ENGLISH:
            for english, other in zip(verses, lines(path), strict=False):
                yield english, language, other


def content_words(
    sentences: list[tuple[str, str]], commonest: int
) -> list[tuple[int, str, int, int]]:
    """Sentence, lemma with its language, start and end of every word but a language's commonest."""
    found = []
    for number, (language, text) in enumerate(sentences):
        for match in re.finditer(r"[^\W\d_]{3,}", text):
            lemma = simplemma.lemmatize(match.group(), language).lower()
            found.append((number, f"{lemma}.{language}", match.start(), match.end()))
    often: dict[str, Counter[str]] = {}
    for _, lemma, _, _ in found:
        often.setdefault(lemma.rpartition(".")[2], Counter())[lemma] += 1
    common = {lemma for counts in often.values() for lemma, _ in counts.most_common(commonest)}
    return [word for word in found if word[1] not in common]


def side(
    sentences: list[tuple[str, str]], tokenizers: dict[str, Tokenizer], commonest: int
) -> dict[str, np.ndarray]:
    """Tokens of the sentences by each tokenizer, and the places of their content words."""
    words = content_words(sentences, commonest)
    names = {lemma: n for n, lemma in enumerate(sorted({lemma for _, lemma, _, _ in words}))}
    # All sentences come first, each as a word of no length, so that they are numbered in order.
    rows: list[Row] = [("", "", text, 0, 0) for _, text in sentences]
    rows += [(lemma, "", sentences[number][1], start, end) for number, lemma, start, end in words]
    arrays = {"lemma": np.array([names[word[1]] for word in words], dtype=np.int32)}
    for prefix, tokenizer in tokenizers.items():
        made = tokenised(rows, tokenizer)
        made["places"] = made["places"][len(sentences) :]
        arrays |= {f"{prefix}{name}": array for name, array in made.items()}
    whole = np.all([arrays[f"{p}places"][:, 0] >= 0 for p in tokenizers], axis=0)
    for name in ["lemma", *(f"{prefix}places" for prefix in tokenizers)]:
        arrays[name] = arrays[name][whole]
    return arrays


def swedish(path: Path) -> Iterator[tuple[list[Row], bool]]:
    """Pairs of usages with their senses, and whether these are one."""
    for line in lines(path):
        if line:
            pair = json.loads(line)
            rows = []
            for which in ("first", "second"):
                use, sense = pair[which], pair["meta"].get(f"{which}_sense_id", "")
                place = use["word"]["location"]
                lemma = f"{sense.partition('..')[0]}.sv"
                rows.append((lemma, f"{sense}.sv", use["context"], place["start"], place["stop"]))
            yield rows, pair["label"] == "same_sense"


def write_swedish(path: Path, tokenizer: Tokenizer, output: Path) -> None:
    """The training pairs as usages with senses."""
    rows = list(dict.fromkeys(row for pair, _ in swedish(path) for row in pair))
    arrays = tokenised(rows, tokenizer)
    for column, name in ((0, "lemma"), (1, "sense")):
        names = {value: n for n, value in enumerate(sorted({row[column] for row in rows}))}
        arrays[name] = np.array([names[row[column]] for row in rows], dtype=np.int32)
    arrays["fold"] = np.where(arrays["places"][:, 0] >= 0, 0, -1).astype(np.int8)
    arrays["kind"] = np.full(len(rows), WRITTEN, dtype=np.int8)
    np.savez_compressed(output, **arrays)


def marked(text: str) -> tuple[str, int, int]:
    """A sentence without its ``<word>`` marks, and where these were."""
    before, target, after = re.split(r"</?word>", text)
    return before + target + after, len(before), len(before) + len(target)


def am2ico(path: Path) -> list[list[object]]:
    """Pairs of a usage in some language and one in English."""
    rows = [line.split("\t") for line in lines(path)[1:] if line]
    return [[*marked(first), *marked(second), same == "T"] for first, second, same in rows]


def main() -> None:
    """Write the arrays."""
    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "tokenizer", "teacher", "output"):
        arguments.add_argument(name, type=Path)
    arguments.add_argument(
        "--function-words", type=int, default=150, help="a language's commonest lemmas, left out"
    )
    given = arguments.parse_args()
    own, teacher = tokenizer_in(given.tokenizer), tokenizer_in(given.teacher)
    given.output.mkdir(parents=True, exist_ok=True)

    pairs = list(sentence_pairs(given.data))
    pairs = [p for p in pairs if p[0] and p[2] and max(len(p[0]), len(p[2])) <= LONGEST]
    english = {text: n for n, text in enumerate(dict.fromkeys(pair[0] for pair in pairs))}
    others = list(dict.fromkeys(pair[1:] for pair in pairs))
    texts = {text: n for n, text in enumerate(dict.fromkeys(text for _, text in others))}
    numbers = np.array([(english[pair[0]], texts[pair[2]]) for pair in pairs], dtype=np.int32)
    texts_in_english = [(ENGLISH, text) for text in english]
    one = side(texts_in_english, {"": own, "taught_": teacher}, given.function_words)
    np.savez_compressed(given.output / "english.npz", **one)
    other = side(others, {"": own}, given.function_words)
    np.savez_compressed(given.output / "other.npz", **other, pairs=numbers)

    write_swedish(given.data / "swewic_train.jsonl.gz", own, given.output / "swedish.npz")
    dev = [[*a[2:], *b[2:], same] for (a, b), same in swedish(given.data / "swewic_dev.jsonl.gz")]
    write_pairs(dev, own, given.output / "swewic_dev.npz")
    for path in sorted(given.data.glob("am2ico_*.tsv.gz")):
        language = path.name.split("_")[1].split(".")[0]
        write_pairs(am2ico(path), own, given.output / f"am2ico_{language}_dev.npz")
    print(f"{len(pairs):,} pairs of {len(english):,} English sentences and {len(others):,} others")


if __name__ == "__main__":
    main()
