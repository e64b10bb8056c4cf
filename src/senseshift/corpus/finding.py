"""``find``: from corpora and a list of words to usages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from senseshift.corpus.blocks import Block
from senseshift.corpus.contexts import contexts, neighbours, splitter
from senseshift.corpus.files import File, Paths, blocks_of, files_of
from senseshift.corpus.matching import Match, Matcher
from senseshift.corpus.rows import Columns
from senseshift.corpus.sampling import Sample
from senseshift.corpus.targets import By, Target, Words, targets_from
from senseshift.corpus.text import Advance, Layout
from senseshift.errors import InputError
from senseshift.progress import Progress
from senseshift.usages.check import Origin, check
from senseshift.usages.periods import spans_from, year_in
from senseshift.usages.problems import Problems
from senseshift.usages.table import Usages


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
        How many characters around the sentence to keep as well, words kept whole. What would be
        longer than 10,000 characters without it is cut around the target.
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
    files, order = files_of(corpora, spans)
    matcher = Matcher(targets, by, language, fold_case=fold_case, compounds=compounds)
    split, sample = splitter(language), Sample(max_usages, seed)
    advance = _advance(progress, files)
    columns = Columns(text_column, date_column, source_column)
    outside = 0
    for file in files:
        hits = _hits(blocks_of(file, columns, layout, problems, advance), matcher, context)
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
                        f"{file.name}:{block.line}:{block.offset + match.start}",
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


def _year(block: Block, file: File, problems: Problems) -> int | None:
    year = year_in(block.date or "")
    if year is None:
        problems.broken(
            f"{file.path}, line {block.line}, column date",
            f"expected a year such as 1815 or 1815-03-02, found {block.date or 'nothing'!r}",
        )
    return year


def _advance(progress: Progress | None, files: list[File]) -> Advance:
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
