"""The command line.  It reads arguments, calls the library and prints; it holds no logic."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from senseshift._version import __version__
from senseshift.cli.fetch import fetch_command
from senseshift.cli.figures import figures_command
from senseshift.cli.inputs import (
    corpora,
    find_usages,
    listed,
    names_of,
    numbers,
    say_dropped,
)
from senseshift.cli.options import (
    BatchSize,
    By,
    Compounds,
    Context,
    Corpus,
    DateColumn,
    EncoderOption,
    Encoding,
    Lam,
    Language,
    Layers,
    Layout,
    MatchCase,
    MaxPerDocument,
    MaxUsages,
    Names,
    New,
    NoCache,
    Offline,
    Old,
    Output,
    Periods,
    Rho,
    Seed,
    SkipBad,
    SourceColumn,
    SplitYear,
    TextColumn,
    Threads,
    Weights,
    Words,
)
from senseshift.cli.report import report_command, write_report
from senseshift.cli.reproduce import reproduce_command
from senseshift.errors import InputError, SenseshiftError

app = typer.Typer(
    help="How a word's meaning shifted between two bodies of text, down to the single usage.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"senseshift {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Take what all commands have in common."""


@app.command("compare")
def compare_command(
    usages: Annotated[
        Path | None,
        typer.Argument(help="Usages (.parquet, .csv, .tsv, .jsonl) or a WUG folder."),
    ] = None,
    output: Output = Path("study"),
    encoder: EncoderOption = "bundled",
    old: Old = None,
    new: New = None,
    corpus: Corpus = None,
    words: Words = None,
    measures: Annotated[
        str, typer.Option(help="Word measures: names with commas, or all.")
    ] = "all",
    rho: Rho = None,
    lam: Lam = None,
    weights: Weights = "uniform",
    damping: Annotated[float, typer.Option(help="Of WiDiD's affinity propagation.")] = 0.9,
    deals: Annotated[
        int, typer.Option(help="Random deals of the usages for every word's p_value, such as 1000.")
    ] = 0,
    periods: Periods = None,
    split_year: SplitYear = None,
    skip_bad: SkipBad = False,
    language: Language = "en",
    by: By = "lemma",
    context: Context = 0,
    max_usages: MaxUsages = None,
    seed: Seed = 0,
    layers: Layers = None,
    batch_size: BatchSize = 32,
    threads: Threads = None,
    no_cache: NoCache = False,
    offline: Offline = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Complete the unfinished study in --output.")
    ] = False,
    no_report: Annotated[
        bool, typer.Option("--no-report", help="Do not write the pages to explore it with.")
    ] = False,
) -> None:
    """Measure every word's shift: from usages, or from corpora with --old, --new and --words."""
    from rich.console import Console

    from senseshift.progress import progress_bars
    from senseshift.study import Interrupted, Study, compare
    from senseshift.usages import read

    earlier = Study.load(output) if resume else None
    if output.exists() and not resume and not (output / "study.json").is_file():
        raise InputError(f"{output} exists and is not a study: give another name with -o.")
    if usages is not None and (old or new or corpus):
        raise InputError("Give a file of usages, or corpora with --old and --new, but not both.")
    if usages is not None:
        found = read(usages, periods=periods, split_year=split_year, skip_bad=skip_bad)
    else:
        found = find_usages(
            corpora(old, new, corpus), words, periods=periods, split_year=split_year,
            language=language, by=by, context=context, max_usages=max_usages, seed=seed,
            skip_bad=skip_bad,
        )  # fmt: skip
    say_dropped(found.dropped)
    console = Console()
    try:
        bars = {"Encoding": "usages", "Measuring": "words"}
        with progress_bars(bars) as (encoding, progress):
            study = compare(
                found, encoder,
                words=names_of(words) if usages is not None and words else None,
                measures=None if measures == "all" else listed(measures),
                rho=rho, lam=lam, weights=weights, damping=damping, deals=deals,
                layers=numbers(layers), batch_size=batch_size, threads=threads,
                cache=not no_cache, offline=offline, resume=earlier,
                encoding=encoding, progress=progress,
            )  # fmt: skip
    except Interrupted as interrupted:
        # an earlier study of that name is not given up for a part of a new one
        part = output if resume or not output.exists() else output.with_name(f"{output.name}-part")
        interrupted.study.save(part)
        done = interrupted.study.ranked.height
        print(
            f"interrupted: {done} words are in {part}; "
            f"the same command with -o {part} --resume measures the others",
            file=sys.stderr,
        )
        raise SystemExit(130) from None
    study.save(output)
    console.print(study)
    console.print(
        f"\nThe study is in {output}; see a word with: senseshift show {output} --word WORD"
    )
    if not no_report:
        write_report(study, output / "report", threads=threads)


@app.command("find")
def find_command(
    output: Output,
    old: Old = None,
    new: New = None,
    corpus: Corpus = None,
    words: Words = None,
    periods: Periods = None,
    split_year: SplitYear = None,
    language: Language = "en",
    by: By = "lemma",
    names: Names = "out",
    context: Context = 0,
    max_usages: MaxUsages = None,
    max_per_document: MaxPerDocument = None,
    seed: Seed = 0,
    skip_bad: SkipBad = False,
    layout: Layout = None,
    encoding: Encoding = "utf-8",
    text_column: TextColumn = "text",
    date_column: DateColumn = "date",
    source_column: SourceColumn = "source",
    compounds: Compounds = False,
    match_case: MatchCase = False,
) -> None:
    """Find the usages of words in raw corpora."""
    from senseshift.usages.files import format_of

    format_of(output)  # told before the search rather than after it
    found = find_usages(
        corpora(old, new, corpus), words, periods=periods, split_year=split_year,
        language=language, by=by, names=names, context=context, max_usages=max_usages,
        max_per_document=max_per_document, seed=seed, skip_bad=skip_bad, layout=layout,
        encoding=encoding, text_column=text_column, date_column=date_column,
        source_column=source_column, compounds=compounds, fold_case=not match_case,
    )  # fmt: skip
    found.write(output)
    print(found.corpora, file=sys.stderr)
    say_dropped(found.dropped)
    for word, reason in found.skipped.items():
        print(f"{word}: {reason}", file=sys.stderr)
    print(found)
    print(f"\n{len(found):,} usages written to {output}")


