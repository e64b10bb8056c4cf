"""``senseshift relabel`` and ``senseshift calibrate``: senses that people decide on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from senseshift.cli import options as opt


def relabel_command(
    study: Annotated[Path, typer.Argument(help="A study that compare wrote.")],
    decisions: Annotated[
        Path,
        typer.Argument(
            help="A .json that the report's workbench saved, or a table with word and: sense, name "
            "(name it); sense, into (merge); id, into (move)."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write.  [default: STUDY]")
    ] = None,
    no_report: opt.NoReport = False,
) -> None:
    """Take a person's names, merges and moves of senses; all that follows is computed again."""
    from senseshift.cli.compare import finish
    from senseshift.study import Study

    relabelled = Study.load(study).relabel(decisions)
    finish(relabelled, output or study, report=not no_report)


def calibrate_command(
    usages: Annotated[Path, typer.Argument(help="Usages with senses, or a WUG folder.")],
    output: opt.Output,
    encoder: opt.EncoderOption = None,
    threads: opt.Threads = None,
    no_cache: opt.NoCache = False,
) -> None:
    """Find out what an encoder's distances mean, for --calibration; OUTPUT is a .json."""
    from senseshift.comparing.calibrating import calibrate
    from senseshift.progress import progress_bar
    from senseshift.usages import read
    from senseshift.writing import written_whole

    with progress_bar("Encoding") as progress:
        found = calibrate(
            read(usages), encoder, cache=not no_cache, threads=threads, progress=progress
        )
    with written_whole(output) as file:
        file.write((json.dumps(found.calibration.to_dict(), indent=2) + "\n").encode())
    print(f"{found}\nwritten to {output}: compare … --calibration {output}")
