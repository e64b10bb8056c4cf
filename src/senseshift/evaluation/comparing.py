"""Methods against each other on the same splits, and corrected against published."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from senseshift.evaluation.cells import Cell, Column, Method, Number, Table
from senseshift.evaluation.experiments import Evaluation
from senseshift.evaluation.methods import LEVELS, METHODS
from senseshift.evaluation.ours import OURS
from senseshift.evaluation.protocol import Outcome
from senseshift.evaluation.rendering import symbol
from senseshift.evaluation.tables import METHOD

Floats = NDArray[np.float64]

PRINTED = 0.005  # a difference that a printed digit shows
COLUMN = Column("column", "column", "Column")

# What the published scripts do otherwise, for those who wonder why.
BECAUSE = (
    "SUS: their solver stops after 1,000 iterations. f_2 and g_1: with a threshold for each word, "
    "and more λ.",
    "WiDiD: clusters are merged in relabelling; infinite τ are replaced within each set of words.",
    "Gold: τ* and g* are of rounded shares, τ* by the place of a sense in the statistics.",
)


def paired(evaluation: Evaluation) -> Table:
    """Every method less the SUS-based one, split by split."""
    columns = [
        COLUMN, METHOD, Column("less", "reference"),
        Column("difference", "difference", right=True),
        Column("better in", "better", right=True), Column("worse in", "worse", right=True),
        Column("equal in", "equal", right=True),
    ]  # fmt: skip
    rows: list[list[Cell]] = []
    breaks = set()
    for kind, by_paper in LEVELS.items():
        reference = evaluation.outcomes[by_paper[0]]
        ours = [own.name for own in OURS if own.gold == kind and own.name in evaluation.outcomes]
        for column in reference.values:
            breaks.add(len(rows))
            for method in (*by_paper[1:], *ours):
                row = _pair(evaluation.outcomes[method], reference, column)
                rows += [row] if row else []
    notes = [
        "Mean ± standard deviation of the difference over the same splits, and in how many of them "
        "the method is better, worse or equal.",
        "Splits share words and so are not independent: no p-value follows from these counts.",
    ]
    if not rows:
        notes = ["There is nothing to compare: no two methods have a correlation."]
    title = "Methods against the SUS-based one, split by split"
    return Table("paired", title, columns, rows, notes, frozenset(breaks - {0}))


def _pair(outcome: Outcome, reference: Outcome, column: str) -> list[Cell] | None:
    difference = _difference(outcome, reference, column)
    if not difference.size:
        return None
    method, against = outcome.method, reference.method
    counts = {
        "better": (difference > 0).sum(),
        "worse": (difference < 0).sum(),
        "equal": (difference == 0).sum(),
    }
    return [
        column, Method(method), Method(against),
        Number(
            method, f"{column}_less_{against}", float(difference.mean()), float(difference.std()),
            signed=True,
        ),
        *(
            Number(method, f"{column}_{how}_than_{against}", int(count), whole=True)
            for how, count in counts.items()
        ),
    ]  # fmt: skip


def _difference(one: Outcome, other: Outcome, column: str) -> Floats:
    """By split, where both have a correlation."""
    difference = one.values[column] - other.values[column]
    known: Floats = difference[~np.isnan(difference)]
    return known


def differences(corrected: Evaluation, published: Evaluation) -> Table:
    """Where the corrected method and the published one differ, on the same splits."""
    columns = [
        METHOD, COLUMN, Column("corrected", "corrected"), Column("compat", "compat"),
        Column("difference", "difference", right=True),
    ]  # fmt: skip
    rows: list[list[Cell]] = []
    alike: list[str] = []
    unprinted: list[Number] = []
    for method in METHODS:
        ours = corrected.outcomes[method]
        for column in ours.values:
            theirs = published.outcomes[method]
            difference = _difference(ours, theirs, column)
            if not difference.size:
                continue
            row = _differing(ours, theirs, column, difference)
            if abs(difference.mean()) >= PRINTED:
                rows.append(row)
            else:
                alike.append(f"{symbol(method)} {column}")
                unprinted += [cell for cell in row if isinstance(cell, Number)]
    notes = [
        "Corrected less compat, mean ± standard deviation over the same splits; in parentheses "
        "what was selected most often."
    ]
    if alike:
        notes.append(f"They differ by less than {PRINTED} in {', '.join(alike)}.")
    if not rows and not alike:
        notes = ["There is nothing to compare: no method has a correlation in both."]
    title = "Where the corrected method and that of the published scripts (--compat) differ"
    notes += BECAUSE if rows else ()
    return Table("compat", title, columns, rows, notes, unprinted=unprinted)


def _differing(ours: Outcome, theirs: Outcome, column: str, difference: Floats) -> list[Cell]:
    method = ours.method
    row: list[Cell] = [Method(method), column]
    for name, outcome in (("corrected", ours), ("compat", theirs)):
        row.append(
            Number(
                method, f"{name}_{column}", outcome.mean(column), selected=outcome.selected[0],
                shows_selected=True,
            )
        )  # fmt: skip
    mean, spread = float(difference.mean()), float(difference.std())
    return [*row, Number(method, f"difference_{column}", mean, spread, signed=True)]
