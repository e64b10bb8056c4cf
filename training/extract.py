"""Sense-labelled usages from SemCor 3.0 and the example sentences of WordNet 3.0.

    python training/extract.py SEMCOR WORDNET/dict usages.jsonl.gz

``SEMCOR`` holds the tag files (``brown1/tagfiles/br-a01`` and so on); WordNet's ``dict`` must have
``index.sense``. Every line is ``[lemma.pos, synset, sentence, start, end]``: SemCor in the order of
its texts first, then the examples.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import simplemma

Usage = tuple[str, str, str, int, int]

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
POS = dict(
    zip("12345", "nvara", strict=True)
)  # the digit of a sense key; satellites are adjectives
NO_SPACE_BEFORE = re.compile(r"^(?:[.,;:!?)\]%]|''|'\w*|n't)$")
NO_SPACE_AFTER = re.compile(r"(?:^|[(\[$]|``)$")
TOKEN = re.compile(r"<(wf|punc)([^>]*)>(.*?)</\1>")
FIELD = re.compile(r"(\w+)=(\S+)")


def synsets(wordnet: Path) -> dict[str, str]:
    """The synset of every sense key."""
    found = {}
    for line in (wordnet / "index.sense").read_text(encoding="utf-8").splitlines():
        key, offset, *_ = line.split(" ")
        found[key] = f"eng30-{offset}-{POS[key.partition('%')[2][0]]}"
    return found


def sentence_usages(sentence: str, senses: dict[str, str]) -> Iterator[Usage]:
    """The tagged words of one sentence of SemCor, and its text with spaces as in print."""
    text, tagged = "", []
    for _, attributes, inner in TOKEN.findall(sentence):
        word = html.unescape(inner).replace("_", " ")
        if not NO_SPACE_BEFORE.match(word) and not NO_SPACE_AFTER.search(text):
            text += " "
        field = dict(FIELD.findall(attributes))
        # Some words have several senses: the first is the annotators' first choice.
        key = f"{field.get('lemma')}%{field.get('lexsn', '').partition(';')[0]}"
        if field.get("cmd") == "done" and key in senses:
            tagged.append((field["lemma"], senses[key], len(text), len(text) + len(word)))
        text += word
    for lemma, synset, start, end in tagged:
        yield f"{lemma}.{synset[-1]}", synset, text, start, end


def in_semcor(folder: Path, senses: dict[str, str]) -> Iterator[Usage]:
    """Usages of all tag files, in the order of their names."""
    for path in sorted(folder.rglob("br-*")):
        content = path.read_text(encoding="latin-1")
        for sentence in re.findall(r"<s snum=\d+>(.*?)</s>", content, re.DOTALL):
            yield from sentence_usages(sentence, senses)


def place(lemma: str, example: str) -> tuple[int, int] | None:
    """Where an example has its lemma, in any form."""
    words = lemma.replace("_", " ")
    exact = re.search(rf"\b{re.escape(words)}\b", example, re.IGNORECASE)
    if exact:
        return exact.span()
    for found in re.finditer(r"[\w'-]+", example):
        if simplemma.lemmatize(found.group().lower(), "en") == words:
            return found.span()
    return None


def in_examples(wordnet: Path) -> Iterator[Usage]:
    """Usages in the quoted examples of glosses."""
    for part, pos in PARTS.items():
        for line in (wordnet / f"data.{part}").read_text(encoding="utf-8").splitlines():
            fields, bar, gloss = line.partition(" | ")
            if line.startswith(" ") or not bar:
                continue
            offset, _, _, count, *rest = fields.split(" ")
            for example in re.findall(r'"([^"]+)"', gloss):
                for lemma in rest[: 2 * int(count, 16) : 2]:
                    name = re.sub(r"\(\w+\)$", "", lemma).lower()
                    span = place(name, example)
                    if span:
                        yield f"{name}.{pos}", f"eng30-{offset}-{pos}", example, *span


def main() -> None:
    """Write all usages to one file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("semcor", type=Path)
    arguments.add_argument("wordnet", type=Path)
    arguments.add_argument("output", type=Path)
    given = arguments.parse_args()
    counts = []
    with gzip.open(given.output, "wt", encoding="utf-8") as file:
        for usages in (in_semcor(given.semcor, synsets(given.wordnet)), in_examples(given.wordnet)):
            counts.append(0)
            for usage in usages:
                file.write(json.dumps(usage, ensure_ascii=False) + "\n")
                counts[-1] += 1
    print(f"{counts[0]:,} usages in SemCor, {counts[1]:,} in examples of WordNet")


if __name__ == "__main__":
    main()
