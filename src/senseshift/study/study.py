"""A study: its tables, how they print, and the folder they are kept in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from senseshift.errors import InputError
from senseshift.study import layout
from senseshift.study.view import WordView, view
from senseshift.usages import wug
from senseshift.usages.check import COLUMNS
from senseshift.writing import folder_whole

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from senseshift.notebook.concordance import Concordance, Order
    from senseshift.notebook.plots import Colour

FORMAT = 1  # of the folder


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """What was found about the words of a set of usages.

    Attributes
    ----------
    words
        A row for each word and pair of periods: numbers of usages, measures, ``p_value`` where
        usages were dealt at random, certificate, or the reason why it was skipped.
    instances
        A row for each usage of a measured word: SUS, LDR, cluster, its place in the transport,
        and its partner and nearest neighbour in the other period.
    arcs
        The transport itself: which old usage sends how much mass to which new one.
    vectors
        The vectors of all usages; the column ``usage`` of the instances says which is whose.
    about
        Settings, encoder, versions and fingerprints.
    """

    words: pl.DataFrame
    instances: pl.DataFrame
    arcs: pl.DataFrame
    vectors: NDArray[np.float32]
    about: dict[str, Any]

    @property
    def complete(self) -> bool:
        """Whether all words were measured or skipped for a reason."""
        return bool(self.about.get("complete", False))

    @property
    def measures(self) -> list[str]:
        """The word-level measures it has."""
        return list(self.about["settings"]["measures"])

    @cached_property
    def ranked(self) -> pl.DataFrame:
        """The measured words, by f_SUS or else the first measure, the most changed first."""
        done = self.words.filter(pl.col("skipped").is_null())
        by = "f_SUS" if "f_SUS" in self.measures else self.measures[0]
        return done.sort(by, descending=True, nulls_last=True, maintain_order=True)

    @property
    def skipped(self) -> dict[str, str]:
        """Words that were not measured, with the reason."""
        rows = self.words.filter(pl.col("skipped").is_not_null())
        return dict(rows.select("word", "skipped").iter_rows())

    def usages_of(self, word: str) -> pl.DataFrame:
        """The usages of one word, those whose use rose most first."""
        if word in self.skipped and word not in self.instances["word"]:
            raise InputError(f"The word {word!r} was skipped: {self.skipped[word]}.")
        found = self.instances.filter(pl.col("word") == word)
        if not found.height:
            some = ", ".join(self.words["word"].unique(maintain_order=True)[:10])
            raise InputError(f"There is no word {word!r} in this study; there are {some}, ….")
        return found.sort("sus", descending=True, maintain_order=True)

    def top(self, word: str, count: int = 5) -> pl.DataFrame:
        """The usages of a word whose use rose most: period, context, sense, SUS."""
        return layout.examples(self.usages_of(word).head(count))

    def bottom(self, word: str, count: int = 5) -> pl.DataFrame:
        """The usages of a word whose use fell most, the lowest last."""
        return layout.examples(self.usages_of(word).tail(count))

    def view(self, word: str, periods: Sequence[str] | None = None) -> WordView:
        """One word as pictures need it; ``periods`` are the two to take where there are more."""
        key = (word, *(periods or ()))
        if key not in self._views:  # its map takes a while: made once, used by all pictures
            self._views[key] = view(self, word, periods)
        return self._views[key]

    @cached_property
    def _views(self) -> dict[tuple[str, ...], WordView]:
        return {}

    def map(
        self, word: str, *, colour: Colour = "sus", periods: Sequence[str] | None = None
    ) -> go.Figure:
        """The usages of a word on a map, as a plotly figure.

        Circles are old usages, squares new ones, coloured by ``sus``, ``ldr``, ``sense`` or
        ``cluster``; under the pointer each says what it is.
        """
        from senseshift.notebook import map_plot

        return map_plot(self.view(word, periods), colour)

    def histogram(self, word: str, *, periods: Sequence[str] | None = None) -> go.Figure:
        """The SUS of a word's old and new usages, as a plotly figure."""
        from senseshift.notebook import histogram_plot

        return histogram_plot(self.view(word, periods))

    def plan(self, word: str, *, periods: Sequence[str] | None = None) -> go.Figure:
        """A word's transport from old to new usages, unbalanced or balanced, as a plotly figure."""
        from senseshift.notebook import plan_plot

        return plan_plot(self.view(word, periods))

    def concordance(
        self,
        word: str,
        by: Order = "sus",
        *,
        descending: bool | None = None,
        count: int = 1_000,
        periods: Sequence[str] | None = None,
    ) -> Concordance:
        """The usages of a word in context, a table in a notebook.

        Ordered by ``sus`` (what rose most first), ``period``, ``date``, ``sense`` or ``cluster``.
        """
        from senseshift.notebook import concordance

        return concordance(self.view(word, periods), by, descending=descending, count=count)

    def to_wug(self, folder: str | Path, words: Sequence[str] | None = None) -> None:
        """Write the measured words' usages as word usage graphs, ready for annotation.

        The folder has ``data/<word>/uses.csv`` and, where senses are known,
        ``clusters/opt/<word>.csv``; :func:`senseshift.read` gives the same usages again.
        """
        table = self.instances.select(name for name in COLUMNS if name in self.instances.columns)
        if words is not None:
            for word in words:
                self.usages_of(word)  # one that is not there is told
            table = table.filter(pl.col("word").is_in(list(words)))
        wug.write(table.unique(["word", "id"], keep="first", maintain_order=True), Path(folder))

    def save(self, folder: str | Path) -> None:
        """Write the study as a folder, completely or not at all; one that is there is replaced."""
        folder = Path(folder)
        if folder.exists() and not (folder / "study.json").is_file():
            raise InputError(f"{folder} exists and is not a study: give another name.")
        with folder_whole(folder, replace=True) as made:
            self.words.write_parquet(made / "words.parquet")
            self.instances.write_parquet(made / "instances.parquet")
            self.arcs.write_parquet(made / "plan.parquet")
            np.save(made / "vectors.npy", self.vectors)
            about = json.dumps({"format": FORMAT, **self.about}, indent=2, ensure_ascii=False)
            (made / "study.json").write_text(about + "\n", "utf-8")

    @classmethod
    def load(cls, folder: str | Path) -> Study:
        """Read a study that was saved."""
        folder = Path(folder)
        try:
            about = json.loads((folder / "study.json").read_text("utf-8"))
        except FileNotFoundError:
            raise InputError(f"{folder} is not a study: it has no study.json.") from None
        except ValueError as error:
            raise InputError(f"{folder / 'study.json'} is damaged: {error}.") from None
        if about.pop("format", None) != FORMAT:
            raise InputError(
                f"{folder} was written by another version of senseshift: make it again."
            )
        try:
            return cls(
                pl.read_parquet(folder / "words.parquet"),
                pl.read_parquet(folder / "instances.parquet"),
                pl.read_parquet(folder / "plan.parquet"),
                np.load(folder / "vectors.npy", allow_pickle=False),
                about,
            )
        except (OSError, ValueError, pl.exceptions.PolarsError) as error:
            raise InputError(f"The study {folder} is damaged: {error}.") from None

    def export(self, path: str | Path, table: str = "words") -> None:
        """Write ``words`` or ``instances`` as .csv, .tsv, .parquet or .tex (booktabs)."""
        if table not in ("words", "instances"):
            raise InputError(f"There is no table {table!r}; there are words and instances.")
        layout.write(self.words if table == "words" else self.instances, Path(path))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = layout.words_table(self, options.max_width)
        hidden = [name for name in self.measures if name not in [c.header for c in table.columns]]
        yield Text(layout.title(self))
        yield table
        if hidden:
            yield Text(f"also measured, in .words: {', '.join(hidden)}")
        yield Text(layout.caption(self))

    def __str__(self) -> str:
        console = Console(width=layout.WIDTH, color_system=None)
        with console.capture() as text:
            console.print(self)
        return text.get().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return layout.words_html(self)
