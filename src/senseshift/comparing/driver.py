"""``compare``: usages and an encoder in, a study out."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.calibration import Calibration
from senseshift.comparing.assembly import Parts, assemble
from senseshift.comparing.controls import SCHEMA as CONTROLS
from senseshift.comparing.controls import check_controls, control_rows, for_controls
from senseshift.comparing.finishing import finished
from senseshift.comparing.measuring import measured
from senseshift.comparing.provenance import check_same, provenance
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Task, check_found, pairs_of, tasks_of
from senseshift.encoders import Encoder, Precomputed, encode, load
from senseshift.encoders.encoding import found_in
from senseshift.errors import InputError, LanguageWarning
from senseshift.executors import executor
from senseshift.progress import Progress
from senseshift.senses.manner import Manner
from senseshift.study import Study
from senseshift.transport.problem import Penalty
from senseshift.transport.solvers import Method
from senseshift.usages import Usages
from senseshift.vectors import Weighting

if TYPE_CHECKING:
    from senseshift.encoders.resolve import EncoderLike

Vectors = NDArray[np.float32]

PERMUTATIONS = 200
CHECKPOINT = 60.0  # seconds between two saves of what is done


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a study; ``study`` holds the words that were done."""

    def __init__(self, study: Study) -> None:
        super().__init__("interrupted")
        self.study = study


def compare(
    usages: Usages,
    encoder: EncoderLike | None = None,
    *,
    words: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    rho: float | None = None,
    lam: Penalty | None = None,
    method: Method = "exact",
    weights: Weighting = "uniform",
    damping: float = 0.9,
    r: float = 0.5,
    compat: bool = False,
    permutations: int = PERMUTATIONS,
    early: bool = True,
    seed: int = 0,
    cost: str | None = None,
    senses: str = "induced",
    calibration: Calibration | None = None,
    controls: Usages | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    layers: int | Sequence[int] | None = None,
    batch_size: int = 32,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    cache: bool | str | Path = True,
    offline: bool = False,
    language: str | None = None,
    resume: Study | None = None,
    checkpoint: Callable[[Study], None] | None = None,
    made_by: Mapping[str, Any] | None = None,
    encoding: Progress | None = None,
    progress: Progress | None = None,
) -> Study:
    """Measure every word's shift between periods.

    Parameters
    ----------
    usages
        The usages of all words in two or more periods.
    encoder
        What makes vectors of them, or a file of vectors; see :func:`senseshift.encoders.load`.
        By default one that knows the language.
    words
        Which words to measure, all by default.
    measures
        Names of word-level measures, all by default; those of WiDiD take longest and are left out
        for words with more than a thousand usages unless they are named.
    rho, lam, method, weights, damping, r, compat
        See :class:`senseshift.measures.Comparison`; θ of f_2 and g_1 is ``r`` times the largest
        |SUS| of all words. ``weights="frequency"`` needs usages that were found in corpora; what
        is said of chance stays on shares.
    permutations, seed
        How often to deal each word's usages, or whole documents where the source of usages is
        known, to the periods at random, and the seed of that. All that is said of change stands on
        it; with 0 there are measures and nothing is said.
    early
        Whether to stop permuting a word whose change is clearly nothing special (p above .2 after
        100, 200, 400, …).
    cost
        ``sense``: the chance that two usages differ in sense, by the calibration of the encoder,
        and the default where one is known. ``cosine``: their cosine distance, as in the paper.
    calibration
        What the encoder's distances mean, in place of what the encoder itself brings.
    senses
        ``induced`` from the vectors where the encoder's calibration says how, ``given`` with the
        usages, or ``none``.
    controls
        Usages of reference words in the same periods, to tell what the years do to any word: see
        :func:`senseshift.corpus.draw_controls`. Each word's ``drift_p`` is the share of them that
        changed as much.
    pairs
        Which periods to compare, as (old, new); by default each with the next.
    threads
        As many as there are processors by default.
    workers, scheduler
        Where words are measured, if not on these threads: see
        :func:`senseshift.executors.executor`. What is found does not depend on it.
    layers, batch_size, cache, offline
        See :func:`senseshift.encoders.encode`.
    language
        Of the usages (``de``); by default the one in which they were found, if they were.
    resume
        An unfinished study of the same usages and settings, whose words are not measured again.
    checkpoint
        Called about once a minute with the words that are done, to be saved.
    made_by
        What else the study records about itself: a command, the licence of the data.
    encoding, progress
        Called with the numbers of usages, and of words, that are done and in all.

    Raises
    ------
    Interrupted
        At Ctrl-C, with what was done until then.

    Examples
    --------
    >>> from senseshift import Usages, compare
    >>> records = [
    ...     dict(word="cell", period=p, id=f"{p}{k}", text=f"{k} cell", start=2, end=6)
    ...     for p in ("old", "new") for k in range(4)
    ... ]
    >>> study = compare(
    ...     Usages.from_records(records),
    ...     lambda texts, spans: [[1.0, float(text[0])] for text in texts],
    ...     measures=["f_SUS", "g_SUS"],
    ... )
    >>> study.words["f_SUS"].round(6).to_list()
    [0.0]
    """
    settings = Settings.checked(
        measures, rho=rho, lam=lam, method=method, weights=weights, damping=damping, r=r,
        compat=compat, permutations=permutations, early=early, seed=seed, cost=cost, senses=senses,
    )  # fmt: skip
    check_found(usages if words is None else usages.select(word=words))
    chosen = pairs_of(usages, pairs)
    language = language or found_in(usages)
    source = load(
        encoder, language=language, batch_size=batch_size, threads=threads, layers=layers,
        offline=offline,
    )  # fmt: skip
    calibration = calibration or getattr(source, "calibration", None)
    _check_cost(settings, calibration, source.name)
    _check_counts(settings, usages)
    if controls is not None:
        check_controls(controls, usages)
    with executor(workers, scheduler, threads=threads) as pool:  # or an error, before all work
        usages, vectors, said = _encoded(
            usages, words, source, batch_size, cache, encoding, language
        )
        tasks = tasks_of(usages, chosen)
        about = provenance(usages, settings, source, calibration, chosen, said, language)
        kept = None if resume is None else _continued(resume, about, usages)
        calibration = _suited(calibration, vectors, tasks, kept)
        about |= {"cut": None if calibration is None else calibration.cut} | dict(made_by or {})
        done = set() if kept is None else set(kept.instances["word"])
        waiting = [task for task in tasks if task.word not in done]
        parts: list[Parts] = []
        references = pl.DataFrame(schema=CONTROLS)

        def study(complete: bool) -> Study:
            made = about | {"complete": complete}
            found = assemble(parts, vectors, made, settings, usages.words, kept)
            return finished(replace(found, controls=references))

        count = len(tasks) - len(waiting)
        if progress:
            progress(count, len(tasks))
        saved, failed = time.monotonic(), False
        try:
            for task, result in measured(pool, waiting, vectors, settings, calibration):
                # at once, so that an interrupt leaves a word out or has all of it in
                parts.append(Parts.of(usages.table, task, result))
                count, failed = count + 1, failed or result.failed
                if progress:
                    progress(count, len(tasks))
                if checkpoint and time.monotonic() - saved > CHECKPOINT:
                    checkpoint(study(complete=False))
                    saved = time.monotonic()
            if controls is not None:
                of_controls = encode(
                    controls, source, batch_size=batch_size, cache=cache, language=language
                )
                how = for_controls(settings)
                references = control_rows(
                    controls, chosen,
                    lambda tasks: measured(pool, tasks, of_controls, how, calibration),
                )  # fmt: skip
        except KeyboardInterrupt:
            raise Interrupted(study(complete=False)) from None
        except InputError:  # a cluster that went away
            if checkpoint:
                checkpoint(study(complete=False))
            raise
        return study(complete=not failed)


