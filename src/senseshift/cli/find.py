"""``senseshift find`` and ``senseshift encode``: the steps before a comparison, taken alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from senseshift.cli import options as opt
from senseshift.cli.inputs import corpora, find_usages, numbers, say_dropped, say_read


def find_command(
    output: opt.Output,
    old: opt.Old = None,
    new: opt.New = None,
    corpus: opt.Corpus = None,
    words: opt.Words = None,
    periods: opt.Periods = None,
    split_year: opt.SplitYear = None,
    language: opt.Language = None,
    by: opt.By = "lemma",
    names: opt.Names = "out",
    context: opt.Context = 0,
    max_usages: opt.MaxUsages = None,
    max_per_document: opt.MaxPerDocument = None,
    seed: opt.Seed = 0,
    skip_bad: opt.SkipBad = False,
    layout: opt.Layout = None,
    encoding: opt.Encoding = "utf-8",
    text_column: opt.TextColumn = "text",
    date_column: opt.DateColumn = "date",
    source_column: opt.SourceColumn = "source",
    compounds: opt.Compounds = False,
    match_case: opt.MatchCase = False,
) -> None:
    """Find the usages of words in raw corpora."""
    from senseshift.usages.files import format_of
    from senseshift.writing import check_place

    format_of(output)  # told before the search rather than after it
    check_place(output)
    found = find_usages(
        corpora(old, new, corpus), words, periods=periods, split_year=split_year,
        language=language or "en", by=by, names=names, context=context, max_usages=max_usages,
        max_per_document=max_per_document, seed=seed, skip_bad=skip_bad, layout=layout,
        encoding=encoding, text_column=text_column, date_column=date_column,
        source_column=source_column, compounds=compounds, fold_case=not match_case,
    )  # fmt: skip
    found.write(output)
    say_read(found)
    say_dropped(found.dropped)
    for word, reason in found.skipped.items():
        print(f"{word}: {reason}", file=sys.stderr)
    print(found)
    print(f"\n{len(found):,} usages written to {output}")


def encode_command(
    usages: Annotated[Path, typer.Argument(help="Usages, or a WUG folder.")],
    output: opt.Output,
    encoder: opt.EncoderOption = None,
    periods: opt.Periods = None,
    split_year: opt.SplitYear = None,
    skip_bad: opt.SkipBad = False,
    layers: opt.Layers = None,
    batch_size: opt.BatchSize = 32,
    threads: opt.Threads = None,
    no_cache: opt.NoCache = False,
    offline: opt.Offline = False,
    language: opt.Language = None,
) -> None:
    """Make a vector of every usage; OUTPUT is a .npy with an id table, a .npz or a .parquet."""
    from senseshift.encoders import encode, load, write_vectors
    from senseshift.encoders.encoding import found_in
    from senseshift.encoders.precomputed import check_output
    from senseshift.progress import progress_bar
    from senseshift.usages import read

    check_output(output)
    found = read(usages, periods=periods, split_year=split_year, skip_bad=skip_bad)
    source = load(
        encoder, language=language or found_in(found), batch_size=batch_size, threads=threads,
        layers=numbers(layers), offline=offline,
    )  # fmt: skip
    say_dropped(found.dropped)
    with progress_bar("Encoding") as progress:
        vectors = encode(
            found,
            source,
            batch_size=batch_size,
            cache=not no_cache,
            progress=progress,
            language=language,
        )
    write_vectors(output, vectors, found.table["id"].to_list(), found.table["word"].to_list())
    print(f"{vectors.shape[0]:,} vectors of {vectors.shape[1]} dimensions written to {output}")
