"""``discover``: two corpora in, a study of the words that changed out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from senseshift.calibration import Calibration
from senseshift.comparing import Interrupted
from senseshift.comparing.settings import Settings
from senseshift.corpus.encodings import encodings_from
from senseshift.corpus.files import Paths, files_of
from senseshift.corpus.names import Names
from senseshift.corpus.rows import Columns
from senseshift.corpus.text import Layout
from senseshift.discovering import candidates
from senseshift.discovering.assembling import VOCABULARY, assembled, save
from senseshift.discovering.encoding import Encoding
from senseshift.discovering.journal import Journal, Telling
from senseshift.discovering.reading import Reading
from senseshift.discovering.running import Run
from senseshift.discovering.sampling import Sampling
from senseshift.encoders.language import preferred
from senseshift.encoders.resolve import EncoderLike
from senseshift.errors import InputError
from senseshift.executors import executor
from senseshift.measures import WORD
from senseshift.storage import Folder
from senseshift.study import Study
from senseshift.usages.periods import spans_from

PERMUTATIONS = 200
UNITS = "units"
MOST_USAGES = 10_000  # a side: more do not fit into memory


def discover(
    corpora: Mapping[str, Paths] | Paths,
    output: str | Path,
    *,
    encoder: EncoderLike | None = None,
    language: str = "en",
    names: Names = "out",
    periods: str | Sequence[str] | None = None,
    split_year: int | None = None,
    layout: Layout | None = None,
    encoding: str | Sequence[str] = "utf-8",
    text_column: str = "text",
    date_column: str = "date",
    source_column: str = "source",
    skip_bad: bool = False,
    usages: int = 100,
    per_document: int = 4,
    min_count: int = 20,
    min_documents: int = 5,
    commonest: int = 100,
    pos: str | Sequence[str] | None = None,
    match: str | None = None,
    exclude: str | None = None,
    top: int = 100,
    permutations: int = PERMUTATIONS,
    calibration: Calibration | None = None,
    seed: int = 0,
    batch_size: int = 32,
    offline: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    threads: int | None = None,
    work: str | Path | None = None,
    json_log: str | Path | None = None,
    progress: Telling | None = None,
    made_by: Mapping[str, object] | None = None,
) -> Study:
    """Find the words that changed between two corpora.

    Every word that is frequent enough in both is a candidate. A first look at few usages of each
    tells which can have changed more than words like it did (p ≤ .3). These are scored again by all
    their usages that were drawn, with 1,500 others drawn at random that tell what the years do
    to any word; and those for which it still holds (p ≤ .1) are measured in full: as q is never
    below p, no other can be found. Lost is only a changed word whose few first usages look less
    changed than seven in ten of its like do.

    Parameters
    ----------
    corpora, language, names, periods, split_year, layout, encoding, skip_bad
        See :func:`senseshift.corpus.find`; there must be two periods.
    text_column, date_column, source_column
        What the columns of tables are called.
    output
        The folder of the study. What was done before it was interrupted is kept there and not done
        again: call with the same arguments to go on.
    encoder, calibration, batch_size, offline
        See :func:`senseshift.encoders.load` and :func:`senseshift.compare`.
    usages, per_document, seed
        How many usages of a word and period are drawn at random, at most so many of a document.
    min_count, min_documents
        What a candidate has at least, in each period; documents where these are known.
    commonest, pos, match, exclude
        Which words are left out: so many of the commonest, those of other parts of speech than
        these (where a corpus has them), those that do not match a regular expression, or do.
    top
        So many words get a full look at least, however little was found before.
    permutations
        See :func:`senseshift.compare`.
    workers, scheduler, threads
        Where the work is done: see :func:`senseshift.executors.executor`.
    work
        Where units of work are kept, a path or an address such as ``s3://bucket/run`` that all
        workers can reach; ``units`` in ``output`` by default.
    json_log
        A file that gets a line of JSON for each unit that is done.
    progress
        Called with what is being done, and how many of its units are done and in all.
    made_by
        What else the study records about itself.

    Raises
    ------
    Interrupted
        At Ctrl-C after the first look, with what is known of every candidate by then, which is also
        saved; before that, a plain KeyboardInterrupt.

    Returns
    -------
    Study
        Of its ``words``, those with a full look are measured as :func:`senseshift.compare` does.
        All candidates have ``change``, ``p`` and ``q``, and ``count_old`` and ``count_new``: p says
        how many of the words about as frequent stand as high, or how often chance does, whichever
        is larger. Words that were left out have the reason under ``skipped``.
    """
    encodings = encodings_from(encoding)
    spans = spans_from(periods, split_year)
    files, unread, order = files_of(corpora, spans)
    if len(order) != 2:
        raise InputError(f"There are {len(order)} periods: to discover needs two of them.")
    wanted = candidates.Filter.checked(min_count, min_documents, commonest, pos, match, exclude)
    sampling = _sampling(usages, per_document, seed)
    quick = [measure.name for measure in WORD if not measure.slow]
    settings = Settings.checked(quick, permutations=permutations, seed=seed)
    columns = Columns(text_column, date_column, source_column)
    reading = Reading(language, names, layout, encodings, columns, spans, skip_bad)
    _check_output(Path(output), work)
    folder = Folder.at(work if work is not None else Path(output) / UNITS)
    named = preferred(language) if encoder is None else encoder
    source = Encoding.of(named, calibration, batch_size, offline)
    with (
        executor(workers, scheduler, threads=threads) as pool,  # or an error, and nothing written
        folder.held(),
        Journal(json_log, progress, folder, pool) as journal,
    ):
        run = Run(folder, journal, reading, sampling, (order[0], order[1]), source, settings)
        words = run.counted(files, wanted)
        found = run.looked(words, top)
        about = {"command": None, "seconds": journal.seconds} | dict(made_by or {})
        study = assembled(run, words, found, files, unread, wanted, about)
        save(study, Path(output), words.vocabulary)
        if isinstance(journal.stopped, KeyboardInterrupt):
            raise Interrupted(study)
        journal.go_on()
    return study


def _sampling(usages: int, per_document: int, seed: int) -> Sampling:
    if not 2 <= usages <= MOST_USAGES:
        raise InputError(f"usages is {usages}: it must be from 2 to {MOST_USAGES:,}.")
    if per_document < 1:
        raise InputError(f"per_document is {per_document}: it must be at least 1.")
    if abs(seed) >= 2**63:
        raise InputError("seed is a number of more than 64 bits: give a smaller one.")
    return Sampling(usages, per_document, seed)


def _check_output(output: Path, work: str | Path | None) -> None:
    """Nothing that somebody may want to keep is written over."""
    if output.is_dir() and any(output.iterdir()):
        ours = (output / UNITS).is_dir() or (work is not None and (output / VOCABULARY).exists())
        if not ours:
            raise InputError(
                f"{output} exists and holds no discovery to go on with: give another name."
            )
    elif output.exists() and not output.is_dir():
        raise InputError(f"{output} is a file: give the name of a folder.")
