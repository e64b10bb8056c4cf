"""Figure 4: what annotators found against what was computed, for all usages with a gold sense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.figures.style import FAINT, INK, Width, house_style, inches, new_figure
from senseshift.measures.senses import impute, usage_tau

if TYPE_CHECKING:
    from senseshift.study import Study

Floats = NDArray[np.float64]

DOTS, MEANS = "#56b4e9", INK
NOTHING = ""  # stands for the sense of a usage without one; no sense is empty


def against_gold(study: Study, *, width: Width | float = "page") -> Figure:
    """Figure 4 of a study whose usages have gold senses; see :func:`tau_figure`."""
    tau, rows = gold_tau(study)
    instances = study.instances[rows]
    return tau_figure(
        tau, {"SUS": instances["sus"].to_numpy(), "LDR": instances["ldr"].to_numpy()}, width=width
    )


# To be taken from senseshift.evaluation once that is here; nothing else computes τ* for figures.
def gold_tau(study: Study) -> tuple[Floats, NDArray[np.int64]]:
    """τ* of every usage with a gold sense, and its row among the instances.

    τ* is the log ratio of its sense's shares among the new and the old usages; infinite ones are
    the largest and smallest finite ones of all words. Where a word has no gold sense at all in one
    of the periods, nothing is known of its change.
    """
    if "sense" not in study.instances.columns or study.instances["sense"].is_null().all():
        raise InputError("The usages of this study have no gold senses, which τ* needs.")
    scores: list[Floats] = []
    places: list[NDArray[np.int64]] = []
    table = study.instances.with_row_index("#row")
    for _, part in table.group_by("word", "old", "new", maintain_order=True):
        is_new = (part["period"] == part["new"]).to_numpy()
        senses = part["sense"].fill_null(NOTHING).to_numpy().astype(str)
        rows = part["#row"].to_numpy().astype(np.int64)
        if all((senses[side] != NOTHING).any() for side in (~is_new, is_new)):
            scores += usage_tau(senses[~is_new], senses[is_new], unknown=NOTHING)
            places += [rows[~is_new], rows[is_new]]
    if not scores:
        raise InputError("No word of this study has gold senses in both periods, which τ* needs.")
    tau, row = np.concatenate(impute(scores)), np.concatenate(places)
    known = ~np.isnan(tau)
    return tau[known], row[known]


def tau_figure(
    tau: ArrayLike, scores: dict[str, ArrayLike], *, width: Width | float = "page"
) -> Figure:
    """Figure 4: τ* of every usage against its scores, and the means of the scores for each τ*.

    Dots are usages, triangles the means over usages of the same τ*, which stand for senses. The
    Spearman correlation of the dots is the instance level of the paper's Table 2, that of the
    triangles its sense level.

    Parameters
    ----------
    tau
        τ* of every usage.
    scores
        What to draw against it by name, one panel each.
    width
        ``column`` or ``page`` of a paper, or inches.
    """
    gold = np.asarray(tau, dtype=np.float64)
    if gold.size < 2:
        raise InputError(f"There are {gold.size} usages with τ*, too few to draw.")
    side = inches(width) / len(scores)
    with house_style():
        figure = new_figure(width, 0.72 * side + 0.45)
        panels = np.atleast_1d(figure.subplots(1, len(scores)))
        for axes, (name, values) in zip(panels, scores.items(), strict=True):
            _draw(axes, gold, np.asarray(values, dtype=np.float64), name, side)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, ncols=2, loc="outside lower center", markerscale=1.5)
    return figure


def means_by_tau(tau: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """The distinct τ* and the mean score of each."""
    distinct, place = np.unique(tau, return_inverse=True)
    return distinct, np.bincount(place, scores) / np.bincount(place)


def _draw(axes: Axes, tau: Floats, scores: Floats, name: str, side: float) -> None:
    distinct, means = means_by_tau(tau, scores)
    dots: dict[str, Any] = {"color": DOTS, "alpha": 0.45, "linewidths": 0, "rasterized": True}
    axes.scatter(tau, scores, 0.7 * side, label="usage", **dots)
    triangles: dict[str, Any] = {"color": MEANS, "marker": "^", "linewidths": 0}
    axes.scatter(distinct, means, 2.3 * side, label="mean of a τ*", **triangles)
    for line in (axes.axhline, axes.axvline):
        line(0, color=FAINT, linewidth=0.5, zorder=0)
    axes.set_xlabel("τ*")
    axes.set_ylabel(name)
    usages, senses = _spearman(tau, scores), _spearman(distinct, means)
    apart, size = (": ", 6.5) if side > 2.5 else ("\n", 5.5)
    axes.set_title(f"Spearman{apart}usages {usages}, means {senses}", fontsize=size)


def _spearman(x: Floats, y: Floats) -> str:
    from scipy.stats import spearmanr

    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return "–"  # ranks need at least two values
    return f"{spearmanr(x, y).statistic:.2f}".replace("-", "−")
