"""``compare``: usages and an encoder in, a study out."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift._version import __version__
from senseshift.encoders import Encoder, Precomputed, encode, load
from senseshift.errors import InputError
from senseshift.measures import WORD
from senseshift.progress import Progress
from senseshift.study.study import Study
from senseshift.study.tables import Pair, arc_rows, assemble, instance_rows, word_row
from senseshift.study.word import Settings, WordResult, measure_word
from senseshift.usages import Usages

if TYPE_CHECKING:
    from senseshift.encoders.resolve import EncoderLike

LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn", "polars")


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
    lam: float | None = None,
    method: str = "exact",
    weights: str = "uniform",
    damping: float = 0.9,
    r: float = 0.5,
    compat: bool = False,
    deals: int = 0,
    pairs: Sequence[tuple[str, str]] | None = None,
    layers: int | Sequence[int] | None = None,
    batch_size: int = 32,
    threads: int | None = None,
    cache: bool | str | Path = True,
    offline: bool = False,
    resume: Study | None = None,
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
        Names of word-level measures, all by default; those of WiDiD take longest.
    rho, lam, method, weights, damping, r, compat
        See :class:`senseshift.measures.Comparison`; θ of f_2 and g_1 is ``r`` times the largest
        |SUS| of all words.
    deals
        How often to deal each word's usages to the two periods at random, for its ``p_value``: how
        often f_SUS is then as large. None by default; a thousand take a quarter of a second for a
        word of 100 + 100 usages.
    pairs
        Which periods to compare, as (old, new); by default each with the next.
    threads
        As many as there are processors by default.
    layers, batch_size, cache, offline
        See :func:`senseshift.encoders.encode`.
    resume
        An unfinished study of the same usages and settings, whose words are not measured again.
    encoding, progress
        Called with the numbers of usages, and of words, that are done and in all.

    Raises
    ------
    Interrupted
        At Ctrl-C, with what was done until then.
    """
    settings = _settings(
        measures=measures, rho=rho, lam=lam, method=method, weights=weights,
        damping=damping, r=r, compat=compat, deals=deals,
    )  # fmt: skip
    chosen = _pairs(usages, pairs)
    source = load(encoder, batch_size=batch_size, threads=threads, layers=layers, offline=offline)
    usages, vectors = _encoded(usages, words, source, batch_size, cache, encoding)
    about = _about(usages, settings, source.name, getattr(source, "fingerprint", None), chosen)
    done = _resumed(resume, about)
    tasks, skipped = _tasks(usages, chosen)
    waiting = [pair for pair in tasks if pair.key not in done]
    results: list[tuple[Pair, WordResult]] = []

    def study(complete: bool) -> Study:
        words = [word_row(pair, result) for pair, result in results]
        words += [pair.skipped_row(reason) for pair, reason in skipped]
        instances = [instance_rows(usages.table, pair, result) for pair, result in results]
        arcs = [arc_rows(usages.table, pair, result) for pair, result in results]
        made = about | {"complete": complete}
        kept = resume if done else None
        return assemble(words, instances, arcs, vectors, made, settings, usages.words, kept)

    count = len(tasks) - len(waiting)
    if progress:
        progress(count, len(tasks))
    try:
        for pair, outcome in _measured(waiting, vectors, settings, threads):
            if isinstance(outcome, WordResult):
                results.append((pair, outcome))
            else:
                skipped.append((pair, outcome))
            count += 1
            if progress:
                progress(count, len(tasks))
    except KeyboardInterrupt:
        raise Interrupted(study(complete=False)) from None
    return study(complete=True)


def _settings(measures: Sequence[str] | None, **rest: Any) -> Settings:
    known = [m.name for m in WORD]
    chosen = tuple(known if measures is None else measures)
    if not chosen:
        raise InputError("There is nothing to measure: name at least one measure.")
    for name in chosen:
        if name not in known:
            raise InputError(f"There is no measure {name!r}; there are {', '.join(known)}.")
    if rest["deals"] < 0:
        raise InputError(f"The number of random deals is {rest['deals']}: it must be 0 or more.")
    return Settings(measures=chosen, **rest)


