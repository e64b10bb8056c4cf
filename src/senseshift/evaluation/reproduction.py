"""What ``reproduce`` found: tables to print, and everything as files."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from senseshift.errors import InputError
from senseshift.evaluation.cells import Table
from senseshift.evaluation.experiments import Evaluation
from senseshift.evaluation.gold import Gold
from senseshift.evaluation.rendering import in_terminal, write_table
from senseshift.folders import files_whole
from senseshift.progress import Progress
from senseshift.study import Study
from senseshift.study.printing import WIDTH
from senseshift.writing import written_whole

OURS = [f"*.{suffix}" for suffix in ("csv", "tex", "json", "parquet", "pdf", "svg", "png")]
PARTS = ("tables", "figures", "gold", "study")  # the folders that are written


@dataclass(frozen=True, eq=False, repr=False)
class Reproduction:
    """The paper's experiments on one data set.

    Attributes
    ----------
    study
        All usages at λ = 100: what examples and figures are made of.
    words
        The words of examples and figures.
    gold
        Gold senses, τ* of every usage, f* and g* of every word.
    evaluation
        What came of every method; the other variant is in ``other``.
    tables
        All tables, in the order in which they are printed.
    """

    study: Study
    words: Sequence[str]
    gold: Gold
    evaluation: Evaluation
    other: Evaluation
    tables: Sequence[Table]

    @property
    def numbers(self) -> list[dict[str, Any]]:
        """Every number of every table: ``table, method, column, value, spread, selected``."""
        return [number for table in self.tables for number in table.numbers]

    def table(self, name: str) -> Table:
        """The table of that number in the paper, or ``periods``, ``paired`` or ``compat``."""
        for table in self.tables:
            if table.name == name:
                return table
        known = ", ".join(table.name for table in self.tables)
        raise InputError(f"There is no table {name!r}; there are {known}.")

    def write(
        self,
        folder: str | Path,
        *,
        figures: Sequence[str] = ("pdf", "png"),
        drawing: Progress | None = None,
    ) -> tuple[str, ...]:
        """Write ``tables.json``, every table as CSV, LaTeX and JSON, figures, gold and study.

        All of it appears when all of it is there; an earlier reproduction is replaced.

        Parameters
        ----------
        folder
            Where it goes; see :func:`check_place`.
        figures
            Their formats, see :func:`senseshift.figures.draw`; none for no figures.
        drawing
            Called with the numbers of figures that are done and in all.

        Returns
        -------
        What could not be drawn, with the reason.
        """
        folder = check_place(folder)
        is_new = not folder.exists()
        try:
            with ExitStack() as whole:
                made = {
                    part: whole.enter_context(files_whole(folder / part, owned=OURS))
                    for part in ("tables", "gold", *(["figures"] if figures else []))
                }
                left_out = self._draw(made["figures"], figures, drawing) if figures else ()
                for table in self.tables:
                    write_table(table, made["tables"])
                for name, frame in (("words", self.gold.words), ("usages", self.gold.usages)):
                    frame.write_parquet(made["gold"] / f"{name}.parquet")
                self.study.save(folder / "study")
                with written_whole(folder / "tables.json") as file:
                    text = json.dumps(self.numbers, indent=1, ensure_ascii=False, allow_nan=False)
                    file.write(text.encode() + b"\n")
        except BaseException:
            if is_new:
                with suppress(OSError):
                    folder.rmdir()
            raise
        return left_out

    def _draw(
        self, folder: Path, formats: Sequence[str], progress: Progress | None
    ) -> tuple[str, ...]:
        from senseshift.figures.drawing import PAPERS, draw  # here only: they know of evaluation

        drawn = draw(
            self.study, self.words, folder, formats=formats, kinds=PAPERS, gold=self.gold,
            leave_out=True, progress=progress,
        )  # fmt: skip
        return drawn.left_out

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in self.tables:
            yield from in_terminal(table, options.max_width)
            yield Text()
        for note in self.gold.notes:
            yield Text(f"Gold: {note}.", style="dim")

    def __str__(self) -> str:
        console = Console(width=WIDTH, color_system=None)
        with console.capture() as text:
            console.print(self)
        return text.get().rstrip()

    __repr__ = __str__


def check_place(folder: str | Path) -> Path:
    """A folder that can be written to and holds nothing in our way but an earlier reproduction."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: give the name of a folder.")
    there = next(
        place for place in (folder.absolute(), *folder.absolute().parents) if place.exists()
    )
    if not os.access(there, os.W_OK):
        raise InputError(f"{folder} cannot be written: {there} may not be changed by you.")
    in_the_way = [folder / part for part in PARTS if (folder / part).exists()]
    if in_the_way and not (folder / "tables.json").is_file():
        raise InputError(f"{in_the_way[0]} exists and is of something else: give another folder.")
    return folder