def _check_cost(settings: Settings, calibration: Calibration | None, encoder: str) -> None:
    if settings.cost == "sense" and calibration is None:
        raise InputError(
            f"The encoder {encoder} has no calibration, which cost='sense' needs: make one "
            "with senseshift calibrate, or take cost='cosine'."
        )


def _check_counts(settings: Settings, usages: Usages) -> None:
    if settings.weights == "frequency" and usages.corpora is None:
        raise InputError(
            "The weights 'frequency' need corpora, in which words are counted, and these usages "
            "come without: find them with senseshift.find (--old, --new), or take "
            "weights='uniform'."
        )


def _encoded(
    usages: Usages,
    words: Sequence[str] | None,
    source: Encoder | Precomputed,
    batch_size: int,
    cache: bool | str | Path,
    progress: Progress | None,
    language: str | None,
) -> tuple[Usages, Vectors, list[str]]:
    """The usages of the chosen words, their vectors, and what was warned of on the way."""
    chosen = usages if words is None else usages.select(word=words)
    if isinstance(source, Precomputed):  # a file of vectors belongs to all the usages
        vectors = encode(usages, source, progress=progress)
        rows = usages.table["word"].is_in(list(chosen.words)).to_numpy()
        return chosen, vectors[rows], []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LanguageWarning)
        vectors = encode(
            chosen, source, batch_size=batch_size, cache=cache, progress=progress, language=language
        )
    for warning in caught:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    said = [str(w.message) for w in caught if issubclass(w.category, LanguageWarning)]
    return chosen, vectors, said


def _suited(
    calibration: Calibration | None, vectors: Vectors, tasks: Sequence[Task], kept: Study | None
) -> Calibration | None:
    """The calibration with the cut for these texts; that of the study that is gone on with."""
    if kept is not None:
        return kept.calibration
    if calibration is None or calibration.apart is None:  # no need to look at all vectors
        return calibration
    return calibration.suited(Manner.of(vectors[task.rows] for task in tasks))


def _continued(resume: Study, about: dict[str, Any], usages: Usages) -> Study:
    """The study to resume, its usages numbered as those here, which may stand in another order."""
    check_same(resume, about)
    if not resume.instances.height:
        return resume
    place = usages.table.select("word", "id").with_row_index("here")
    number = (
        resume.usages.select("word", "id", "usage")
        .join(place.with_columns(pl.col("here").cast(pl.Int64)), on=["word", "id"])
        .select("usage", "here")
    )

    def renumbered(table: pl.DataFrame) -> pl.DataFrame:
        if "usage" not in table.columns:
            return table
        joined = table.join(number, on="usage", how="left", maintain_order="left")
        return joined.with_columns(usage=pl.col("here")).drop("here")

    return replace(
        resume, instances=renumbered(resume.instances), typical=renumbered(resume.typical)
    )