def _encoded(
    usages: Usages,
    words: Sequence[str] | None,
    source: Encoder | Precomputed,
    batch_size: int,
    cache: bool | str | Path,
    progress: Progress | None,
) -> tuple[Usages, NDArray[np.float32]]:
    """The usages of the chosen words and their vectors."""
    chosen = usages if words is None else usages.select(word=words)
    if isinstance(source, Precomputed):  # a file of vectors belongs to all the usages
        vectors = encode(usages, source, progress=progress)
        rows = usages.table["word"].is_in(list(chosen.words)).to_numpy()
        return chosen, vectors[rows]
    return chosen, encode(chosen, source, batch_size=batch_size, cache=cache, progress=progress)


def _pairs(usages: Usages, pairs: Sequence[tuple[str, str]] | None) -> list[tuple[str, str]]:
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


def _tasks(
    usages: Usages, pairs: list[tuple[str, str]]
) -> tuple[list[Pair], list[tuple[Pair, str]]]:
    """What to measure, and what cannot be, with the reason."""
    rows = (
        usages.table.with_row_index("row")
        .group_by("word", "period", maintain_order=True)
        .agg("row")
    )  # fmt: skip
    found = {(word, period): np.array(at) for word, period, at in rows.iter_rows()}
    nothing = np.empty(0, np.int64)
    tasks, skipped = [], []
    for word in (*usages.words, *usages.missing):
        for old, new in pairs:
            pair = Pair(
                word, old, new, found.get((word, old), nothing), found.get((word, new), nothing)
            )
            empty = [p for p, at in ((old, pair.old_rows), (new, pair.new_rows)) if not at.size]
            if not empty:
                tasks.append(pair)
            else:
                reason = usages.missing.get(word, f"no usages in {' and '.join(empty)}")
                skipped.append((pair, reason))
    return tasks, skipped


def _measured(
    tasks: list[Pair], vectors: np.ndarray, settings: Settings, threads: int | None
) -> Iterator[tuple[Pair, WordResult | str]]:
    """Each word with its result or the reason why it has none, as they are done."""

    def run(pair: Pair) -> WordResult | str:
        old, new = (vectors[at].astype(np.float64) for at in (pair.old_rows, pair.new_rows))
        try:
            return measure_word(old, new, settings)
        except InputError as error:
            return str(error)

    if tasks:  # the first alone, so that the solver is compiled once
        yield tasks[0], run(tasks[0])
    pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
    try:
        running: dict[Future[WordResult | str], Pair] = {pool.submit(run, p): p for p in tasks[1:]}
        while running:
            # woken now and then, because an interrupt is only seen between waits on some systems
            finished, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _about(
    usages: Usages,
    settings: Settings,
    encoder: str,
    fingerprint: str | None,
    pairs: list[tuple[str, str]],
) -> dict[str, Any]:
    """What made the study, in a form that JSON holds."""
    ids = usages.table.select("word", "period", "id", "text", "start", "end")
    return {
        "senseshift": __version__,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in LIBRARIES},
        "periods": list(usages.periods),
        "pairs": [list(pair) for pair in pairs],
        "usages": len(usages),
        "usages_fingerprint": f"{ids.hash_rows(seed=0).sort().implode().hash(seed=0)[0]:016x}",
        "dropped": list(usages.dropped),
        "encoder": encoder,
        "encoder_fingerprint": fingerprint,
        "settings": asdict(settings) | {"measures": list(settings.measures)},
    }


def _resumed(resume: Study | None, about: dict[str, Any]) -> set[tuple[str, str, str]]:
    """The words an unfinished study already has; an error if it is another study."""
    if resume is None:
        return set()
    for name in ("usages_fingerprint", "encoder", "encoder_fingerprint", "pairs", "settings"):
        if resume.about.get(name) != about[name]:
            raise InputError(
                f"The study to resume has other {name.replace('_', ' ')} "
                f"({resume.about.get(name)!r}, now {about[name]!r}): start a new one."
            )
    done = resume.words.filter(pl.col("skipped").is_null())
    return set(done.select("word", "old", "new").iter_rows())
