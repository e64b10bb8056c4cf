"""``senseshift figures``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from senseshift.cli.inputs import listed

Words = Annotated[
    list[str] | None,
    typer.Option(
        "--word",
        "-w",
        help="A word, or several with commas; may be repeated.  [default: the most changed]",
    ),
]


def figures_command(
    study: Annotated[Path, typer.Argument(help="A study that compare wrote.")],
    word: Words = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="A folder.")] = Path("figures"),
    formats: Annotated[
        str, typer.Option("--format", help="pdf, svg, png, or several with commas.")
    ] = "pdf",
    kinds: Annotated[
        str, typer.Option("--kind", help="map, plans, histogram, gold, method, maps, path, or all.")
    ] = "all",
    periods: Annotated[
        str | None, typer.Option(help="OLD,NEW, where the study compares several pairs.")
    ] = None,
) -> None:
    """Draw words of a study for a paper: maps, transport plans, histograms, gold senses."""
    from senseshift.figures import draw
    from senseshift.progress import progress_bar
    from senseshift.study import Study

    loaded = Study.load(study)
    with progress_bar("Drawing", unit="figures") as progress:
        drawn = draw(
            loaded,
            [name for part in word for name in listed(part)] if word else None,
            output,
            formats=listed(formats),
            kinds=None if kinds == "all" else listed(kinds),
            periods=listed(periods) if periods else None,
            progress=progress,
        )
    for note in drawn.left_out:
        print(f"left out: {note}", file=sys.stderr)
    for file in drawn.files:
        print(file)
