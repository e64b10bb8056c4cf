"""Figure 3: how SUS is spread in each period."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from senseshift.colours import EDGE, Scale
from senseshift.errors import InputError
from senseshift.figures.mapping import colour_map
from senseshift.figures.style import (
    FAINT,
    INK,
    Width,
    house_style,
    inches,
    new_figure,
    period_label,
)
from senseshift.formats import signed
from senseshift.study.word_view import WordView

if TYPE_CHECKING:
    from senseshift.study import Study


def histograms(
    study: Study,
    words: str | Sequence[str],
    *,
    width: Width | float = "column",
    periods: Sequence[str] | None = None,
) -> Figure:
    """Figure 3: the SUS of a word's old usages above those of its new ones.

    Both have the same bins and axes, so that they can be compared at a glance: where the new
    usages spread more (a larger variance σ²) the meaning broadened, where the old ones do it
    narrowed. Bars have the colours of the maps; the dashed line is the mean.
    """
    views = [study.view(word, periods) for word in ([words] if isinstance(words, str) else words)]
    if not views:
        raise InputError("There is nothing to draw: name at least one word.")
    rows = math.ceil(len(views) / (1 if inches(width) < 4 else 3))
    columns = math.ceil(len(views) / rows)
    scale = Scale.over([view.sus for view in views])
    with house_style():
        figure = new_figure(width, rows * min(1.9, 0.3 + 0.75 * inches(width) / columns))
        parts = figure.subfigures(rows, columns, squeeze=False).ravel()
        for part, view in zip(parts, views, strict=False):
            part.suptitle(view.word, style="italic", fontsize=8)
            _draw(part.subplots(2, 1, sharex=True, sharey=True), view, scale)
    return figure


def _draw(axes: Sequence[Axes], view: WordView, scale: Scale) -> None:
    edges = view.bins
    middle = (edges[:-1] + edges[1:]) / 2
    colours = colour_map(scale)(Normalize(-scale.high, scale.high)(middle))
    sides = (("old", view.old, view.sus[~view.is_new]), ("new", view.new, view.sus[view.is_new]))
    for panel, (side, period, values) in zip(axes, sides, strict=True):
        shares = np.histogram(values, edges)[0] / values.size
        panel.bar(middle, shares, np.diff(edges), color=colours, edgecolor=EDGE, linewidth=0.3)
        panel.axvline(0, color=FAINT, linewidth=0.5, zorder=0)
        panel.axvline(values.mean(), color=INK, linewidth=0.7, linestyle=(0, (3, 2)))
        panel.set_title(period_label(side, period), loc="left", fontsize=7, pad=2)
        panel.set_title(
            f"mean {signed(values.mean())}   σ² {values.var():.2g}", loc="right", fontsize=6, pad=2
        )
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.yaxis.set_major_locator(MaxNLocator(3))
    axes[-1].xaxis.set_major_locator(MaxNLocator(5))
    axes[-1].set_xlabel("SUS")
    axes[-1].figure.supylabel("share of usages", fontsize=7)
