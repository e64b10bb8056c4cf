"""What chance explains of one word in two periods: its usages, or documents, dealt at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from senseshift.comparing.settings import Settings
from senseshift.measures import Comparison, measure
from senseshift.resampling.bootstrap import DRAWS, interval, standard_errors
from senseshift.resampling.deals import Dealer
from senseshift.resampling.dispersion import disperse
from senseshift.resampling.figures import FIGURES
from senseshift.resampling.permutation import MOST, QUANTILES, Permuted, permute
from senseshift.resampling.power import detectable

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Certainty:
    """What is known of a word beyond its figures.

    Attributes
    ----------
    values
        Columns of the study's words: ``change``, ``p`` and so on.
    excess, p
        Of every usage, the old ones first; NaN where a usage was not dealt.
    by_chance
        Columns of the study's table of what chance makes of the word.
    """

    values: dict[str, float | str | None]
    excess: Floats
    p: Floats
    by_chance: dict[str, Floats]


def documents_to_deal(is_new: Bools, documents: Ints | None) -> tuple[Ints | None, str | None]:
    """The documents, if they can be dealt; if not, why single usages are."""
    if documents is None:
        return None, None
    dealer = Dealer(is_new.astype(np.int64), documents)
    if dealer.enough:
        return documents, None
    old, new = (dealer.counts.get(side, 0) for side in (0, 1))
    if old <= 1 and new <= 1:  # a corpus in one file: its documents are not known
        return None, None
    return None, (
        f"with {old} old and {new} new documents single usages were permuted, "
        "as if those of one document had nothing to do with each other"
    )


def certainty(
    word: Comparison,
    documents: tuple[Ints, Ints] | None,
    settings: Settings,
    seed: int,
    threads: int | None,
) -> Certainty:
    """Permute one word's usages; ``documents`` are those of the old and of the new usages.

    Permutations ask whether senses changed relative to each other, and so they deal shares: how
    frequent the word is on either side counts neither in them nor in the excess that is left.
    """
    is_new = np.repeat([False, True], [len(side) for side in word.shares])
    joined = None if documents is None else np.concatenate(documents)
    dealt, caution = documents_to_deal(is_new, joined)
    weights = np.concatenate(word.shares) if settings.weights == "norm" else None
    # Of very many usages only the costs between those that are dealt are ever made.
    cost = word.pooled_cost(np.arange(is_new.size)) if is_new.size <= MOST else word.pooled_cost
    permuted = permute(
        cost, is_new, documents=dealt, permutations=settings.permutations,
        weights=weights, rho=settings.rho, lam=settings.lam, seed=(settings.seed, seed),
        early=settings.early, threads=threads,
    )  # fmt: skip
    wanted = {name: FIGURES[name] for name in settings.measures if name in ("f_SUS", "g_SUS")}
    errors = standard_errors(
        cost, permuted, draws=min(DRAWS, settings.permutations),
        figures={"change": FIGURES["change"], **wanted}, weights=weights, rho=settings.rho,
        lam=settings.lam, threads=threads,
    )  # fmt: skip
    values: dict[str, float | str | None] = {
        "change": permuted.change,
        "p": permuted.figures["change"].p,
        "change_by_chance": permuted.figures["change"].mean,
        "beyond": permuted.figures["change"].centred,
        "detectable": detectable(
            *(permuted.dealer.counts.get(side, 0) for side in (0, 1)),
            induced=settings.senses != "given",
        ),
        "permuted": "usages" if dealt is None else "documents",
        "caution": caution,
        **columns(_bounds(word, permuted, errors, settings)),
    }
    if documents is not None:
        for side, owners in zip(("old", "new"), documents, strict=True):
            spread = disperse(owners)
            values[f"{side}_documents"] = spread.documents
            values[f"{side}_largest_document"] = spread.largest_share
    old, new = permuted.by_chance
    by_chance = {
        "quantile": QUANTILES,
        "old_sus": old,
        "new_sus": new,
        "change": np.nanquantile(permuted.figures["change"].dealt, QUANTILES),
    }
    excess, p = (_laid(values_of, permuted) for values_of in (permuted.excess, permuted.p))
    return Certainty(values, excess, p, by_chance)


def columns(bounds: Mapping[str, tuple[float, float]]) -> dict[str, float | None]:
    """Bounds as columns of the study's words."""
    return {
        f"{name}_{end}": None if np.isnan(value) else value
        for name, pair in bounds.items()
        for end, value in zip(("low", "high"), pair, strict=True)
    }


def _bounds(
    word: Comparison, permuted: Permuted, errors: dict[str, float], settings: Settings
) -> dict[str, tuple[float, float]]:
    """Bounds of the change, and of the measures whose intervals were seen to hold."""
    dealer, change = permuted.dealer, errors.pop("change")
    if settings.weights == "frequency":  # chance deals shares, and SUS is of frequencies
        errors = {}
    if "f_APD" in settings.measures and word.has_vectors and word.shares[0].size:
        errors = errors | {"f_APD": _apd_error(word, dealer)}
    found = measure(word, errors)
    limits = {name: interval(found[name], error, dealer) for name, error in errors.items()}
    limits["change"] = interval(permuted.change, change, dealer)
    # A magnitude is not negative, however near to nothing it was found; what is not known stays so.
    return {
        name: (low if name.startswith("g_") else float(np.maximum(0.0, low)), high)
        for name, (low, high) in limits.items()
    }


def _apd_error(word: Comparison, dealer: Dealer) -> float:
    """The standard error of APD: what each usage, or document, adds to a mean of two samples."""
    old, new = word.units
    distance = 1.0 - np.concatenate([old @ new.mean(axis=0), new @ old.mean(axis=0)])
    variance = 0.0
    for side, size in enumerate((len(old), len(new))):
        here = slice(len(old)) if side == 0 else slice(len(old), None)
        of_block = np.bincount(dealer.blocks[here], distance[here] - distance[here].mean())
        count = np.unique(dealer.blocks[here]).size
        variance += (of_block**2).sum() / size**2 * count / max(count - 1, 1)
    # One usage, or one document, tells nothing of what others would have been.
    return float(np.sqrt(variance)) if min(dealer.counts.values()) > 1 else float("nan")


def _laid(values: Floats, permuted: Permuted) -> Floats:
    whole = np.full(permuted.usages, np.nan)
    whole[permuted.rows] = values
    return whole
