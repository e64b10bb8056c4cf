"""The files of a corpus: which there are, what they are called, and who reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from senseshift.corpus import annotated, rows, text
from senseshift.corpus.blocks import Block
from senseshift.corpus.rows import Columns
from senseshift.corpus.text import Advance, Layout
from senseshift.errors import InputError
from senseshift.usages.files import JSON_LINES, SEPARATORS
from senseshift.usages.periods import Spans
from senseshift.usages.problems import Problems

Paths = str | Path | Sequence[str | Path]

_TABLES = (".parquet", *SEPARATORS, *JSON_LINES)
_KNOWN = (".txt", *annotated.CONLLU, *_TABLES)


@dataclass(frozen=True)
class File:
    """A file to read, under the name that ids and sources call it by.

    ``period`` is None where dates tell it; ``parallel`` says that its lemmas are in another file.
    """

    path: Path
    name: str
    period: str | None
    parallel: bool = False


def blocks_of(
    file: File, columns: Columns, layout: Layout | None, problems: Problems, advance: Advance
) -> Iterator[Block]:
    """The pieces of a file, by the reader for its format."""
    suffix = rows.suffix_of(file.path)
    if file.parallel:
        return annotated.parallel_blocks(file.path, problems, advance)
    if suffix in annotated.CONLLU:
        return annotated.conllu_blocks(file.path, problems, advance)
    if suffix in _TABLES:
        return rows.row_blocks(file.path, columns, layout, problems, advance)
    return text.blocks(file.path, layout, problems, advance)


def files_of(
    corpora: Mapping[str, Paths] | Paths, spans: Spans | None
) -> tuple[list[File], tuple[str, ...]]:
    """All files to read, each with a short name of its own, and the periods in order."""
    if isinstance(corpora, Mapping):
        if spans is not None:
            raise InputError(
                "The periods of these corpora are given by name: leave out periods and split_year."
            )
        order = tuple(str(period) for period in corpora)
        if "" in order:
            raise InputError("A period has no name: give each corpus the name of its period.")
        asked = [(str(period), path) for period, paths in corpora.items() for path in _list(paths)]
    elif spans is None:
        raise InputError(
            "There are no periods: give a corpus for each, as {'old': …, 'new': …}, "
            "or periods or split_year for tables with dates."
        )
    else:
        order = spans.labels
        asked = [("", path) for path in _list(corpora)]
    files = [file for period, path in asked for file in _expand(path, period or None)]
    if not files:
        raise InputError("There is no corpus to read: give at least one file.")
    dated = [
        file for file in files if file.period is None and rows.suffix_of(file.path) not in _TABLES
    ]
    if dated:
        raise InputError(
            f"{dated[0].path}: only tables have dates that tell the period: "
            "give text files by period, as {'old': …, 'new': …}."
        )
    return _named(files), order


def _named(files: list[File]) -> list[File]:
    """The files under names of their own, no longer than they must be: ids are made of them."""
    places = Counter((file.period, file.path.resolve()) for file in files)
    (period, path), count = places.most_common(1)[0]
    if count > 1:
        raise InputError(f"{path} is given twice for the period {period}: give it once.")
    for spell in (
        lambda file: file.name,
        lambda file: f"{file.period}/{file.name}",
    ):
        names = [spell(file) for file in files]
        if len(set(names)) == len(names):
            break
    else:
        names = [f"{file.period}/{file.path.as_posix()}" for file in files]
    return [replace(file, name=name) for file, name in zip(files, names, strict=True)]


def _list(paths: Paths) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]


def _expand(path: Path, period: str | None) -> Iterator[File]:
    if not path.exists():
        raise InputError(f"{path} does not exist: give the files or folders of the corpus.")
    if path.is_file():
        if rows.suffix_of(path) not in _KNOWN:
            raise InputError(
                f"{path}: expected one of {', '.join(_KNOWN)}, found {path.suffix or 'no suffix'}."
            )
        yield File(path, path.name, period)
        return
    if annotated.is_parallel(path):
        for file in annotated.parallel_files(path):
            yield File(file, f"{path.name}/{file.name}", period, parallel=True)
        return
    for file in _inside(path):
        yield File(file, f"{path.name}/{file.relative_to(path).as_posix()}", period)


def _inside(folder: Path) -> list[Path]:
    """The corpus in a folder: its texts, else its CoNLL-U files, else its tables.

    Tables beside texts describe them, as a rule, and are left alone.
    """
    visible = sorted(
        path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")
    )
    kinds = [
        [path for path in visible if rows.suffix_of(path) in suffixes]
        for suffixes in ((".txt",), annotated.CONLLU, _TABLES)
    ]
    if kinds[0] and kinds[1]:
        raise InputError(
            f"{folder}: found both {kinds[0][0].name} and {kinds[1][0].name}: texts and CoNLL-U "
            "files may be the same corpus twice, so give the files of one kind."
        )
    for found in kinds:
        if found:
            return found
    raise InputError(f"{folder}: expected files of {', '.join(_KNOWN)} in it, found none.")
