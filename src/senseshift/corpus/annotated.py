"""Corpora that bring their own lemmas: CoNLL-U, and the parallel files of SemEval-2020 Task 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from senseshift.corpus.blocks import Block, Token
from senseshift.corpus.lines import Source
from senseshift.corpus.targets import split_tag
from senseshift.errors import InputError, shortened
from senseshift.reading import printable

CONLLU = (".conllu", ".conll")
_COLUMNS = 10


def conllu_blocks(source: Source) -> Iterator[Block]:
    """The sentences of a CoNLL-U file with their lemmas and universal parts of speech."""
    rows: list[tuple[int, list[str]]] = []
    text, broken, document, last = "", False, 0, 0
    called: str | None = None
    # Blank lines, which end a sentence, are seen as gaps between the numbers of lines.
    for number, line in _ended(source.lines()):
        if number > last + 1 and (rows or broken):
            if rows and not broken:
                block = _sentence(source, rows, text)
                yield replace(block, document=document, source=called)
            rows, text, broken = [], "", False
        last = number
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            if key.strip() == "text":
                text = value.strip()
            elif key.strip().startswith("newdoc"):
                document += 1
                called = f"{source.name}:{value.strip() or document}"
        elif line.strip():
            fields = line.split("\t")
            if len(fields) == _COLUMNS:
                rows.append((number, fields))
            else:
                what = f"expected the {_COLUMNS} columns of CoNLL-U, found {len(fields)}"
                source.problems.broken(source.at(number), what)
                broken = True


def _ended(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, and after the last one a gap that ends the last sentence."""
    number = 0
    for number, line in lines:
        if line.strip():
            yield number, line
    yield number + 2, ""


def _sentence(source: Source, rows: list[tuple[int, list[str]]], text: str) -> Block:
    """One sentence; where its text is not given, it is put together from the forms."""
    surface = _surface(rows)
    if not text:
        text = "".join(
            form + ("" if "SpaceAfter=No" in misc.split("|") else " ") for form, misc, _ in surface
        ).rstrip()
    tokens, at = [], 0
    for form, _, words in surface:
        start = text.find(form, at)
        if start < 0:
            source.problems.broken(
                source.at(rows[0][0]),
                f"expected the word {shortened(form)!r} in the sentence's text, "
                f"found {text[at : at + 40]!r}",
            )
            return Block(text, rows[0][0], tokens=())
        at = start + len(form)
        inside = start
        # Words that are one in writing share its span, unless they only stand side by side.
        apart = "".join(word for word, _, _ in words) == form
        for word, lemma, tag in words:
            span = (inside, inside + len(word)) if apart else (start, at)
            inside = span[1]
            known = None if tag == "_" else "VERB" if tag == "AUX" else tag
            tokens.append(Token(*span, text[slice(*span)], word if lemma == "_" else lemma, known))
    return Block(text, rows[0][0], tokens=tuple(tokens))


def _surface(
    rows: list[tuple[int, list[str]]],
) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """Written words with what they consist of: (form, misc, [(form, lemma, tag), …])."""
    result: list[tuple[str, str, list[tuple[str, str, str]]]] = []
    open_until = 0
    for _, (id_, form, lemma, tag, *_rest, misc) in rows:
        if "." in id_:
            continue  # an empty node is not written
        first, dash, last = id_.partition("-")
        if dash:
            result.append((form, misc, []))
            open_until = _number(last) or 0
        elif (_number(first) or open_until + 1) <= open_until:
            result[-1][2].append((form, lemma, tag))
        else:
            result.append((form, misc, [(form, lemma, tag)]))
    return result


def _number(digits: str) -> int | None:
    return int(digits) if digits.isdecimal() and len(digits) < 10 else None


def is_parallel(folder: Path) -> bool:
    """Whether a folder is a corpus of SemEval-2020 Task 1."""
    return (folder / "token").is_dir() and (folder / "lemma").is_dir()


def parallel_files(folder: Path) -> list[Path]:
    """Its token files; each must have a lemma file of the same name."""
    tokens = sorted(path for path in (folder / "token").iterdir() if ".txt" in path.suffixes)
    for path in tokens:
        beside = folder / "lemma" / path.name
        if not beside.is_file():
            raise InputError(f"{printable(path)}: expected its lemmas in {printable(beside)}.")
    if not tokens:
        where = printable(folder / "token")
        raise InputError(f"{where}: expected .txt or .txt.gz files, found none.")
    return tokens


def parallel_blocks(source: Source) -> Iterator[Block]:
    """The sentences of a token file, with the lemmas beside it."""
    beside = source.path.parent.parent / "lemma" / source.path.name
    lemma_lines = replace(source, path=beside, advance=lambda count: None).lines()
    for tokens, lemmas in zip_longest(source.lines(), lemma_lines):
        if tokens is None or lemmas is None or tokens[0] != lemmas[0]:
            number = (tokens or lemmas)[0]
            raise InputError(
                f"{source.at(number)}: expected the same lines as in {printable(beside)}, "
                "found one that is in one of the files only."
            )
        number, forms, names = tokens[0], tokens[1].split(), lemmas[1].split()
        if len(forms) == len(names):
            yield _line(number, forms, names)
        else:
            source.problems.broken(
                source.at(number),
                f"expected {len(names)} words as in {printable(beside)}, found {len(forms)}",
            )


def _line(number: int, forms: list[str], names: list[str]) -> Block:
    found, at = [], 0
    for form, name in zip(forms, names, strict=True):
        lemma, tag = split_tag(name)
        # Only targets are tagged there: attack_nn is the noun, plain attack is something else.
        found.append(Token(at, at + len(form), form, lemma, tag or ""))
        at += len(form) + 1
    return Block(" ".join(forms), number, tokens=tuple(found))
