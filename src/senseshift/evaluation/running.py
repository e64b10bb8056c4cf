"""``reproduce``: a folder of word usage graphs in, the paper's tables and figures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from senseshift.comparing import compare
from senseshift.errors import InputError
from senseshift.evaluation import protocol
from senseshift.evaluation.comparing import differences, paired
from senseshift.evaluation.experiments import Evaluation, evaluate
from senseshift.evaluation.gold import Gold
from senseshift.evaluation.ours import OwnScores, own_scores
from senseshift.evaluation.published import Published
from senseshift.evaluation.reproduction import Reproduction
from senseshift.evaluation.scores import quiet, score_words
from senseshift.evaluation.tables import example_words, examples, main_tables
from senseshift.progress import Progress
from senseshift.study import Study
from senseshift.usages import Usages, read

if TYPE_CHECKING:
    from senseshift.encoders.resolve import EncoderLike

Ints = NDArray[np.int64]

LAM = 100.0  # of the paper's examples and figures


def reproduce(
    folder: str | Path,
    encoder: EncoderLike | None = None,
    *,
    compat: bool = False,
    words: Sequence[str] | None = None,
    splits: int = protocol.SPLITS,
    reference: str | None = None,
    periods: str | Sequence[str] | None = None,
    clusters: str = "opt",
    skip_bad: bool = False,
    threads: int | None = None,
    encoding: Progress | None = None,
    measuring: Progress | None = None,
    scoring: Progress | None = None,
    tuning: Progress | None = None,
    **encoder_options: Any,
) -> Reproduction:
    """Run the paper's experiments on a folder of word usage graphs.

    Parameters
    ----------
    folder
        DWUG EN, DWUG ES or another data set of that format, with two periods.
    encoder
        What makes vectors of usages, or a file of vectors; see :func:`senseshift.compare`.
    compat
        Tables as the published scripts compute them rather than as corrected. Both are computed
        in any case; the last table says where they differ. Our own methods, which stand below the
        paper's, are scored alike in both.
    words
        Whose usages the tables of examples show; those of the paper by default.
    splits
        How often the words are split for tuning.
    reference
        ``dwug_en``, ``dwug_es`` or ``none``: whose published numbers stand beside ours. By the
        name of the folder by default.
    periods, clusters, skip_bad
        See :func:`senseshift.read`.
    threads
        As many as there are processors by default.
    encoding, measuring, scoring, tuning
        Called with what is done and what there is in all: usages, words of the study, words
        scored with all hyper-parameters, methods tuned.
    encoder_options
        ``layers, batch_size, cache, offline`` of :func:`senseshift.compare`.
    """
    if splits < 1:
        raise InputError(f"The number of splits is {splits}: it must be 1 or more.")
    published = Published.for_folder(folder)
    if reference is not None:
        published = Published(None if reference == "none" else reference)
    usages = _two_periods(read(folder, periods=periods, clusters=clusters, skip_bad=skip_bad))
    with quiet():
        study = compare(
            usages, encoder, lam=LAM, method="mm" if compat else "exact", compat=compat,
            permutations=0, cost="cosine", senses="none",
            threads=threads, encoding=encoding, progress=_half(measuring, 0), **encoder_options,
        )  # fmt: skip
    if not study.ranked.height:
        reasons = "; ".join(f"{word}: {why}" for word, why in list(study.skipped.items())[:3])
        raise InputError(f"{folder} has no word with usages in both periods ({reasons}).")
    chosen = list(words) if words else example_words(study)
    for word in chosen:
        study.usages_of(word)  # told now if it is not there, not after all the work
    own = own_scores(usages, study, threads=threads, progress=_half(measuring, 1))
    rows = _rows(study)
    golds, evaluations = {}, {}
    for k, variant in enumerate((False, True)):
        golds[variant] = Gold.of(usages, folder, compat=variant, clusters=clusters)
        evaluations[variant] = _evaluated(
            study, rows, golds[variant], own, variant, splits, threads,
            _half(scoring, k), _half(tuning, k),
        )  # fmt: skip
    tables = [
        examples(study, chosen[:1], 3, "1"),
        examples(study, chosen, 5, "5"),
        *main_tables(evaluations[compat], published),
        paired(evaluations[compat]),
        differences(evaluations[False], evaluations[True]),
    ]
    return Reproduction(
        study, chosen, golds[compat], evaluations[compat], evaluations[not compat], tables
    )


def _two_periods(usages: Usages) -> Usages:
    if len(usages.periods) != 2:
        raise InputError(
            f"The paper compares two periods, here are {len(usages.periods)} "
            f"({', '.join(usages.periods)}): choose two with --periods or periods=…"
        )
    return usages


def _rows(study: Study) -> dict[str, tuple[Ints, Ints]]:
    """The rows of every measured word's old and new usages, as they stand in the data.

    Affinity propagation depends on the order of usages, and published figures on that one.
    """
    found = {}
    for (word,), part in study.instances.sort("usage").group_by("word", maintain_order=True):
        at = part["usage"].to_numpy().astype(np.int64)
        is_old = (part["period"] == part["old"]).to_numpy()
        found[str(word)] = (at[is_old], at[~is_old])
    return found


def _evaluated(
    study: Study,
    rows: Mapping[str, tuple[Ints, Ints]],
    gold: Gold,
    own: OwnScores,
    compat: bool,
    splits: int,
    threads: int | None,
    scoring: Progress | None,
    tuning: Progress | None,
) -> Evaluation:
    vectors = {
        word: (study.vectors[old].astype(np.float64), study.vectors[new].astype(np.float64))
        for word, (old, new) in rows.items()
    }
    scores = score_words(vectors, compat=compat, threads=threads, progress=scoring)
    return evaluate(
        scores, rows, gold, own, compat=compat, splits=splits, skipped=study.skipped,
        progress=tuning,
    )  # fmt: skip


def _half(progress: Progress | None, half: int) -> Progress | None:
    """The progress of one of two halves of the work, told as that of the whole."""
    if progress is None:
        return None
    return lambda done, total: progress(half * total + done, 2 * total)
