"""From corpora and a list of words to usages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from senseshift.corpus.encodings import Misfit, Undecodable, complaint, encodings_from, misfit
from senseshift.corpus.files import File, Paths, files_of
from senseshift.corpus.lines import Advance
from senseshift.corpus.matching import Matcher
from senseshift.corpus.names import NameFinder, Names
from senseshift.corpus.record import Record
from senseshift.corpus.rows import Columns
from senseshift.corpus.sampling import MAX_USAGES, Sample
from senseshift.corpus.searching import Search
from senseshift.corpus.targets import By, Words, targets_from
from senseshift.corpus.text import Layout
from senseshift.errors import InputError, shortened
from senseshift.progress import Progress
from senseshift.usages.periods import spans_from
from senseshift.usages.problems import Problems
from senseshift.usages.table import Usages


def find(
    corpora: Mapping[str, Paths] | Paths,
    words: Words,
    *,
    by: By = "lemma",
    language: str = "en",
    names: Names = "out",
    context: int = 0,
    max_usages: int | None = MAX_USAGES,
    max_per_document: int | None = None,
    seed: int = 0,
    fold_case: bool = True,
    compounds: bool = False,
    layout: Layout | None = None,
    encoding: str | Sequence[str] = "utf-8",
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
        column of texts; what has no suffix is read if it looks like text. A folder with ``token``
        and ``lemma`` in it is a corpus of SemEval-2020 Task 1; of any other folder, all texts in it
        are read, or else all CoNLL-U files, or else all tables. What is not read is told in an
        :class:`~senseshift.errors.UnreadWarning` and in ``corpora.unread`` of the result.
    words
        A list, a mapping from a name to what is looked for under it, or one string: words with
        commas between them, or a file with one a line. Several words in a row are one target
        (``hot dog``). A part of speech at the end (``attack_nn``) counts in corpora that have parts
        of speech; elsewhere it is only part of the name, and any ``attack`` is found.
    by
        ``lemma``: the word in all its forms, by the corpus's own lemmas or else by simplemma;
        ``form``: as it is written; ``regex``: regular expressions (in a file, name and expression
        may be separated by a tab), which are not kept to the borders of words.
    language
        Whose inflection and sentences: a code of simplemma such as ``en``, ``de``, ``la``.
    names
        ``out``: what is capitalised inside a sentence of raw text is a name (*Miss Rivers*) and no
        usage, unless the word is asked for with a capital or the text capitalises its nouns;
        ``in``: it is a usage like any other.
    context
        How many characters around the sentence to keep as well, words kept whole. What would be
        longer than 10,000 characters without it is cut around the target.
    max_usages, max_per_document, seed
        Keep a random sample of so many usages for each word and period, and of them no more than
        so many from one document (one ``source``); None for all.
    fold_case
        Whether ``Cell`` is ``cell``.
    compounds
        Whether parts of hyphenated words are usages: ``cell`` in ``cell-phone``.
    layout
        Of text files: ``lines`` (a line is a context), ``paragraphs`` (a line holds sentences) or
        ``running`` (lines wrap, blank ones separate paragraphs); guessed for each file by default.
        Of tables: ``lines`` takes each text as one context instead of its sentences.
    encoding
        Of all files but Parquet; with several names, each file is read in the first that fits it.
    text_column, date_column, source_column
        What the columns of tables are called; those of dates and sources may be missing. All
        others stay with the usages, under a name of their own where usages have such a column.
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
        ``dropped`` says how many duplicates there were (of a sample, in the sample) and what was
        left out, ``skipped`` which words were not found where, and ``corpora`` what was read, how
        much there is of each period and how often each word was found before any sample was drawn.
    """
    encodings = encodings_from(encoding)
    _check_numbers(context, max_usages, max_per_document, seed)
    _check_choices(layout, names)
    spans = spans_from(periods, split_year)
    targets = targets_from(words, by, fold_case)
    files, unread, order = files_of(corpora, spans)
    settings = {
        "by": by, "language": language, "names": names, "context": context,
        "max_usages": max_usages, "max_per_document": max_per_document, "seed": seed,
        "fold_case": fold_case, "compounds": compounds, "layout": layout,
        "encoding": ",".join(encodings), "text_column": text_column, "date_column": date_column,
        "source_column": source_column, "skip_bad": skip_bad,
    }  # fmt: skip
    search = Search(
        targets,
        Matcher(targets, by, language, fold_case=fold_case, compounds=compounds),
        NameFinder(language, names),
        Sample(max_usages, max_per_document, seed),
        Record(settings, order, unread),
        Problems(skip_bad),
        Columns(text_column, date_column, source_column),
        context=context,
        layout=layout,
        spans=spans,
        encodings=encodings,
    )
    advance = _advance(progress, files)
    for number, file in enumerate(files):
        try:
            search.read(file, advance)
        except Undecodable:
            raise InputError(_misfits(files[number:], number, encodings)) from None
    return search.usages(order)


def _misfits(files: list[File], done: int, encodings: Sequence[str]) -> str:
    """One sentence on all files that are in another encoding; ``done`` were read before."""
    found = [fault for file in files if (fault := _misfit(file, encodings)) is not None]
    return complaint(found, done + len(files) - len(found), encodings)


def _misfit(file: File, encodings: Sequence[str]) -> Misfit | None:
    if file.path.suffix.lower() == ".parquet":
        return None
    faults = [misfit(file.path, encoding) for encoding in encodings]
    return None if None in faults else faults[0]


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


def _check_numbers(
    context: int, max_usages: int | None, max_per_document: int | None, seed: int
) -> None:
    if context < 0:
        raise InputError(f"context is {context}: it must be zero or more characters.")
    for name, limit in (("max_usages", max_usages), ("max_per_document", max_per_document)):
        if limit is not None and limit < 1:
            raise InputError(f"{name} is {limit}: it must be at least 1, or None for all.")
    if not isinstance(seed, int):
        raise InputError(f"seed is {shortened(repr(seed))}: it must be a whole number.")
    if abs(seed) >= 2**64:
        raise InputError("seed is a number of more than 64 bits: give a smaller one.")


def _check_choices(layout: Layout | None, names: Names) -> None:
    if layout is not None and layout not in get_args(Layout):
        raise InputError(f"layout={layout!r} is not one of {', '.join(get_args(Layout))}.")
    if names not in get_args(Names):
        raise InputError(f"names={names!r} is not one of {', '.join(get_args(Names))}.")
