"""``senseshift compare`` and ``senseshift demo``: from usages or corpora to a study."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from senseshift.cli import options as opt
from senseshift.cli.inputs import (
    corpora,
    find_controls,
    find_usages,
    listed,
    names_of,
    numbers,
    say_dropped,
    say_read,
)
from senseshift.cli.report import write_report
from senseshift.errors import InputError

if TYPE_CHECKING:
    from senseshift.study import Study
    from senseshift.usages import Usages

MANY = 20_000  # usages that take minutes to encode


def compare_command(
    usages: Annotated[
        Path | None,
        typer.Argument(help="Usages (.parquet, .csv, .tsv, .jsonl) or a WUG folder."),
    ] = None,
    output: opt.Output = Path("study"),
    encoder: opt.EncoderOption = None,
    old: opt.Old = None,
    new: opt.New = None,
    corpus: opt.Corpus = None,
    words: opt.Words = None,
    measures: Annotated[
        str, typer.Option(help="Word measures: names with commas, or all.")
    ] = "default",
    rho: opt.Rho = None,
    lam: opt.Lam = None,
    weights: opt.Weights = "uniform",
    damping: Annotated[float, typer.Option(help="Of WiDiD's affinity propagation.")] = 0.9,
    cost: opt.Cost = None,
    senses: opt.Senses = "induced",
    calibration: opt.CalibrationFile = None,
    permutations: opt.Permutations = 200,
    all_permutations: opt.AllPermutations = False,
    controls: opt.Controls = None,
    periods: opt.Periods = None,
    split_year: opt.SplitYear = None,
    skip_bad: opt.SkipBad = False,
    language: opt.Language = None,
    by: opt.By = "lemma",
    names: opt.Names = "out",
    context: opt.Context = 0,
    max_usages: opt.MaxUsages = None,
    max_per_document: opt.MaxPerDocument = None,
    seed: opt.Seed = 0,
    layout: opt.Layout = None,
    encoding: opt.Encoding = "utf-8",
    text_column: opt.TextColumn = "text",
    date_column: opt.DateColumn = "date",
    source_column: opt.SourceColumn = "source",
    compounds: opt.Compounds = False,
    match_case: opt.MatchCase = False,
    layers: opt.Layers = None,
    batch_size: opt.BatchSize = 32,
    threads: opt.Threads = None,
    workers: opt.Workers = None,
    scheduler: opt.Scheduler = None,
    no_cache: opt.NoCache = False,
    offline: opt.Offline = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Complete the unfinished study in --output.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over the study that is in --output.")
    ] = False,
    no_report: opt.NoReport = False,
) -> None:
    """Measure every word's shift: from usages, or from corpora with --old, --new and --words."""
    from senseshift.calibration import read_calibration
    from senseshift.comparing import compare
    from senseshift.comparing.settings import Settings
    from senseshift.encoders import load
    from senseshift.encoders.encoding import found_in
    from senseshift.study import Study
    from senseshift.usages import read

    if usages is not None and (old or new or corpus):
        raise InputError("Give a file of usages, or corpora with --old and --new, but not both.")
    _check_output(output, resume, replace)
    how: dict[str, Any] = {
        "measures": None if measures == "default" else _measures(measures),
        "rho": rho, "lam": lam, "weights": weights, "damping": damping,
        "permutations": permutations, "early": not all_permutations, "seed": seed,
        "cost": cost, "senses": senses,
    }  # fmt: skip
    Settings.checked(**how)  # all that can be wrong is said before hours of work
    found = None
    if usages is not None:
        if controls is not None:
            raise InputError("--controls draws words from corpora: give --old and --new.")
        found = read(usages, periods=periods, split_year=split_year, skip_bad=skip_bad)
        language = language or found_in(found)
    source = load(
        encoder, language=language, batch_size=batch_size, threads=threads, layers=numbers(layers),
        offline=offline,
    )  # fmt: skip
    curve = None if calibration is None else read_calibration(calibration)
    earlier = Study.load(output) if resume else None
    references = None
    if found is None:
        places = corpora(old, new, corpus)
        search: dict[str, Any] = {
            "periods": periods, "split_year": split_year, "language": language or "en", "by": by,
            "names": names, "context": context, "max_usages": max_usages,
            "max_per_document": max_per_document, "seed": seed, "skip_bad": skip_bad,
            "layout": layout, "encoding": encoding, "text_column": text_column,
            "date_column": date_column, "source_column": source_column, "compounds": compounds,
            "fold_case": not match_case,
        }  # fmt: skip
        found = find_usages(places, words, **search)
        if controls is not None:
            references = find_controls(controls, places, found, **search)
        say_read(found)
    say_dropped(found.dropped)
    say_how_much(found, references)
    command = shlex.join(["senseshift", *sys.argv[1:]])
    with _kept(output, resume) as (checkpoint, encoded, measured):
        study = compare(
            found, source,
            words=names_of(words) if usages is not None and words else None,
            batch_size=batch_size, threads=threads, workers=workers, scheduler=scheduler,
            cache=not no_cache, offline=offline,
            language=language, resume=earlier, checkpoint=checkpoint, encoding=encoded,
            progress=measured, controls=references, calibration=curve,
            made_by={"command": command}, **how,
        )  # fmt: skip
    finish(study, output, report=not no_report, threads=threads)


