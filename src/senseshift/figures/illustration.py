"""Figure 5: what balanced and unbalanced transport do to a word that gained a sense."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Patch, Rectangle

from senseshift.colours import DIVERGING, SENSES
from senseshift.figures.style import INK, Width, house_style, inches, new_figure
from senseshift.formats import signed
from senseshift.transport import Transport, solve

# A word that gained a sense; what the usages cost each other is made up to fit.
OLD = ("mouse in a trap", "quiet as a mouse", "a mouse ran by", "mice in the barn")
NEW = ("cat and mouse", "a field mouse", "click the mouse", "wireless mouse")
SENSE = {"old": (0, 0, 0, 0), "new": (0, 0, 1, 1)}
SENSE_NAMES = ("animal", "device")
COST = (
    (0.10, 0.22, 0.95, 1.00),
    (0.20, 0.12, 0.90, 0.98),
    (0.25, 0.30, 0.85, 0.90),
    (0.30, 0.20, 0.92, 0.86),
)
RHO = 0.5

SIDES = {"old": 3.0, "new": 6.4}  # where the columns stand; rows are one apart
RADIUS = 0.27
CROSSING = DIVERGING[-1]  # the colour of transport from one sense to another


def method_figure(*, width: Width | float = "column") -> Figure:
    """Figure 5: OT above UOT for a small word, as an illustration of the method.

    Circles are old usages, squares new ones, coloured by sense and filled by the share of their
    weight that is transported; lines are as wide as the mass they move, red from one sense to
    another. OT must send half of the old usages to the new sense. UOT leaves weight behind: new
    usages that find no partner have a high SUS, old usages whose sense lost its share a low one.
    The costs are made up, the transports are computed.
    """
    transports = {
        "OT: every usage must find a partner": solve(COST, method="balanced"),
        "UOT: what finds no partner stays behind": solve(COST, rho=RHO),
    }
    with house_style():
        figure = new_figure(width, 1.02 * inches(width) + 0.4)
        for axes, (title, transport) in zip(figure.subplots(2, 1), transports.items(), strict=True):
            _draw(axes, transport)
            axes.set_title(title, fontsize=7.5, pad=3)
        senses = [
            Patch(facecolor=colour, label=name)
            for colour, name in zip(SENSES, SENSE_NAMES, strict=False)
        ]
        figure.legend(
            handles=senses, ncols=2, loc="outside lower center", handlelength=0.8, handleheight=0.8
        )
    return figure


def _draw(axes: Axes, transport: Transport) -> None:
    weight = transport.a[0]
    arcs = transport.arcs
    for row, column, mass in zip(arcs.rows, arcs.columns, arcs.mass, strict=True):
        crossing = SENSE["old"][row] != SENSE["new"][column]
        start, end = (SIDES["old"] + RADIUS, -row), (SIDES["new"] - RADIUS, -column)
        axes.add_patch(
            FancyArrowPatch(
                start, end, arrowstyle="-|>", mutation_scale=4 + 3 * mass / weight,
                linewidth=2.2 * mass / weight, color=CROSSING if crossing else INK,
                shrinkA=1.5, shrinkB=1.5, joinstyle="miter",
            )
        )  # fmt: skip
    scored = transport.method != "balanced"
    moved = {"old": transport.old_mass / transport.a, "new": transport.new_mass / transport.b}
    for side, texts, sus in (
        ("old", OLD, transport.sus_old),
        ("new", NEW, transport.sus_new),
    ):
        for k, text in enumerate(texts):
            _usage(axes, side, k, SENSES[SENSE[side][k]], float(moved[side][k]))
            away = -1 if side == "old" else 1
            axes.text(
                SIDES[side] + away * 0.45, -k,
                f"{text}\nSUS {signed(sus[k], 2)}" if scored else text,
                ha="right" if side == "old" else "left", va="center", fontsize=5.8, linespacing=1.1,
            )  # fmt: skip
    axes.set_xlim(0, sum(SIDES.values()))
    axes.set_ylim(-len(OLD) + 0.5, 0.95)
    axes.set_aspect("equal")
    axes.set_axis_off()
    for side in SIDES:
        axes.text(SIDES[side], 0.52, side, ha="center", va="bottom", fontsize=6.5, style="italic")


def _usage(axes: Axes, side: str, row: int, colour: str, filled: float) -> None:
    """A circle or a square, filled from below."""
    x, y = SIDES[side], -row
    low, size = (x - RADIUS, y - RADIUS), 2 * RADIUS
    shape = Circle((x, y), RADIUS) if side == "old" else Rectangle(low, size, size)
    shape.set(facecolor="white", edgecolor=colour, linewidth=0.8, zorder=2)
    axes.add_patch(shape)
    level = Rectangle(low, size, size * min(filled, 1.0), facecolor=colour, linewidth=0, zorder=3)
    axes.add_patch(level)
    level.set_clip_path(shape)
