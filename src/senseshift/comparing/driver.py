"""``compare``: usages and an encoder in, a study out."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.comparing.provenance import check_same, provenance
from senseshift.comparing.rows import KEY, Task, arc_rows, assemble, instance_rows, word_row
from senseshift.comparing.settings import Settings
from senseshift.comparing.word import PairResult, measure_pair
from senseshift.encoders import Encoder, Precomputed, encode, load
from senseshift.errors import InputError, LanguageWarning
from senseshift.progress import Progress
from senseshift.study import Study
from senseshift.transport.problem import Penalty
from senseshift.transport.solvers import Method
from senseshift.usages import Usages
from senseshift.vectors import Weighting

if TYPE_CHECKING:
    from senseshift.encoders.resolve import EncoderLike

Vectors = NDArray[np.float32]
Pairs = list[tuple[str, str]]

CHECKPOINT = 60.0  # seconds between two saves of what is done


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a study; ``study`` holds the words that were done."""

    def __init__(self, study: Study) -> None:
        super().__init__("interrupted")
        self.study = study


def compare(
    usages: Usages,
    encoder: EncoderLike = "bundled",
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
    permutations: int = 0,
    seed: int = 0,
    pairs: Sequence[tuple[str, str]] | None = None,
    layers: int | Sequence[int] | None = None,
    batch_size: int = 32,
    threads: int | None = None,
    cache: bool | str | Path = True,
    offline: bool = False,
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
    words
        Which words to measure, all by default.
    measures
        Names of word-level measures, all by default; those of WiDiD take longest and are left out
        for words with more than a thousand usages unless they are named.
    rho, lam, method, weights, damping, r, compat
        See :class:`senseshift.measures.Comparison`; θ of f_2 and g_1 is ``r`` times the largest
        |SUS| of all words.
    permutations, seed
        How often to deal each word's usages to the periods at random, and the seed of that.
    pairs
        Which periods to compare, as (old, new); by default each with the next.
    threads
        As many as there are processors by default.
    layers, batch_size, cache, offline
        See :func:`senseshift.encoders.encode`.
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
        compat=compat, permutations=permutations, seed=seed,
    )  # fmt: skip
    chosen = _pairs(usages, pairs)
    source = load(encoder, batch_size=batch_size, threads=threads, layers=layers, offline=offline)
    usages, vectors, said = _encoded(usages, words, chosen, source, batch_size, cache, encoding)
    about = provenance(usages, settings, source, chosen, said) | dict(made_by or {})
    tasks, unmeasured = _tasks(usages, chosen)
    kept = None if resume is None else _continued(resume, about, usages)
    done = set() if kept is None else _measured_keys(kept)
    waiting = [task for task in tasks if task.key not in done]
    results: list[tuple[Task, PairResult]] = []

    def study(complete: bool) -> Study:
        rows = [word_row(task, result) for task, result in results]
        rows += [task.unmeasured_row(reason) for task, reason in unmeasured]
        instances = [instance_rows(usages.table, task, result) for task, result in results]
        arcs = [arc_rows(usages.table, task, result) for task, result in results]
        made = about | {"complete": complete}
        return assemble(rows, instances, arcs, vectors, made, settings, usages.words, kept)

    count = len(tasks) - len(waiting)
    if progress:
        progress(count, len(tasks))
    saved = time.monotonic()
    try:
        for task, outcome in _measured(waiting, vectors, settings, threads):
            if isinstance(outcome, PairResult):
                results.append((task, outcome))
            else:
                unmeasured.append((task, outcome))
            count += 1
            if progress:
                progress(count, len(tasks))
            if checkpoint and time.monotonic() - saved > CHECKPOINT:
                checkpoint(study(complete=False))
                saved = time.monotonic()
    except KeyboardInterrupt:
        raise Interrupted(study(complete=False)) from None
    return study(complete=True)


