"""The files of a corpus: which there are, what they are called, and who reads them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from senseshift.corpus import annotated, rows, text
from senseshift.corpus.blocks import Block
from senseshift.corpus.encodings import looks_like_text
from senseshift.corpus.lines import Source
from senseshift.corpus.rows import Columns
from senseshift.corpus.text import Layout
from senseshift.errors import InputError, shortened
from senseshift.reading import is_there, printable
from senseshift.usages.files import JSON_LINES, SEPARATORS
from senseshift.usages.periods import Spans

Paths = str | Path | Sequence[str | Path]

_TABLES = (".parquet", *SEPARATORS, *JSON_LINES)
_KNOWN = (".txt", *annotated.CONLLU, *_TABLES)
# The end of a name tells a format if it is short and has a letter in it: not in 1815.03 or vol. 2.
_SUFFIX = re.compile(r"\.(?=.*[a-z])[a-z0-9_+~-]{1,8}")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:/(?=[^/])", re.I)  # as a path spells it
# Files that describe a corpus and are no part of it.
ABOUT = "about the corpus, by its name"
_ABOUT = re.compile(r"(readme|licen[cs]e|copying|notice|changes|changelog|makefile)\b", re.I)


@dataclass(frozen=True)
class File:
    """A file to read, under the name that ids and sources call it by.

    ``period`` is None where dates tell it; ``kind`` is ``text``, ``table``, ``CoNLL-U`` or
    ``parallel``, whose lemmas are in another file.
    """

    path: Path
    name: str
    period: str | None
    kind: str


@dataclass(frozen=True)
class Unread:
    """A file in a folder of the corpus that is not read, and why."""

    path: Path
    period: str | None
    reason: str


def blocks_of(
    file: File, source: Source, columns: Columns, layout: Layout | None
) -> Iterator[Block]:
    """The pieces of a file, by the reader for its format."""
    if file.kind == "parallel":
        return annotated.parallel_blocks(source)
    if file.kind == "CoNLL-U":
        return annotated.conllu_blocks(source)
    if file.kind == "table":
        return rows.row_blocks(source, columns, layout)
    return text.blocks(source, layout)


def files_of(
    corpora: Mapping[str, Paths] | Paths, spans: Spans | None
) -> tuple[list[File], list[Unread], tuple[str, ...]]:
    """All files to read, each with a short name of its own; those not read; periods in order."""
    if isinstance(corpora, Mapping):
        if spans is not None:
            raise InputError(
                "The periods of these corpora are given by name: leave out periods and split_year."
            )
        order = tuple(printable(str(period)) for period in corpora)
        if "" in order:
            raise InputError("A period has no name: give each corpus the name of its period.")
        asked = [
            (period, path)
            for period, paths in zip(order, corpora.values(), strict=True)
            for path in _list(paths)
        ]
    elif spans is None:
        raise InputError(
            "There are no periods: give a corpus for each, as {'old': …, 'new': …}, "
            "or periods or split_year for tables with dates."
        )
    else:
        order = spans.labels
        asked = [("", path) for path in _list(corpora)]
    found = [item for period, path in asked for item in _expand(path, period or None)]
    files = [item for item in found if isinstance(item, File)]
    if not files:
        raise InputError("There is no corpus to read: give at least one file.")
    dated = [file for file in files if file.period is None and file.kind != "table"]
    if dated:
        raise InputError(
            f"{printable(dated[0].path)}: only tables have dates that tell the period: "
            "give text files by period, as {'old': …, 'new': …}."
        )
    return _named(files), [item for item in found if isinstance(item, Unread)], order


def _named(files: list[File]) -> list[File]:
    """The files under names of their own, no longer than they must be: ids are made of them."""
    places = Counter((file.period, file.path.resolve()) for file in files)
    (period, path), count = places.most_common(1)[0]
    if count > 1:
        raise InputError(f"{printable(path)} is given twice for the period {period}: give it once.")
    for spell in (
        lambda file: file.name,
        lambda file: f"{file.period}/{file.name}",
    ):
        names = [spell(file) for file in files]
        if len(set(names)) == len(names):
            break
    else:
        names = [f"{file.period}/{_spelt(file.path.as_posix())}" for file in files]
    return [replace(file, name=name) for file, name in zip(files, names, strict=True)]


def _spelt(name: str) -> str:
    """The name of a file as text, bytes that are not UTF-8 escaped."""
    return name.encode("utf-8", "backslashreplace").decode()


def _list(paths: Paths) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]


def _expand(path: Path, period: str | None) -> Iterator[File | Unread]:
    if not is_there(path):
        if _ADDRESS.match(str(path)):
            address = _ADDRESS.sub(lambda found: f"{found[0]}/", printable(path), count=1)
            raise InputError(
                f"{address} is an address, and corpora are read from disks: copy it to one, or "
                "mount the store (s3fs-fuse, gcsfuse), where all workers see it."
            )
        raise InputError(
            f"{printable(path)} does not exist: give the files or folders of the corpus."
        )
    if not path.is_dir():
        kind = _kind(path)
        if kind is None or not (suffix_of(path) or looks_like_text(path)):
            raise InputError(
                f"{printable(path)}: expected a text, or one of {', '.join(_KNOWN)}, "
                f"found {shortened(suffix_of(path)) or 'a file that is no text'}."
            )
        yield File(path, _spelt(path.name), period, kind)
    elif annotated.is_parallel(path):
        for file in annotated.parallel_files(path):
            yield File(file, _spelt(f"{path.name}/{file.name}"), period, "parallel")
    else:
        for file, outcome in _inside(path):
            if outcome in ("text", "CoNLL-U", "table"):
                name = f"{path.name}/{file.relative_to(path).as_posix()}"
                yield File(file, _spelt(name), period, outcome)
            else:
                yield Unread(file, period, outcome)


def suffix_of(path: Path) -> str:
    """The suffix that tells the format, .gz left aside; none where it is part of the name."""
    suffix = rows.suffix_of(path)
    return suffix if _SUFFIX.fullmatch(suffix) else ""


def _kind(path: Path) -> str | None:
    """The kind of a file by its name; a text where nothing is said; None for any other."""
    suffix = suffix_of(path)
    if suffix in _TABLES:
        return "table"
    if suffix in annotated.CONLLU:
        return "CoNLL-U"
    return "text" if suffix in ("", ".txt") else None


def _inside(folder: Path) -> Iterator[tuple[Path, str]]:
    """The files in a folder, each with its kind or the reason why it is not read.

    The corpus are its texts, else its CoNLL-U files, else its tables. Tables beside texts describe
    them, as a rule; files without a suffix are read only where texts are, or nothing else is.
    """
    visible = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    kinds = {path: None if _ABOUT.match(path.name) else _kind(path) for path in visible}
    first: dict[str, Path] = {}
    for path, kind in kinds.items():
        if kind:
            first.setdefault(kind if suffix_of(path) else "bare", path)
    if "text" in first and "CoNLL-U" in first:
        raise InputError(
            f"{printable(folder)}: found both {printable(first['text'].name)} and "
            f"{printable(first['CoNLL-U'].name)}: texts and CoNLL-U files may be the same corpus "
            "twice, so give the files of one kind."
        )
    chosen = next((kind for kind in ("text", "CoNLL-U", "table") if kind in first), "text")
    found = [(path, _outcome(path, kind, chosen)) for path, kind in kinds.items()]
    if not any(outcome == chosen for _, outcome in found):
        raise InputError(
            f"{printable(folder)}: expected texts or files of {', '.join(_KNOWN)} in it, "
            f"found {_summary(found)}."
        )
    yield from found


def _outcome(path: Path, kind: str | None, chosen: str) -> str:
    if kind is None:
        return ABOUT if _ABOUT.match(path.name) else "of a kind that cannot be read"
    if kind != chosen:
        what = f"a {kind}" if suffix_of(path) else "without suffix"
        return f"{what} beside {chosen} files"
    if not suffix_of(path) and not looks_like_text(path):
        return "without suffix and not like text"
    return kind


def _summary(found: list[tuple[Path, str]]) -> str:
    if not found:
        return "none"
    path, reason = found[0]
    return f"none ({printable(path.name)}: {reason})"
