"""``senseshift report``: the pages of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report_command(
    study: Annotated[Path, typer.Argument(help="A study that compare wrote.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder to write.  [default: STUDY/report]"),
    ] = None,
    word: Annotated[
        list[str] | None, typer.Option("--word", help="Only this word; may be repeated.")
    ] = None,
    single_file: Annotated[
        bool,
        typer.Option(
            "--single-file", help="One page that holds everything; OUTPUT may be a .html."
        ),
    ] = False,
    licence: Annotated[
        str | None, typer.Option(help="Licence of the data, for the foot of the page.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Threads to use.  [default: all processors]")
    ] = None,
) -> None:
    """Write pages to explore a study with, which open in any browser without a network."""
    from senseshift.study.stored import stored

    with stored(study) as found:  # of which no more than a few words are held at a time
        write_report(
            found, output or study / "report",
            words=word, single_file=single_file, licence=licence, threads=threads,
        )  # fmt: skip


def write_report(study: object, output: Path, **options: object) -> None:
    """Write a report with a bar that tells how far it is, and name its path."""
    from senseshift.progress import progress_bar
    from senseshift.report import write

    with progress_bar("Report", unit="words") as progress:
        page = write(study, output, progress=progress, **options)  # type: ignore[arg-type]
    print(f"The report is in {page}: open it in a browser.")
