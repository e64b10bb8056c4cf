"""``find``: from corpora and a list of words to usages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from senseshift.corpus import annotated, rows, text
from senseshift.corpus.blocks import Block
from senseshift.corpus.contexts import contexts, neighbours, splitter
from senseshift.corpus.matching import Match, Matcher
from senseshift.corpus.rows import Columns
from senseshift.corpus.sampling import Sample
from senseshift.corpus.targets import By, Target, Words, targets_from
from senseshift.corpus.text import Advance, Layout
from senseshift.errors import InputError
from senseshift.usages.check import Origin, check
from senseshift.usages.files import JSON_LINES, SEPARATORS
from senseshift.usages.periods import Spans, spans_from, year_in
from senseshift.usages.problems import Problems
from senseshift.usages.table import Usages

Paths = str | Path | Sequence[str | Path]
Progress = Callable[[int, int], None]

_TABLES = (".parquet", *SEPARATORS, *JSON_LINES)
_KNOWN = (".txt", *annotated.CONLLU, *_TABLES)


@dataclass(frozen=True)
class _File:
    path: Path
    name: str
    period: str | None
    parallel: bool = False


def find(
    corpora: Mapping[str, Paths] | Paths,
    words: Words,
    *,
    by: By = "lemma",
    language: str = "en",
    context: int = 0,
    max_usages: int | None = None,
    seed: int = 0,
    fold_case: bool = True,
    compounds: bool = False,
    layout: Layout | None = None,
    text_column: str = "text",
    date_column: str = "date",
    source_column: str = "source",
    periods: str | Sequence[str] | None = None,
    split_year: int | None = None,
    skip_bad: bool = False,
    progress: Progress | None = None,
) -> Usages:
    """Usages of words in raw corpora.

    Parameters
    ----------
    corpora
        For each period, oldest first, its files or folders; or, with ``periods`` or ``split_year``,
        files or folders of tables whose dates tell the period. Files may be ``.txt`` and
        ``.conllu`` (both also ``.gz``), ``.csv``, ``.tsv``, ``.jsonl`` and ``.parquet`` with a
        column of texts; a folder with ``token`` and ``lemma`` in it is a corpus of SemEval-2020
        Task 1; of any other folder, all texts in it are read, or else all CoNLL-U files, or
        else all tables.
    words
        A list, a mapping from a name to what is looked for under it, or a file with one word a
        line. Several words in a row are one target (``hot dog``). A part of speech at the end
        (``attack_nn``) counts in corpora that have parts of speech; elsewhere it is only part of
        the name, and any ``attack`` is found.
    by
        ``lemma``: the word in all its forms, by the corpus's own lemmas or else by simplemma;
        ``form``: as it is written; ``regex``: regular expressions (in a file, name and expression
        may be separated by a tab), which are not kept to the borders of words.
    language
        Whose inflection and sentences: a code of simplemma such as ``en``, ``de``, ``la``.
    context
        How many characters around the sentence to keep as well, words kept whole.
    max_usages, seed
        Keep a random sample of so many usages for each word and period.
    fold_case
        Whether ``Cell`` is ``cell``.
    compounds
        Whether parts of hyphenated words are usages: ``cell`` in ``cell-phone``.
    layout
        Of text files: ``lines`` (a line is a context), ``paragraphs`` (a line holds sentences) or
        ``running`` (lines wrap, blank ones separate paragraphs); guessed for each file by default.
        Of tables: ``lines`` takes each text as one context instead of its sentences.
    text_column, date_column, source_column
        What the columns of tables are called; those of dates and sources may be missing.
    periods, split_year
        As for :func:`senseshift.usages.read`, for tables with dates.
    skip_bad
        Leave out what cannot be read and say so in ``dropped``, rather than stop.
    progress
        Called with the bytes read so far and in all.

    Returns
    -------
    Usages
        By word, period and place in the corpus. A context is kept once for each word and period.
        ``dropped`` says how many duplicates there were (with ``max_usages``, of contexts in the
        sample) and what was left out, ``skipped`` which words were not found where.
    """
    _check_numbers(context, max_usages, seed, layout)
    problems, spans = Problems(skip_bad), spans_from(periods, split_year)
    targets = targets_from(words, by, fold_case)
    files, order = _files(corpora, spans)
    matcher = Matcher(targets, by, language, fold_case=fold_case, compounds=compounds)
    split, sample = splitter(language), Sample(max_usages, seed)
    advance = _advance(progress, files)
    columns = Columns(text_column, date_column, source_column)
    outside = 0
    for file in files:
        hits = _hits(_blocks(file, columns, layout, problems, advance), matcher, context)
        for block, matches, before, after in hits:
            period = file.period
            if spans is not None:
                year = _year(block, file, problems)
                period = None if year is None else spans.of(year)
                outside += len(matches) if year is not None and period is None else 0
            if period is None:
                continue
            for match, found, start in contexts(block, matches, before, after, context, split):
                sample.add(
                    (
                        targets[match.target].name,
                        period,
                        f"{file.name}:{block.line}:{match.start}",
                        found,
                        start,
                        start + match.end - match.start,
                        block.date,
                        block.source or file.name,
                    )
                )
    return _usages(sample, targets, order, problems, outside, matcher)


def _hits(
    blocks: Iterator[Block], matcher: Matcher, context: int
) -> Iterator[tuple[Block, list[Match], str, str]]:
    match = matcher.match
    if context:
        yield from neighbours(((block, list(match(block))) for block in blocks), context)
    else:
        for block in blocks:
            if matches := list(match(block)):
                yield block, matches, "", ""


def _usages(
    sample: Sample,
    targets: list[Target],
    order: tuple[str, ...],
    problems: Problems,
    outside: int,
    matcher: Matcher,
) -> Usages:
    names = [target.name for target in targets]
    table = check(sample.table(names, order), Origin("usages found"), Problems())
    for period, count in sample.duplicates.items():
        problems.left_out(f"{period}: {count:,} duplicates of a context were dropped.")
    if outside:
        problems.left_out(f"{outside:,} usages dated outside the periods were left out.")
    found = {word for word, _ in sample.found}
    problems.missing |= {t.name: _reason(t, matcher) for t in targets if t.name not in found}
    return Usages._of(table, order, problems)


def _reason(target: Target, matcher: Matcher) -> str:
    """Why a word may never have been found."""
    reason = f"never found by {matcher.by} in any period"
    if matcher.by == "lemma" and len(target.words) == 1 and matcher.lemmatizes:
        lemma = matcher.lemma(target.words[0])
        if lemma.casefold() != target.words[0].casefold():
            reason += f"; it is a form of {lemma!r}, which can be looked for"
    return reason


def _year(block: Block, file: _File, problems: Problems) -> int | None:
    year = year_in(block.date or "")
    if year is None:
        problems.broken(
            f"{file.path}, line {block.line}, column date",
            f"expected a year such as 1815 or 1815-03-02, found {block.date or 'nothing'!r}",
        )
    return year


def _blocks(
    file: _File, columns: Columns, layout: Layout | None, problems: Problems, advance: Advance
) -> Iterator[Block]:
    suffix = rows.suffix_of(file.path)
    if file.parallel:
        return annotated.parallel_blocks(file.path, problems, advance)
    if suffix in annotated.CONLLU:
        return annotated.conllu_blocks(file.path, problems, advance)
    if suffix in _TABLES:
        return rows.row_blocks(file.path, columns, layout, problems, advance)
    return text.blocks(file.path, layout, problems, advance)


def _files(
    corpora: Mapping[str, Paths] | Paths, spans: Spans | None
) -> tuple[list[_File], tuple[str, ...]]:
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


def _named(files: list[_File]) -> list[_File]:
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


def _expand(path: Path, period: str | None) -> Iterator[_File]:
    if not path.exists():
        raise InputError(f"{path} does not exist: give the files or folders of the corpus.")
    if path.is_file():
        if rows.suffix_of(path) not in _KNOWN:
            raise InputError(
                f"{path}: expected one of {', '.join(_KNOWN)}, found {path.suffix or 'no suffix'}."
            )
        yield _File(path, path.name, period)
        return
    if annotated.is_parallel(path):
        for file in annotated.parallel_files(path):
            yield _File(file, f"{path.name}/{file.name}", period, parallel=True)
        return
    for file in _inside(path):
        yield _File(file, f"{path.name}/{file.relative_to(path).as_posix()}", period)


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


def _advance(progress: Progress | None, files: list[_File]) -> Advance:
    if progress is None:
        return lambda count: None
    total = sum(file.path.stat().st_size for file in files)
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        progress(min(done, total), total)

    return advance


def _check_numbers(context: int, max_usages: int | None, seed: int, layout: Layout | None) -> None:
    if context < 0:
        raise InputError(f"context is {context}: it must be zero or more characters.")
    if max_usages is not None and max_usages < 1:
        raise InputError(f"max_usages is {max_usages}: it must be at least 1.")
    if not isinstance(seed, int):
        raise InputError(f"seed is {seed!r}: it must be a whole number.")
    if layout is not None and layout not in get_args(Layout):
        raise InputError(f"layout={layout!r} is not one of {', '.join(get_args(Layout))}.")
