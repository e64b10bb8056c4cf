"""What the penalty does to a word: f_SUS and the SUS of its senses over ρ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from senseshift.colours import sense_colours
from senseshift.figures.style import FAINT, INK, Width, house_style, new_figure, period_label
from senseshift.study.sweep import Sweep

if TYPE_CHECKING:
    from senseshift.study import Study

MOST = 5  # senses that have lines of their own
DASHED: tuple[float, tuple[float, float]] = (0, (3, 2))
SOLID: tuple[float, tuple[float, ...]] = (0, ())


def path_figure(
    study: Study,
    word: str,
    *,
    rhos: Sequence[float] | None = None,
    width: Width | float = "column",
    periods: Sequence[str] | None = None,
) -> Figure:
    """A word over the penalty ρ: f_SUS above, the mean SUS of its senses below.

    Solid lines are of new usages, dashed ones of old usages. Without gold or induced senses there
    is one line for each side. The upright line is the ρ of the study, where it has one.
    """
    found = study.path(word, rhos, periods=periods)
    rho = study.about["settings"].get("rho")
    with house_style():
        figure = new_figure(width, 2.7)
        figure.suptitle(word, style="italic", fontsize=8)
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
        order = np.argsort(found.rhos)
        x = np.array(found.rhos)[order]
        upper.plot(x, found.words["f_SUS"].to_numpy()[order], color=INK, linewidth=1.0)
        upper.set_ylabel("f_SUS")
        upper.set_ylim(bottom=0)
        _senses(lower, found, x, order)
        lower.set_ylabel("mean SUS")
        lower.set_xlabel("penalty ρ")
        lower.axhline(0, color=FAINT, linewidth=0.5, zorder=0)
        for axes in (upper, lower):
            axes.yaxis.set_major_locator(MaxNLocator(4))
            if rho is not None:
                axes.axvline(rho, color=FAINT, linewidth=0.7, zorder=0)
        lower.set_xscale("log")
        lower.set_xticks(x[:: max(1, -(-x.size // 7))])
        lower.xaxis.set_minor_locator(NullLocator())
        lower.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}"))
    return figure


def _senses(axes: Axes, found: Sweep, x: np.ndarray, order: np.ndarray) -> None:
    """Lines of the most frequent senses on either side, or of the sides alone."""
    view = found.view
    kind, labels = view.groups
    known = kind in ("sense", "induced_sense")
    colours = dict(list(sense_colours(labels).items())[:MOST]) if known else {"": INK}
    of_sense = np.array(labels if known else [""] * len(labels), dtype=object)
    sides = ((~view.is_new, DASHED), (view.is_new, SOLID))
    for sense, colour in colours.items():
        for side, dashes in sides:
            own = side & (of_sense == sense)
            if own.any():
                axes.plot(x, found.of(own)[order], color=colour, linewidth=0.9, linestyle=dashes)
    handles = [
        Line2D([], [], color=INK, linewidth=0.9, linestyle=dashes, label=period_label(*named))
        for named, (_, dashes) in zip((("old", view.old), ("new", view.new)), sides, strict=True)
    ]
    if known:
        handles += [
            Line2D([], [], color=colour, linewidth=0.9, label=f"sense {sense}")
            for sense, colour in colours.items()
        ]
    axes.figure.legend(
        handles=handles, loc="outside lower center", ncols=2 if len(handles) < 5 else 3
    )