def demo_command(
    output: opt.Output = Path("senseshift-demo"),
    language: Annotated[
        str, typer.Option(help="Of the sample: en, or de where senseshift-xx is installed.")
    ] = "en",
    encoder: opt.EncoderOption = None,
) -> None:
    """Compare the sample that comes with senseshift, offline, and write its report."""
    from senseshift.comparing import compare
    from senseshift.demo import LICENCE, sample
    from senseshift.encoders import load

    usages, source = sample(language), load(encoder, language=language)
    print(f"{len(usages.words)} words, in usages written for this demonstration.\n")
    command = shlex.join(["senseshift", *sys.argv[1:]])
    with _kept(output, resume=False) as (checkpoint, encoding, progress):
        study = compare(
            usages, source, language=language, permutations=1000,
            made_by={"licence": LICENCE, "command": command},
            checkpoint=checkpoint, encoding=encoding, progress=progress,
        )  # fmt: skip
    finish(study, output)


def finish(study: Study, output: Path, *, report: bool = True, threads: int | None = None) -> None:
    """Save a study, print it, and write its report."""
    from rich.console import Console

    study.save(output)
    console = Console()
    console.print(study)
    where = shlex.quote(str(output))
    print(f"\nThe study is in {where}; see a word with: senseshift show {where} --word WORD")
    if report:
        write_report(study, output / "report", threads=threads)


def _measures(names: str) -> list[str]:
    from senseshift.measures import WORD

    return [m.name for m in WORD] if names == "all" else listed(names)


def say_how_much(found: Usages, references: Usages | None) -> None:
    """How much there is to encode, before it begins; the bar then says how long it takes."""
    count = len(found) + (0 if references is None else len(references))
    if count > MANY:
        print(
            f"{count:,} usages are to be encoded, some hundred a second on a processor or two; "
            "--max-usages takes fewer a word and period, and what is done is kept.",
            file=sys.stderr,
        )


def _check_output(output: Path, resume: bool, replace: bool) -> None:
    """Nothing that somebody may want to keep is written over unasked."""
    from senseshift.study.files import is_study

    if resume and replace:
        raise InputError("Give --resume or --replace, but not both.")
    if resume or not output.exists():
        return
    if not is_study(output):
        if output.is_dir() and not any(output.iterdir()):
            return
        raise InputError(f"{output} exists and is not a study: give another name with -o.")
    if not replace:
        raise InputError(
            f"The study {output} exists: --replace writes a new one in its place, "
            "--resume completes it, -o gives another name."
        )


@contextmanager
def _kept(output: Path, resume: bool) -> Iterator[Any]:
    """Bars that tell how far it is, and a place for what is done when it is interrupted."""
    from senseshift.comparing import Interrupted
    from senseshift.progress import progress_bars

    # an earlier study of that name is not given up for a part of a new one
    part = output if resume or not output.exists() else output.with_name(f"{output.name}-part")
    try:
        with progress_bars({"Encoding": "usages", "Measuring": "words"}) as (encoding, progress):
            yield (lambda study: study.save(part)), encoding, progress
    except Interrupted as interrupted:
        interrupted.study.save(part)
        done = interrupted.study.ranked.height
        print(
            f"interrupted: {done} words are in {part}; "
            f"the same command with -o {part} --resume measures the others",
            file=sys.stderr,
        )
        raise SystemExit(130) from None