def _encoded(
    usages: Usages,
    words: Sequence[str] | None,
    pairs: Pairs,
    source: Encoder | Precomputed,
    batch_size: int,
    cache: bool | str | Path,
    progress: Progress | None,
) -> tuple[Usages, Vectors, list[str]]:
    """The usages of the chosen words, their vectors, and what was warned of on the way."""
    chosen = usages if words is None else usages.select(word=words)
    if isinstance(source, Precomputed):  # a file of vectors belongs to all the usages
        vectors = encode(usages, source, progress=progress)
        rows = usages.table["word"].is_in(list(chosen.words)).to_numpy()
        return chosen, vectors[rows], []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LanguageWarning)
        vectors = encode(chosen, source, batch_size=batch_size, cache=cache, progress=progress)
    for warning in caught:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    said = [str(w.message) for w in caught if issubclass(w.category, LanguageWarning)]
    return chosen, vectors, said


def _pairs(usages: Usages, pairs: Sequence[tuple[str, str]] | None) -> Pairs:
    if len(usages.periods) < 2:
        raise InputError(
            f"The usages are all of one period, {', '.join(usages.periods) or 'none'}: "
            "a comparison needs two."
        )
    if pairs is None:
        return list(zip(usages.periods[:-1], usages.periods[1:], strict=True))
    for pair in pairs:
        for period in pair:
            if period not in usages.periods:
                raise InputError(
                    f"There is no period {period!r}; there are {', '.join(usages.periods)}."
                )
        if pair[0] == pair[1]:
            raise InputError(f"The period {pair[0]!r} is to be compared with itself: give two.")
    return [(old, new) for old, new in pairs]


def _tasks(usages: Usages, pairs: Pairs) -> tuple[list[Task], list[tuple[Task, str]]]:
    """What to measure, and what cannot be, with the reason."""
    rows = (
        usages.table.with_row_index("row")
        .group_by("word", "period", maintain_order=True)
        .agg("row")
    )  # fmt: skip
    found = {(word, period): np.array(at) for word, period, at in rows.iter_rows()}
    nothing = np.empty(0, np.int64)
    tasks, unmeasured = [], []
    for word in (*usages.words, *usages.missing):
        for old, new in pairs:
            task = Task(
                word, old, new, found.get((word, old), nothing), found.get((word, new), nothing)
            )
            empty = [p for p, at in ((old, task.old_rows), (new, task.new_rows)) if not at.size]
            if not empty:
                tasks.append(task)
            else:
                reason = usages.missing.get(word, f"no usages in {' and '.join(empty)}")
                unmeasured.append((task, reason))
    return tasks, unmeasured


def _measured(
    tasks: list[Task], vectors: Vectors, settings: Settings, threads: int | None
) -> Iterator[tuple[Task, PairResult | str]]:
    """Each word with its result or the reason why it has none, as they are done."""

    def run(task: Task) -> PairResult | str:
        old, new = (vectors[at].astype(np.float64) for at in (task.old_rows, task.new_rows))
        try:
            return measure_pair(old, new, settings)
        except InputError as error:
            return str(error)

    if tasks:  # the first alone, so that the solver is compiled once
        yield tasks[0], run(tasks[0])
    pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
    try:
        running: dict[Future[PairResult | str], Task] = {pool.submit(run, t): t for t in tasks[1:]}
        while running:
            # woken now and then, because an interrupt is only seen between waits on some systems
            finished, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _continued(resume: Study, about: dict[str, Any], usages: Usages) -> Study:
    """The study to resume, its usages numbered as those here, which may stand in another order."""
    check_same(resume, about)
    if not resume.instances.height:
        return resume
    place = usages.table.select("word", "id").with_row_index("usage")
    numbered = resume.instances.drop("usage").join(
        place.with_columns(pl.col("usage").cast(pl.Int64)), on=["word", "id"], how="left",
        maintain_order="left",
    )  # fmt: skip
    return Study(resume.words, numbered, resume.arcs, resume.vectors, resume.about)


def _measured_keys(study: Study) -> set[tuple[str, str, str]]:
    done = study.words.filter(pl.col("certified").is_not_null())
    return set(done.select(KEY).iter_rows())
