"""Figure 2: the balanced and the unbalanced transport of a word side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from senseshift.colours import SAME_SENSE
from senseshift.figures.style import INK, Width, house_style, inches, new_figure, period_label
from senseshift.study.word_view import WordView, runs
from senseshift.transport.result import Arcs

if TYPE_CHECKING:
    from senseshift.study import Study

LINE = "#c9c9c9"
MOST = 4.0  # points that a cell counts, however few there are
NAMED_FROM = 0.06  # the share of usages from which a group's name has room at an axis


def plans(
    study: Study,
    words: str | Sequence[str],
    *,
    width: Width | float = "column",
    periods: Sequence[str] | None = None,
) -> Figure:
    """Figure 2: what OT and UOT move from old usages (rows) to new ones (columns).

    Usages are ordered by gold sense and then from left to right on the map; where there are no
    gold senses, by the clusters of WiDiD. Shaded blocks are of one sense, lines part the senses,
    and the area of a dot is the mass moved. Above each plan stands how much of the mass goes from
    one sense to another: OT must move it, UOT may leave it where it has no counterpart.
    """
    views = [study.view(word, periods) for word in ([words] if isinstance(words, str) else words)]
    side = inches(width) / 2
    with house_style():
        figure = new_figure(width, len(views) * (side + 0.62))
        parts = figure.subfigures(len(views), 1, squeeze=False)
        for part, view in zip(parts[:, 0], views, strict=True):
            part.suptitle(view.word, style="italic", fontsize=8)
            left, right = part.subplots(1, 2)
            _draw(left, view, view.balanced, "OT", side)
            _draw(right, view, view.plan, "UOT", side)
            left.set_ylabel(period_label("old", view.old))
    return figure


def between_groups(view: WordView, arcs: Arcs) -> float:
    """The share of the moved mass that goes from one group to another; NaN if none has a group."""
    labels = np.array(view.groups[1], dtype=object)
    old, new = labels[~view.is_new][arcs.rows], labels[view.is_new][arcs.columns]
    pairs = zip(old, new, strict=True)
    known = np.array([a is not None and b is not None for a, b in pairs], dtype=bool)
    moved = float(arcs.mass[known].sum())
    return float(arcs.mass[known & (old != new)].sum()) / moved if moved > 0.0 else float("nan")


def _draw(axes: Axes, view: WordView, arcs: Arcs, name: str, side: float) -> None:
    old_order, new_order = view.order
    old_groups, new_groups = view.group_order
    _blocks(axes, old_groups, new_groups)
    row, column = np.argsort(old_order), np.argsort(new_order)
    cell = min(72 * 0.8 * side / max(old_order.size, new_order.size), MOST)
    full = 1.0 / max(old_order.size, new_order.size)  # the mass of a usage of the larger side
    axes.scatter(
        column[arcs.columns] + 0.5, row[arcs.rows] + 0.5, marker="o", linewidths=0, color=INK,
        s=np.minimum(arcs.mass / full, 2.0) * max(1.6 * cell, 1.2) ** 2,
        rasterized=arcs.mass.size > 5_000,
    )  # fmt: skip
    axes.set_xlim(0, new_order.size)
    axes.set_ylim(old_order.size, 0)
    axes.set_aspect("auto")
    axes.set_box_aspect(1)
    axes.spines[:].set(visible=True, color=INK)
    _name_groups(axes, old_groups, new_groups)
    axes.set_xlabel(period_label("new", view.new))
    crossing = between_groups(view, arcs)
    kind = {"sense": "senses", "cluster": "clusters"}.get(view.groups[0], "")
    said = f"\n{crossing:.0%} between {kind}" if np.isfinite(crossing) else ""
    axes.set_title(f"{name}, {arcs.mass.sum():.0%} moved{said}", fontsize=7)


def _blocks(axes: Axes, old: list[str | None], new: list[str | None]) -> None:
    columns = {group: (start, end) for group, start, end in runs(new)}
    for group, top, bottom in runs(old):
        if group is not None and group in columns:
            left, right = columns[group]
            block = Rectangle((left, top), right - left, bottom - top)
            block.set(color=SAME_SENSE, linewidth=0, zorder=0)
            axes.add_patch(block)
    style = {"color": LINE, "linewidth": 0.4, "zorder": 0.5}
    for _, _, end in runs(old)[:-1]:
        axes.axhline(end, **style)  # type: ignore[arg-type]
    for _, _, end in runs(new)[:-1]:
        axes.axvline(end, **style)  # type: ignore[arg-type]


def _name_groups(axes: Axes, old: list[str | None], new: list[str | None]) -> None:
    for axis, groups in ((axes.yaxis, old), (axes.xaxis, new)):
        named = [
            ((start + end) / 2, "–" if group is None else group[:8])
            for group, start, end in runs(groups)
            if end - start >= NAMED_FROM * len(groups)
        ]
        if set(groups) == {None}:
            named = []
        axis.set_ticks([at for at, _ in named], [name for _, name in named])
        axis.set_tick_params(length=0)
