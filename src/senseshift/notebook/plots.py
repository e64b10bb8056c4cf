"""Plotly figures of one word: its map, its SUS by period, its transport."""

from __future__ import annotations

import textwrap
from html import escape
from itertools import product
from typing import Any

import numpy as np
import plotly.graph_objects as go

from senseshift.colours import EDGE, NO_SENSE, SAME_SENSE, Scale, natural, sense_colours
from senseshift.errors import InputError
from senseshift.formats import signed
from senseshift.measures import UsageMeasure
from senseshift.study.contexts import in_context
from senseshift.study.word_view import LABELS, Ints, WordView, runs
from senseshift.transport.result import Arcs

SYMBOLS = ("circle", "square")  # of old and of new usages
AROUND, WIDE = 140, 70  # characters of context, and of a line, under the pointer
LINE = {"width": 0.6, "color": EDGE}


def map_plot(view: WordView, colour: str = "sus") -> go.Figure:
    """The usages on their map; under the pointer each says what it is."""
    measures = {m.name: m for m in view.measures}
    figure = go.Figure()
    if colour in LABELS:
        _add_groups(figure, view, colour)
    elif colour in measures:
        _add_scores(figure, view, measures[colour])
    else:
        known = ", ".join((*measures, *LABELS))
        raise InputError(f"The colouring {colour!r} is not one of {known}.")
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False, scaleanchor="x")
    return _laid_out(figure, f"{plain(view.word)}: ○ {plain(view.old)}, □ {plain(view.new)}", 560)


def _add_scores(figure: go.Figure, view: WordView, measure: UsageMeasure) -> None:
    values = view.coloured(measure)
    scale = Scale.over([values])
    for side, (period, rows) in enumerate(_periods(view)):
        marker: dict[str, Any] = {
            "color": values[rows], "colorscale": scale.stops, "cmin": -scale.high,
            "cmax": scale.high, "symbol": SYMBOLS[side], "size": 8, "line": LINE,
            "showscale": side == 0,
            "colorbar": {"title": {"text": measure.scale_name}, "thickness": 12},
        }  # fmt: skip
        _add_usages(figure, view, rows, period, marker, showlegend=False)


def _add_groups(figure: go.Figure, view: WordView, colour: str) -> None:
    labels = view.labels(colour)
    if labels is None:
        raise InputError(f"The usages of {view.word!r} have no {colour} to colour by.")
    colours = sense_colours(labels)
    symbols = np.where(view.is_new, SYMBOLS[1], SYMBOLS[0])
    for label in sorted(set(labels), key=natural):
        rows = np.array([row for row, other in enumerate(labels) if other == label])
        fill = NO_SENSE if label is None else colours[label]
        marker = {"color": fill, "symbol": symbols[rows], "size": 8, "line": LINE}
        name = f"no {colour}" if label is None else f"{colour} {label}"
        _add_usages(figure, view, rows, name, marker, showlegend=True)


def _add_usages(
    figure: go.Figure, view: WordView, rows: Ints, name: str, marker: dict[str, Any], **rest: Any
) -> None:
    x, y = view.places[rows].T
    figure.add_scatter(
        x=x, y=y, mode="markers", name=plain(name), marker=marker,
        hovertext=[_said(view, int(row)) for row in rows], hoverinfo="text", **rest,
    )  # fmt: skip


def histogram_plot(view: WordView) -> go.Figure:
    """The SUS of the old and of the new usages, each as shares of its period."""
    edges = view.bins
    middle = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure()
    for (period, rows), fill in zip(_periods(view), ("#8c8c8c", "#009e73"), strict=True):
        counts = np.histogram(view.sus[rows], edges)[0]
        figure.add_bar(
            x=middle, y=counts / rows.size, width=np.diff(edges), name=plain(period),
            marker={"color": fill, "opacity": 0.6, "line": {"width": 0}},
            hovertext=[
                f"{count} of {rows.size} usages, SUS {signed(low)} … {signed(high)}"
                for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True)
            ],
            hoverinfo="text+name",
        )  # fmt: skip
        figure.add_vline(float(view.sus[rows].mean()), line={"color": fill, "dash": "dash"})
    figure.update_layout(barmode="overlay", bargap=0)
    figure.update_xaxes(title_text="SUS")
    figure.update_yaxes(title_text="share of usages", tickformat=".0%")
    return _laid_out(figure, f"{plain(view.word)}: SUS by period", 380)