@app.command("encode")
def encode_command(
    usages: Annotated[Path, typer.Argument(help="Usages, or a WUG folder.")],
    output: Output,
    encoder: EncoderOption = "bundled",
    periods: Periods = None,
    split_year: SplitYear = None,
    skip_bad: SkipBad = False,
    layers: Layers = None,
    batch_size: BatchSize = 32,
    threads: Threads = None,
    no_cache: NoCache = False,
    offline: Offline = False,
) -> None:
    """Make a vector of every usage; OUTPUT is a .npy with an id table, a .npz or a .parquet."""
    from senseshift.encoders import encode, write_vectors
    from senseshift.progress import progress_bar
    from senseshift.usages import read

    found = read(usages, periods=periods, split_year=split_year, skip_bad=skip_bad)
    say_dropped(found.dropped)
    with progress_bar("Encoding") as progress:
        vectors = encode(
            found, encoder, layers=numbers(layers), batch_size=batch_size, threads=threads,
            cache=not no_cache, offline=offline, progress=progress,
        )  # fmt: skip
    write_vectors(output, vectors, found.table["id"].to_list(), found.table["word"].to_list())
    print(f"{vectors.shape[0]:,} vectors of {vectors.shape[1]} dimensions written to {output}")


@app.command("show")
def show_command(
    study: Annotated[Path, typer.Argument(help="A study that compare wrote.")],
    word: Annotated[str | None, typer.Option(help="Show this word's usages.")] = None,
    top: Annotated[int, typer.Option(min=1, help="How many usages at either end.")] = 5,
    export: Annotated[
        Path | None, typer.Option(help="Write the table as .csv, .tsv, .parquet or .tex.")
    ] = None,
    table: Annotated[str, typer.Option(help="Which one: words or instances.")] = "words",
) -> None:
    """Print a study, or the usages of one of its words that rose and fell most."""
    from rich.console import Console

    from senseshift.study import Study, layout

    loaded = Study.load(study)
    console = Console()
    if export:
        loaded.export(export, table)
        console.print(f"{table} written to {export}")
    else:
        console.print(layout.examples_table(loaded, word, top) if word else loaded)


app.command("report")(report_command)
app.command("reproduce")(reproduce_command)
app.command("figures")(figures_command)
app.command("fetch")(fetch_command)


@app.command("sus")
def sus_command(
    old: Annotated[Path, typer.Argument(help="Vectors of the old usages: .npy, .csv or .tsv.")],
    new: Annotated[Path, typer.Argument(help="Vectors of the new usages.")],
    rho: Rho = None,
    lam: Lam = None,
    weights: Weights = "uniform",
    measures: Annotated[
        str, typer.Option(help="Word measures to print: names with commas, or all.")
    ] = "f_SUS,g_SUS,f_APD,f_OT",
    top: Annotated[int, typer.Option(min=0, help="How many usages to show at either end.")] = 5,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write every usage's SUS to this CSV.")
    ] = None,
) -> None:
    """Score every usage of one word from two files of vectors."""
    from senseshift.measures import Comparison, measure
    from senseshift.shift import Shift
    from senseshift.tables import print_measures, print_shift, write_scores
    from senseshift.vectors import read_matrix

    word = Comparison(read_matrix(old), read_matrix(new), rho=rho, lam=lam, weights=weights)  # type: ignore[arg-type]
    values = measure(word, None if measures == "all" else listed(measures))
    shift = Shift(*word.sus, word.transport)
    print_shift(shift, top)
    print_measures({"": values})
    if output:
        write_scores(output, word)
        print(f"{shift.old.size + shift.new.size} usages written to {output}")


@app.command("measures")
def measures_command() -> None:
    """List all measures: name, symbol, kind, level, what they need and say."""
    from senseshift.tables import print_registry

    print_registry()


@app.command("cache")
def cache_command(
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete all vectors kept on disk.")
    ] = False,
) -> None:
    """Show what vectors are kept on disk, or delete them."""
    from senseshift.encoders import Cache

    cache = Cache()
    print(f"removed {cache.clear()}" if clear else cache.describe())


@app.command("demo")
def demo_command(output: Output = Path("senseshift-demo")) -> None:
    """Compare the sample that comes with senseshift, offline, and write its report."""
    from rich.console import Console

    from senseshift.demo import LICENCE, sample
    from senseshift.progress import progress_bars
    from senseshift.study import compare

    print("Fourteen words, in usages written for this demonstration.\n")
    with progress_bars({"Encoding": "usages", "Measuring": "words"}) as (encoding, progress):
        study = compare(sample(), deals=1000, encoding=encoding, progress=progress)
    study.save(output)
    Console().print(study)
    write_report(study, output / "report", licence=LICENCE)


def main() -> None:
    """Run the command line; a wrong input is one sentence and exit code 2."""
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    try:
        app()
    except SenseshiftError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except SystemExit as stop:  # which is what typer makes of a Ctrl-C, without a word
        if isinstance(getattr(stop.__context__, "__cause__", None), KeyboardInterrupt):
            print("interrupted", file=sys.stderr)
        raise
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
