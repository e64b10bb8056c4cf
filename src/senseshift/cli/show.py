"""``senseshift show``: a study in the terminal, or one of its tables as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from senseshift.errors import InputError


def show_command(
    study: Annotated[Path, typer.Argument(help="A study that compare wrote.")],
    word: Annotated[str | None, typer.Option(help="Show this word's usages.")] = None,
    top: Annotated[int, typer.Option(min=1, help="How many usages at either end.")] = 5,
    periods: Annotated[
        str | None, typer.Option(help="OLD,NEW, where the study compares several pairs.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All words, not only the first 50.")] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write the table as .csv, .tsv, .parquet or .tex.")
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            help="Which one: words, instances, senses, sense_changes, …  "
            "[default: words, or instances of --word]"
        ),
    ] = None,
) -> None:
    """Print a study, or the usages of one of its words that rose and fell most."""
    from rich.console import Console
    from rich.text import Text

    from senseshift.cli.inputs import listed
    from senseshift.study import Study, printing
    from senseshift.study.exporting import check_export

    if export:
        check_export(export)
    loaded = Study.load(study)
    console = Console()
    if export:
        name = table or ("instances" if word else "words")
        loaded.export(export, name, word)
        print(f"{name} written to {export}")
    elif table:
        raise InputError("--table says what to --export: name a file for it.")
    elif word:
        alone = word in loaded.skipped and not (loaded.instances["word"] == word).any()
        compared = [] if alone else loaded.pairs_of(word)
        asked = [listed(periods)] if periods else [list(pair) for pair in compared]
        pairs: list[list[str] | None] = [*asked] or [None]  # a word of one period is told of too
        for pair in pairs:
            console.print(Text("\n".join(loaded.statement(word, periods=pair))), soft_wrap=True)
            if pair and tuple(pair) in compared:
                console.print(printing.examples_table(loaded, word, top, pair))
    elif every:
        console.print(printing.words_table(loaded, console.width, None))
    else:
        console.print(loaded)
