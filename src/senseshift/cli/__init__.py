"""The command line.  It reads arguments, calls the library and prints; it holds no logic."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from senseshift._version import __version__
from senseshift.cli.compare import compare_command, demo_command
from senseshift.cli.fetch import fetch_command
from senseshift.cli.figures import figures_command
from senseshift.cli.inputs import (
    corpora,
    find_usages,
    numbers,
    say_dropped,
)
from senseshift.cli.options import (
    BatchSize,
    By,
    Context,
    Corpus,
    EncoderOption,
    Language,
    Layers,
    MaxUsages,
    New,
    NoCache,
    Offline,
    Old,
    Output,
    Periods,
    Seed,
    SkipBad,
    SplitYear,
    Threads,
    Words,
)
from senseshift.cli.report import report_command
from senseshift.cli.reproduce import reproduce_command
from senseshift.cli.senses import calibrate_command, relabel_command
from senseshift.cli.show import show_command
from senseshift.cli.sus import measures_command, sus_command
from senseshift.errors import SenseshiftError


class InOrder(TyperGroup):
    """Lists the commands in the order in which a study uses them."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group of commands."""
        width = max(len(name) for commands in COMMANDS.values() for name in commands)
        for title, commands in COMMANDS.items():
            with formatter.section(title):
                rows = [
                    (name.ljust(width), self.commands[name].get_short_help_str(limit=90))
                    for name in commands
                ]
                formatter.write_dl(rows)


app = typer.Typer(
    cls=InOrder,
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
    context: Context = 0,
    max_usages: MaxUsages = None,
    seed: Seed = 0,
    skip_bad: SkipBad = False,
    layout: Annotated[
        str | None, typer.Option(help="Of text files: lines, paragraphs or running; else guessed.")
    ] = None,
    text_column: Annotated[str, typer.Option(help="Of tables.")] = "text",
    date_column: Annotated[str, typer.Option(help="Of tables.")] = "date",
    compounds: Annotated[
        bool, typer.Option("--compounds", help="Find words inside hyphenated ones.")
    ] = False,
    match_case: Annotated[bool, typer.Option("--match-case", help="Cell is not cell.")] = False,
) -> None:
    """Find the usages of words in raw corpora."""
    found = find_usages(
        corpora(old, new, corpus), words, periods=periods, split_year=split_year,
        language=language, by=by, context=context, max_usages=max_usages, seed=seed,
        skip_bad=skip_bad, layout=layout, text_column=text_column, date_column=date_column,
        compounds=compounds, fold_case=not match_case,
    )  # fmt: skip
    found.write(output)
    say_dropped(found.dropped)
    for word, reason in found.skipped.items():
        print(f"{word}: {reason}", file=sys.stderr)
    print(found)
    print(f"\n{len(found):,} usages written to {output}")


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


def cache_command(
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete all vectors kept on disk.")
    ] = False,
) -> None:
    """Show what vectors are kept on disk, or delete them."""
    from senseshift.encoders import Cache

    cache = Cache()
    print(f"removed {cache.clear()}" if clear else cache.describe())


COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    "A study": {
        "compare": compare_command,
        "show": show_command,
        "report": report_command,
        "figures": figures_command,
        "relabel": relabel_command,
    },
    "Its steps alone": {
        "find": find_command,
        "encode": encode_command,
        "sus": sus_command,
        "measures": measures_command,
    },
    "Data and the paper": {
        "demo": demo_command,
        "fetch": fetch_command,
        "reproduce": reproduce_command,
        "calibrate": calibrate_command,
        "cache": cache_command,
    },
}
for commands in COMMANDS.values():
    for name, function in commands.items():
        app.command(name)(function)


def run() -> None:
    """Run the command line; a wrong input is one sentence and exit code 2."""
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    try:
        app()
    except SenseshiftError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except SystemExit as stop:  # which is what typer makes of a Ctrl-C, without a word
        if isinstance(getattr(stop.__context__, "__cause__", None), KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise
