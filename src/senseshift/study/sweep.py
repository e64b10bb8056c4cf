"""One word over a grid of penalties: what of its SUS depends on ρ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from senseshift.formats import number, plural
from senseshift.measures.scores import log_variance_ratio, mean_difference
from senseshift.study.word_view import WordView
from senseshift.transport import path

Floats = NDArray[np.float64]

RHOS = tuple(float(rho) for rho in 2.0 ** np.arange(-3.0, 3.5, 0.5))  # 1/8 … 8, 1 in the middle
WIDTH = 80


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """SUS of one word's usages at each of several ρ.

    Attributes
    ----------
    view
        The word, whose usages are the columns of ``sus``.
    rhos
        The penalties, in the order they were asked for.
    sus
        A row for each of them.
    sus_error
        By how much any SUS may be off.
    """

    view: WordView
    rhos: tuple[float, ...]
    sus: Floats
    sus_error: float

    @cached_property
    def usages(self) -> pl.DataFrame:
        """A row for each ρ and usage: ``rho, usage, id, period, sus``."""
        usages = self.view.usages.select("usage", "id", "period")
        return pl.concat(
            usages.select(pl.lit(rho).alias("rho"), pl.all(), pl.Series("sus", sus))
            for rho, sus in zip(self.rhos, self.sus, strict=True)
        )

    @cached_property
    def words(self) -> pl.DataFrame:
        """A row for each ρ: ``rho, f_SUS, g_SUS`` and the mean SUS of either side."""
        sides = [(sus[~self.view.is_new], sus[self.view.is_new]) for sus in self.sus]
        return pl.DataFrame(
            {
                "rho": self.rhos,
                "f_SUS": [mean_difference(*side) for side in sides],
                "g_SUS": [log_variance_ratio(*side) for side in sides],
                "old_sus": [float(old.mean()) for old, _ in sides],
                "new_sus": [float(new.mean()) for _, new in sides],
            },
            schema_overrides={"rho": pl.Float64},
        )

    def of(self, chosen: NDArray[np.bool_]) -> Floats:
        """The mean SUS of some usages at each ρ."""
        means: Floats = self.sus[:, chosen].mean(axis=1)
        return means

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        view, olds = self.view, int((~self.view.is_new).sum())
        usages = f"{olds}+{plural(view.is_new.size - olds, 'usage')}"
        yield Text(f"{view.word}, {view.old} → {view.new}, {usages}, over ρ")
        table = Table(box=None, pad_edge=False)
        for name in self.words.columns:
            table.add_column(name, justify="right")
        for rho, *values in self.words.iter_rows():
            table.add_row(f"{rho:.3g}", *map(number, values))
        yield table

    def __str__(self) -> str:
        console = Console(width=WIDTH, color_system=None)
        with console.capture() as text:
            console.print(self)
        return text.get().rstrip()

    __repr__ = __str__


def sweep(view: WordView, rhos: Sequence[float] | None = None) -> Sweep:
    """One word of a study at each ρ, in the cost and the weights that the study has."""
    grid = RHOS if rhos is None else tuple(float(rho) for rho in rhos)
    solved = path(view.comparison.cost, *view.comparison.mass, rhos=grid)
    sus = np.array([np.concatenate((one.sus_old, one.sus_new)) for one in solved])
    return Sweep(view, grid, sus, max(one.sus_error for one in solved))
