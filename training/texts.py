"""Sentences of real texts, one a line, and the usages in them whose senses were told by reading.

    python training/texts.py novels.txt austen/*.txt moby-dick.txt
    python training/texts.py addresses-old.txt sotu.jsonl.gz --years 1790-1899

Labels name a sentence by its checksum, so that they need no copy of the texts.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LABELLED = Path(__file__).parent / "annotated" / "texts.tsv"
LENGTHS = range(25, 421)  # of sentences, in characters
UNKNOWN = ("?", "x")  # could not be told, or another word

# An end of a sentence, unless an abbreviation stands before it.
END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z])")
SHORTENED = re.compile(
    r"\b(Mr|Mrs|Dr|St|Messrs|Col|Gen|Capt|Lt|No|Hon|Esq|U\.S|viz|vs|Sir|[A-Z])\.$"
)

Usage = tuple[str, str, str, int, int, bool]  # word, sense, text, start, end, of an old text
OLD = ("Bible", "Webster", "novels", "addresses 1790–1899")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a paragraph."""
    text = re.sub(r"\s+", " ", text).strip()
    begin = 0
    for end in END.finditer(text):
        if not SHORTENED.search(text[max(end.start() - 8, 0) : end.start()]):
            yield text[begin : end.end()].strip()
            begin = end.end()
    if begin < len(text):
        yield text[begin:]


def paragraphs(path: Path, years: tuple[int, int]) -> Iterator[str]:
    """Of a plain text, where empty lines part them, or of the texts of some years."""
    if path.suffix != ".gz":
        yield from path.read_text("utf-8", errors="replace").split("\n\n")
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if years[0] <= row["year"] <= years[1]:
                yield from row["text"].split("\n")


def checksum(sentence: str) -> str:
    """By which a label names a sentence."""
    return hashlib.blake2b(sentence.encode(), digest_size=6).hexdigest()


def labelled(path: Path, texts: Iterable[str], part: str) -> Iterator[Usage]:
    """The usages of one part, to "train" with or to "choose" by, in the given sentences."""
    known = {checksum(text): text for text in texts}
    with path.open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            text = known.get(row["sentence"])
            if text is not None and row["part"] == part and row["sense"] not in UNKNOWN:
                place = int(row["start"]), int(row["end"])
                yield row["word"], row["sense"], text, *place, row["text"] in OLD


def main() -> None:
    """Write the sentences of some texts."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("output", type=Path)
    arguments.add_argument("texts", type=Path, nargs="+")
    arguments.add_argument("--years", default="0-9999", help="of JSON lines, such as 1790-1899")
    given = arguments.parse_args()
    first, _, last = given.years.partition("-")
    years = int(first), int(last or first)
    found = (s for path in given.texts for part in paragraphs(path, years) for s in sentences(part))
    kept = dict.fromkeys(sentence for sentence in found if len(sentence) in LENGTHS)
    given.output.write_text("".join(f"{sentence}\n" for sentence in kept), encoding="utf-8")
    print(f"{given.output}: {len(kept):,} sentences")


if __name__ == "__main__":
    main()
