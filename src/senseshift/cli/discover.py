"""``senseshift discover``: from two corpora to the words that changed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from senseshift.cli import options as opt
from senseshift.cli.inputs import corpora
from senseshift.cli.report import write_report

if TYPE_CHECKING:
    from senseshift.study import Study

SHOWN = 50  # words that are printed


def discover_command(
    output: opt.Output = Path("study"),
    old: opt.Old = None,
    new: opt.New = None,
    corpus: opt.Corpus = None,
    encoder: opt.EncoderOption = None,
    periods: opt.Periods = None,
    split_year: opt.SplitYear = None,
    language: opt.Language = None,
    names: opt.Names = "out",
    usages: Annotated[
        int, typer.Option(min=2, help="Of a word and period, drawn at random.")
    ] = 100,
    per_document: Annotated[
        int, typer.Option(min=1, help="Of these, no more than so many from a document.")
    ] = 4,
    min_count: Annotated[
        int, typer.Option(min=2, help="Usages that a candidate has in each period.")
    ] = 20,
    min_documents: Annotated[
        int, typer.Option(min=1, help="Documents that it is in, in each period.")
    ] = 5,
    commonest: Annotated[
        int, typer.Option(min=0, help="So many of the commonest words are left out.")
    ] = 100,
    pos: Annotated[
        str | None, typer.Option(help="Parts of speech, where the corpora have them: NOUN,VERB.")
    ] = None,
    match: Annotated[
        str | None, typer.Option(help="Only words that match this regular expression.")
    ] = None,
    exclude: Annotated[str | None, typer.Option(help="No words that match this one.")] = None,
    top: Annotated[int, typer.Option(min=1, help="Words that get a full look, at least.")] = 100,
    permutations: opt.Permutations = 200,
    calibration: opt.CalibrationFile = None,
    seed: opt.Seed = 0,
    skip_bad: opt.SkipBad = False,
    layout: opt.Layout = None,
    encoding: opt.Encoding = "utf-8",
    text_column: opt.TextColumn = "text",
    date_column: opt.DateColumn = "date",
    source_column: opt.SourceColumn = "source",
    batch_size: opt.BatchSize = 32,
    offline: opt.Offline = False,
    threads: opt.Threads = None,
    workers: opt.Workers = None,
    scheduler: opt.Scheduler = None,
    work: Annotated[
        str | None,
        typer.Option(help="Where workers meet: a path or s3://….  [default: OUTPUT/units]"),
    ] = None,
    json_log: Annotated[
        Path | None, typer.Option(help="A file that gets a line of JSON for each unit done.")
    ] = None,
    no_report: opt.NoReport = False,
) -> None:
    """Find the words that changed, of all that two corpora have; the same command goes on."""
    from senseshift.calibration import read_calibration
    from senseshift.discovering import discover

    where = shlex.quote(str(output))
    chosen: dict[str, Any] = {"names": names, "layout": layout}
    with _told(where) as progress:
        study = discover(
            corpora(old, new, corpus), output, encoder=encoder, language=language or "en", **chosen,
            periods=periods, split_year=split_year, encoding=encoding,
            text_column=text_column, date_column=date_column, source_column=source_column,
            skip_bad=skip_bad, usages=usages, per_document=per_document, min_count=min_count,
            min_documents=min_documents, commonest=commonest, pos=pos, match=match,
            exclude=exclude, top=top, permutations=permutations, seed=seed,
            calibration=None if calibration is None else read_calibration(calibration),
            batch_size=batch_size, offline=offline, workers=workers, scheduler=scheduler,
            threads=threads, work=work, json_log=json_log, progress=progress,
            made_by={"command": shlex.join(["senseshift", *sys.argv[1:]])},
        )  # fmt: skip
    _print(study)
    print(f"\nThe study is in {where}; see a word with: senseshift show {where} --word WORD")
    if not no_report and study.ranked.height:
        from senseshift.study.stored import stored

        shown = study.ranked["word"].head(max(top, SHOWN)).to_list()
        del study
        with stored(output) as kept:
            write_report(kept, output / "report", words=shown, threads=threads)


def _print(study: Study) -> None:
    """What was found, and what was left out."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from senseshift.discovering.telling import found, summary
    from senseshift.formats import number

    table = Table(box=None, pad_edge=False)
    heads = ("word", "counts", "verdict", "change", "p", "q")
    for k, head in enumerate(heads):
        table.add_column(head, justify="left" if k == 0 else "right", no_wrap=True)
    for row in found(study).head(SHOWN).iter_rows(named=True):
        counts = f"{row['count_old']:,}+{row['count_new']:,}"
        table.add_row(
            Text(row["word"]), counts, row["verdict"] or "",
            *(number(row[name]) for name in ("change", "p", "q")),
        )  # fmt: skip
    console = Console()
    console.print(table)
    for line in summary(study):
        print(line)


@contextmanager
def _told(where: str) -> Iterator[Any]:
    """Bars that tell how far it is; an interrupt is told with how to go on."""
    from senseshift.comparing import Interrupted
    from senseshift.discovering.journal import STAGES
    from senseshift.progress import progress_bars

    begun = False

    def tell(stage: str, done: int, total: int) -> None:
        nonlocal begun
        if not begun:  # so that nothing is promised where nothing could begin
            begun = True
            print(f"What is done is kept in {where}.", file=sys.stderr)
        by_stage[stage](done, total)

    try:
        with progress_bars(dict.fromkeys(STAGES.values(), "units")) as bars:
            by_stage = dict(zip(STAGES.values(), bars, strict=True))
            yield tell
    except KeyboardInterrupt as stopped:
        part = (
            f"{stopped.study.ranked.height:,} words in full and the first figures of all others "
            f"are a study in {where}"
            if isinstance(stopped, Interrupted)
            else f"what was done is kept in {where}"
        )
        print(f"interrupted: {part}; the same command goes on with it", file=sys.stderr)
        raise SystemExit(130) from None