def plan_plot(view: WordView) -> go.Figure:
    """The transport from old usages (rows) to new ones (columns), unbalanced or balanced.

    Usages are ordered by group and then from left to right on the map; blocks of one group are
    shaded.
    """
    figure = go.Figure()
    for name, arcs in (("UOT", view.plan), ("OT", view.balanced)):
        _add_arcs(figure, view, arcs, name)
    for (old, top, bottom), (new, left, right) in product(*map(runs, view.group_order)):
        if old is not None and old == new:
            figure.add_shape(
                type="rect", x0=left - 0.5, x1=right - 0.5, y0=top - 0.5, y1=bottom - 0.5,
                fillcolor=SAME_SENSE, line={"width": 0}, layer="below",
            )  # fmt: skip
    figure.data[1].visible = False
    buttons = [
        {"label": label, "method": "restyle", "args": [{"visible": [k == 0, k == 1]}]}
        for k, label in enumerate(("unbalanced (UOT)", "balanced (OT)"))
    ]
    menu = {"type": "buttons", "direction": "right", "x": 1, "xanchor": "right", "y": 1.12}
    figure.update_layout(updatemenus=[menu | {"buttons": buttons}], showlegend=False)
    counts = [order.size for order in view.order]
    axis = {"showticklabels": False, "showgrid": False, "zeroline": False}
    figure.update_xaxes(title_text=plain(view.new), range=[-0.5, counts[1] - 0.5], **axis)
    figure.update_yaxes(title_text=plain(view.old), range=[counts[0] - 0.5, -0.5], **axis)
    return _laid_out(figure, f"{plain(view.word)}: transport", 600)


def _add_arcs(figure: go.Figure, view: WordView, arcs: Arcs, name: str) -> None:
    (_, old), (_, new) = _periods(view)
    row, column = (np.argsort(order) for order in view.order)
    figure.add_scatter(
        x=column[arcs.columns], y=row[arcs.rows], mode="markers", name=name,
        marker={
            "color": "#222222", "size": arcs.mass, "sizemode": "area", "line": {"width": 0},
            "sizeref": 2.0 * float(arcs.mass.max(initial=1e-12)) / 7.0**2,
        },
        hovertext=[
            f"{_said(view, int(old[i]))}<br>→ {mass * min(old.size, new.size):.2f} of a usage<br>"
            f"{_said(view, int(new[j]))}"
            for i, j, mass in zip(arcs.rows, arcs.columns, arcs.mass, strict=True)
        ],
        hoverinfo="text",
    )  # fmt: skip


def _periods(view: WordView) -> tuple[tuple[str, Ints], tuple[str, Ints]]:
    """The periods and the rows of their usages."""
    old, new = np.flatnonzero(~view.is_new), np.flatnonzero(view.is_new)
    return (view.old, old), (view.new, new)


def _laid_out(figure: go.Figure, title: str, height: int) -> go.Figure:
    return figure.update_layout(
        title={"text": title, "x": 0.02, "font": {"size": 15}}, template="plotly_white",
        height=height, margin={"l": 50, "r": 20, "t": 70, "b": 50}, hoverlabel={"align": "left"},
    )  # fmt: skip


def _said(view: WordView, row: int) -> str:
    """A usage as it appears under the pointer."""
    usage = view.usages.row(row, named=True)
    left, target, right = in_context(usage["text"], usage["start"], usage["end"], AROUND)
    marked = f"{left}\0{target}\1{right}"  # marks that no text has, until lines are broken
    lines = "<br>".join(plain(line) for line in textwrap.wrap(marked, WIDE))
    context = lines.replace("\0", "<b>").replace("\1", "</b>")
    facts = [usage["period"], usage.get("date"), usage.get("source")]
    facts += [f"{m.symbol} {signed(usage[m.name], m.digits)}" for m in view.measures]
    facts += [f"sense {usage['sense']}"] if usage.get("sense") is not None else []
    return f"{context}<br>{plain(' · '.join(str(fact) for fact in facts if fact))}"


def plain(text: str) -> str:
    """Text that plotly takes for neither markup nor mathematics.

    >>> plain("<b> $x$")
    '&lt;b&gt; &#36;x&#36;'
    """
    return escape(text, quote=False).replace("$", "&#36;")
