"""``senseshift reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from senseshift.cli.inputs import listed, names_of, numbers, say_dropped
from senseshift.cli.options import (
    BatchSize,
    EncoderOption,
    Language,
    Layers,
    NoCache,
    Offline,
    Periods,
    SkipBad,
    Threads,
)
from senseshift.errors import InputError


def reproduce_command(
    wug_folder: Annotated[Path, typer.Argument(help="Word usage graphs, such as dwug_en.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for tables, figures, gold and study.")
    ] = Path("reproduction"),
    encoder: EncoderOption = None,
    vectors: Annotated[
        Path | None, typer.Option(help="Instead of --encoder: a file of vectors.")
    ] = None,
    compat: Annotated[
        bool, typer.Option("--compat", help="Compute as the published scripts do.")
    ] = False,
    words: Annotated[
        str | None,
        typer.Option("--words", help="Whose usages to show and draw.  [default: the paper's]"),
    ] = None,
    figures: Annotated[
        str, typer.Option(help="Their formats, with commas: pdf, svg, png; or none.")
    ] = "pdf,png",
    splits: Annotated[int, typer.Option(min=1, help="How often to split the words.")] = 100,
    reference: Annotated[
        str | None,
        typer.Option(
            help="Published numbers beside ours: dwug_en, dwug_es, none.  [default: by folder]"
        ),
    ] = None,
    periods: Periods = None,
    clusters: Annotated[str, typer.Option(help="The clustering that gives gold senses.")] = "opt",
    skip_bad: SkipBad = False,
    language: Language = None,
    layers: Layers = None,
    batch_size: BatchSize = 32,
    threads: Threads = None,
    no_cache: NoCache = False,
    offline: Offline = False,
) -> None:
    """Run the paper's experiments on a data set: all its tables and figures, with any encoder.

    For the paper's second data set (its Tables 13 and 14) run it on that folder, dwug_es.
    """
    from rich.console import Console

    from senseshift.evaluation import check_place, reproduce
    from senseshift.figures import check_formats
    from senseshift.progress import progress_bars

    if vectors is not None and encoder is not None:
        raise InputError("Give an encoder or a file of vectors, but not both.")
    formats = [] if figures == "none" else check_formats(listed(figures))
    check_place(output)
    bars = {
        "Encoding": "usages", "Measuring": "words", "Scoring": "words", "Tuning": "methods",
        "Drawing": "figures",
    }  # fmt: skip
    with progress_bars(bars) as (encoding, measuring, scoring, tuning, drawing):
        result = reproduce(
            wug_folder, vectors or encoder, compat=compat,
            words=names_of(words) if words else None, splits=splits, reference=reference,
            periods=periods, clusters=clusters, skip_bad=skip_bad, threads=threads,
            layers=numbers(layers), batch_size=batch_size, cache=not no_cache, offline=offline,
            language=language,
            encoding=encoding, measuring=measuring, scoring=scoring, tuning=tuning,
        )  # fmt: skip
        left_out = result.write(output, figures=formats, drawing=drawing)
    say_dropped(result.study.about["dropped"])
    console = Console()
    console.print(result)
    for note in left_out:
        console.print(f"Not drawn: {note}", style="dim", highlight=False, markup=False)
    parts = ["tables.json", *sorted(f"{path.name}/" for path in output.iterdir() if path.is_dir())]
    console.print(f"Everything is in {output}: {', '.join(parts)}", highlight=False, markup=False)
