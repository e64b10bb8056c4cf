"""Webster's dictionary of 1913: sense-labelled quotations of old English, and its plain text.

    python training/webster.py gcide.dict labelled.jsonl.gz plain.txt

Reads the dictionary as the dictd server has it (package ``dict-gcide``, unpacked by gunzip), and of
it only the paragraphs marked as Webster's of 1913, which are in the public domain. A usage is a
quotation below a numbered sense, or an example ("as, …") in its definition.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = "[1913 Webster]"
ENTRY = re.compile(r"([A-Z][a-z]{2,}) \\")
PART = re.compile(r"[\\)],? (?:\([^)]*\), )?(n|v|a|adv)\. ?")
SENSE = re.compile(r" {3}(\d+)\. ")
SUBSENSE = re.compile(r"\(([a-z])\) ")
AUTHOR = re.compile(r" ?--\s?[A-Z(\[][^-]*$")
QUOTED = " " * 9  # quotations stand further to the right than definitions
FEWEST_WORDS = 4

Usage = tuple[str, str, str, int, int]  # lemma, sense, text, start, end


def entries(lines: list[str]) -> Iterator[list[str]]:
    """The lines of every entry of one word."""
    starts = [number for number, line in enumerate(lines) if ENTRY.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start:end]


def paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """The paragraphs from Webster's dictionary, without the mark that says so."""
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
            continue
        if paragraph and paragraph[-1].strip() == SOURCE and len(paragraph) > 1:
            yield paragraph[:-1]
        paragraph = []


def after_header(paragraph: list[str]) -> list[str]:
    """The first paragraph of an entry without its word, pronunciation and etymology."""
    depth = 0
    for number, line in enumerate(paragraph):
        depth += line.count("[") - line.count("]")
        if depth <= 0:
            return paragraph[number + 1 :]
    return []


def plain(lines: list[str]) -> str:
    """Lines as running text, without remarks in brackets and marks of cross-reference."""
    text = " ".join(line.strip() for line in lines)
    text = re.sub(r"\s*\[[^\]]*\]", "", text.replace("{", "").replace("}", ""))
    return re.sub(r"\s+", " ", text.replace(". . .", "…")).strip()


def forms(word: str, header: str) -> re.Pattern[str]:
    """The word as it is inflected, by rule or as its entry says."""
    stem = re.escape(word)
    endings = [rf"{stem}(?:e?s|'s|s'|e?d|ing|er|est|eth)?"]
    if word.endswith("e"):
        endings.append(rf"{stem[:-1]}(?:ing|est|eth)")
    if word.endswith("y"):
        endings.append(rf"{stem[:-1]}(?:ies|ied|ier|iest|ieth)")
    endings.append(rf"{stem}{stem[-1]}(?:ed|ing|er|est)")
    irregular = re.search(r"\[(?:imp|pl|p\. p)[^\]]*\]|; pl\. \{[^}]*\}", header)
    if irregular:
        endings += [re.escape(form.lower()) for form in re.findall(r"\{(\w+)\}", irregular.group())]
    return re.compile(rf"\b(?:{'|'.join(endings)})\b", re.IGNORECASE)


def texts_of(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """Of one entry every text: its kind ("definition", "example" or "quotation"), sense, words."""
    sense = "0"
    for number, paragraph in enumerate(paragraphs(lines)):
        body = after_header(paragraph) if number == 0 else paragraph
        if not body:
            continue
        if body[0].startswith(QUOTED):
            text = AUTHOR.sub("", plain(body)).strip()
            if sense:
                yield "quotation", sense, text
            continue
        found = SENSE.match(body[0])
        if found:
            sense = found.group(1)
        elif re.match(r" {3}(Note:|Syn:|\{|--)", body[0]):
            sense = ""  # What follows belongs to a phrase or a remark.
            continue
        text = re.sub(r"^\d+\. ", "", plain(body))
        letter = SUBSENSE.search(text)
        if letter and sense:
            sense = sense.rstrip("abcdefghijklmnopqrstuvwxyz") + letter.group(1)
        definition, _, examples = AUTHOR.sub("", text).partition("; as, ")
        if sense:
            yield "definition", sense, definition
            for example in examples.split("; "):
                yield "example", sense, example.removeprefix("as, ")


def usages(path: Path) -> Iterator[tuple[str, Usage]]:
    """Every text with its kind: definitions with no target, the others with theirs marked."""
    homograph: dict[str, int] = {}
    for lines in entries(path.read_text(encoding="utf-8", errors="replace").splitlines()):
        word = ENTRY.match(lines[0]).group(1).lower()  # type: ignore[union-attr]
        header = " ".join(line.strip() for line in lines[:8])
        part = PART.search(header)
        if not part:
            continue
        lemma = f"{word}.{part.group(1)[0]}"
        homograph[lemma] = homograph.get(lemma, 0) + 1
        target = forms(word, header)
        for kind, sense, text in texts_of(lines):
            name = f"webster-{lemma}-{homograph[lemma]}-{sense}"
            if kind == "definition":
                yield kind, (lemma, name, text, 0, 0)
                continue
            found = target.search(text)
            if found and len(text.split()) >= FEWEST_WORDS:
                yield kind, (lemma, name, text, *found.span())


def main() -> None:
    """Write usages with labels, and every text without."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("dictionary", type=Path)
    arguments.add_argument("labelled", type=Path)
    arguments.add_argument("plain", type=Path)
    given = arguments.parse_args()
    found = list(usages(given.dictionary))
    with gzip.open(given.labelled, "wt", encoding="utf-8") as file:
        for kind, usage in found:
            if kind != "definition":
                file.write(json.dumps(usage) + "\n")
    texts = dict.fromkeys(usage[2] for _, usage in found if len(usage[2].split()) >= FEWEST_WORDS)
    given.plain.write_text("\n".join(texts) + "\n", encoding="utf-8")
    kinds = [kind for kind, _ in found]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))}, len(texts), "texts")


if __name__ == "__main__":
    main()
