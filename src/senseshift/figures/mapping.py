"""Figures 1 and 6: words on their maps, usages coloured by SUS, by LDR or by gold sense."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from senseshift.colours import EDGE, NO_SENSE, OTHER_SENSES, Scale, sense_colours
from senseshift.errors import InputError
from senseshift.figures.style import INK, Width, house_style, inches, new_figure, period_label
from senseshift.measures import INSTANCE, UsageMeasure
from senseshift.measures.registry import chosen
from senseshift.study.word_view import WordView

if TYPE_CHECKING:
    from senseshift.study import Study

SENSE = "sense"
COLOURS = ("sus", "ldr", SENSE)  # of the paper's figures
MARKERS = {False: "o", True: "s"}  # old usages are circles, new ones squares
ACROSS = 3  # maps beside each other on a page
LONGEST = 18  # characters of a sense in a legend
TALLEST = 8.6  # inches: a page of the ACL's papers less a caption


def word_map(
    study: Study,
    word: str,
    *,
    colour: str = "sus",
    alongside: Sequence[str] = (),
    width: Width | float = "column",
    periods: Sequence[str] | None = None,
) -> Figure:
    """Figure 1: the usages of a word on a t-SNE map of perplexity 30.

    Circles are old usages, squares new ones. Red usages are of senses whose share rose, blue ones
    of senses whose share fell; or each gold sense has its colour.

    Parameters
    ----------
    study, word
        The study and one of its words.
    colour
        An instance measure such as ``sus`` or ``ldr``, or ``sense``. LDR is shown as
        sgn(x)·log(1 + |x|). Scores up to the 30 % quantile of their sizes are white, those from
        the 95 % quantile on have the darkest colour.
    alongside
        Words whose maps are shown beside this one, in figures of their own: the scale of the
        colours is the same for all of them.
    width
        ``column`` or ``page`` of a paper, or inches.
    periods
        The two periods, where the study compares more than one pair.
    """
    return maps(study, [word], colours=[colour], alongside=alongside, width=width, periods=periods)


def maps(
    study: Study,
    words: Sequence[str],
    *,
    colours: Sequence[str] = ("sus",),
    alongside: Sequence[str] = (),
    width: Width | float = "page",
    periods: Sequence[str] | None = None,
) -> Figure:
    """Figure 6: several words on one page, their colours on one scale.

    With one way of colouring the words fill a grid; with several there is a row for each word and
    a column for each colouring. The scale of a score is the paper's for all the words shown: white
    up to the smallest of their 30 % quantiles, darkest from the largest of their 95 % quantiles.
    """
    views = [study.view(word, periods) for word in words]
    _check(views, colours)
    compared = views + [study.view(word, periods) for word in alongside]
    grid_of_words = len(colours) == 1
    rows, columns = _shape(len(views), len(colours), inches(width))
    side = inches(width) / columns
    with house_style():
        figure = new_figure(width, _height(views, colours, rows, side))
        grid = figure.subplots(rows, columns, squeeze=False)
        scales: dict[str, Scale] = {
            colour: Scale.over([view.coloured(measure_of(colour)) for view in compared])
            for colour in colours
            if colour != "sense"
        }
        cells = [(view, colour) for view in views for colour in colours]
        for axes, (view, colour) in zip(grid.flat, cells, strict=False):
            _draw(axes, view, colour, scales.get(colour), side)
            if colour == "sense":
                _sense_legend(axes, view, side, beside=not grid_of_words)
        _name_panels(grid, views, colours)
        for colour, scale in scales.items():
            column = list(grid[:, list(colours).index(colour)])
            beside = list(grid.flat) if grid_of_words else column
            _colour_bar(
                figure, beside, scale, measure_of(colour).scale_name, 5 if len(scales) == 1 else 3
            )
        figure.legend(handles=_period_handles(views[0]), ncols=2, loc="outside lower center")
    return figure


def _shape(words: int, colours: int, across: float) -> tuple[int, int]:
    """Rows and columns: a grid of words, or a row for each word."""
    if colours > 1:
        return words, colours
    rows = math.ceil(words / (ACROSS if across > 4 else 2))
    return rows, math.ceil(words / rows)


def _height(views: list[WordView], colours: Sequence[str], rows: int, side: float) -> float:
    """Inches: the maps, a legend of senses where it stands below, the scale and the periods."""
    panel = min(0.8 * side, 3.6) + 0.15
    if list(colours) != ["sense"]:
        return min(rows * panel + 0.55, max(TALLEST, rows * 1.2))
    most = max(len(_sense_handles(view)) for view in views)
    return rows * (panel + 0.13 * math.ceil(most / _legend_columns(side))) + 0.2


def _legend_columns(side: float) -> int:
    return max(2, round(side))


def measure_of(colour: str) -> UsageMeasure:
    """The instance measure of that name."""
    return chosen(INSTANCE, [colour])[0]


def _check(views: list[WordView], colours: Sequence[str]) -> None:
    if not views or not colours:
        raise InputError("There is nothing to draw: name at least one word and one colouring.")
    for colour in colours:
        known = [*(m.name for m in views[0].measures), SENSE]
        if colour not in known:
            raise InputError(f"The colouring {colour!r} is not one of {', '.join(known)}.")
    if "sense" in colours:
        for view in views:
            if view.senses is None:
                raise InputError(f"The usages of {view.word!r} have no gold senses to colour by.")


def _draw(axes: Axes, view: WordView, colour: str, scale: Scale | None, side: float) -> None:
    """One map."""
    size = float(np.clip(16.0 * (side / 3.0) ** 1.2 * (200 / len(view.places)) ** 0.5, 1.5, 20.0))
    style: dict[str, Any] = {"linewidths": 0.3, "edgecolors": EDGE}
    if scale is None:
        shown = sense_colours(view.senses or [])
        fills = np.array([NO_SENSE if s is None else shown[s] for s in view.senses or []])
        strength = np.array([s is not None for s in view.senses or []], dtype=float)
    else:
        values = view.coloured(measure_of(colour))
        style |= {"cmap": colour_map(scale), "norm": Normalize(-scale.high, scale.high)}
        fills, strength = values, np.abs(values)
    for is_new, marker in MARKERS.items():
        rows = np.flatnonzero(view.is_new == is_new)
        rows = rows[np.argsort(strength[rows], kind="stable")]  # what matters lies on top
        x, y = view.places[rows].T
        # A square looks larger than a circle of the same width.
        area = 0.8 * size if is_new else size
        axes.scatter(x, y, area, c=fills[rows], marker=marker, **style)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.06)
    axes.spines[:].set(visible=True, color="#c8c8c8")


def _sense_legend(axes: Axes, view: WordView, side: float, *, beside: bool) -> None:
    place: dict[str, Any] = (
        {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}
        if beside
        else {
            "loc": "upper center",
            "bbox_to_anchor": (0.5, -0.01),
            "ncols": _legend_columns(side),
        }
    )
    axes.legend(handles=_sense_handles(view), fontsize=6.5 if side > 2.5 else 5.5, **place)


def _name_panels(grid: Any, views: list[WordView], colours: Sequence[str]) -> None:
    if len(colours) == 1:
        for axes, view in zip(grid.flat, views, strict=False):
            axes.set_title(view.word, style="italic")
        for axes in grid.flat[len(views) :]:
            axes.set_axis_off()
        return
    for axes, colour in zip(grid[0], colours, strict=True):
        axes.set_title("gold sense" if colour == SENSE else measure_of(colour).symbol)
    for axes, view in zip(grid[:, 0], views, strict=True):
        axes.set_ylabel(view.word, style="italic", fontsize=8)


def colour_map(scale: Scale) -> LinearSegmentedColormap:
    """The colours of a scale from −high to +high."""
    return LinearSegmentedColormap.from_list("shift", scale.stops, N=512)


def _colour_bar(figure: Figure, beside: list[Axes], scale: Scale, label: str, ticks: int) -> None:
    shades = ScalarMappable(Normalize(-scale.high, scale.high), colour_map(scale))
    bar = figure.colorbar(
        shades, ax=beside, location="bottom", extend="both", extendfrac=0.04,
        fraction=0.04, aspect=30, shrink=0.8 if ticks == 3 or len(beside) == 1 else 0.5, pad=0.02,
        label=f"fell  ◂  {label}  ▸  rose",
    )  # fmt: skip
    bar.outline.set_linewidth(0.4)
    bar.ax.xaxis.set_major_locator(MaxNLocator(ticks, symmetric=True))


def _period_handles(view: WordView) -> list[Line2D]:
    labels = {False: period_label("old", view.old), True: period_label("new", view.new)}
    return [
        Line2D(
            [], [], linestyle="", marker=marker, label=labels[is_new], markersize=4,
            markerfacecolor="white", markeredgecolor=INK, markeredgewidth=0.6,
        )
        for is_new, marker in MARKERS.items()
    ]  # fmt: skip


def _sense_handles(view: WordView) -> list[Line2D]:
    """The senses by frequency, each with its numbers of old and new usages."""
    senses = view.senses or []
    counts: dict[str | None, list[int]] = {}
    for sense, is_new in zip(senses, view.is_new, strict=True):
        counts.setdefault(sense, [0, 0])[int(is_new)] += 1
    entries: list[tuple[str, str, list[int]]] = []
    shown = sense_colours(senses)
    rest = [sense for sense, fill in shown.items() if fill == OTHER_SENSES]
    for sense, fill in shown.items():
        if sense not in rest:
            entries.append((_cut(sense), fill, counts[sense]))
    if rest:
        pooled = np.sum([counts[sense] for sense in rest], axis=0).tolist()
        name = _cut(rest[0]) if len(rest) == 1 else f"{len(rest)} others"
        entries.append((name, OTHER_SENSES, pooled))
    if None in counts:
        entries.append(("no sense", NO_SENSE, counts[None]))
    return [
        Line2D(
            [], [], linestyle="", marker="o", label=f"{name}: {old} → {new}", markersize=4,
            markerfacecolor=fill, markeredgecolor=EDGE, markeredgewidth=0.3,
        )
        for name, fill, (old, new) in entries
    ]  # fmt: skip


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"
