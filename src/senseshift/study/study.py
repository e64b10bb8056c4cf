"""A study: its tables, and how they are asked for one word, one pair of periods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from senseshift.calibration import Calibration
from senseshift.errors import InputError
from senseshift.measures import INSTANCE
from senseshift.study import printing
from senseshift.study.by_word import ByWord
from senseshift.study.exporting import write_table
from senseshift.study.word_view import WordView, pair_of, word_view
from senseshift.usages import wug
from senseshift.usages.schema import COLUMNS, FOUND

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from senseshift.notebook.kwic import Concordance
    from senseshift.study.sweep import Sweep

Pair = tuple[str, str]  # the old and the new period

# Columns of the instances that belong to a pair of periods rather than to a usage; and scores.
OF_PAIRS = (
    "old", "new", "position", "excess", "p", "q", "q_study", "cluster",
    "partner", "partner_share", "nearest", "distance",
)  # fmt: skip
TABLES = (
    "words", "instances", "arcs", "senses", "sense_changes", "typical", "telling", "controls",
    "chance",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """What was found about the words of a set of usages, in any number of periods.

    A usage belongs to one period. What is said of change belongs to a pair of periods, the old
    and the new one; a study of more than two compares each with the next unless told otherwise.

    Attributes
    ----------
    words
        A row for each word and pair of periods: numbers of usages, ``change`` with its interval,
        ``p`` and ``q``, ``verdict``, all measures, certificate, and what else is to be said.
    instances
        A row for each usage and pair of periods: the usage, its scores, its place in the
        transport, its partner and its nearest neighbour in the other period.
    arcs
        The transport itself: which old usage sends how much mass to which new one.
    vectors
        The vectors of all usages; the column ``usage`` of the instances says which is whose.
    about
        What made it: corpora, settings, encoder, versions, fingerprints.
    senses, sense_changes
        The senses of each word with their shares in every period, and how these differ between
        the periods of each pair: with p and with q, corrected for the many that were asked, with
        regard to what p such small samples can have at all.
    typical, telling
        The usages in the middle of each sense, and the words that tell it from the others, with
        the places of the usages that have them among the word's.
    controls
        Reference words of the same corpora, and how much each of them changed.
    chance
        What permutation makes of each word: quantiles of the SUS of its old and of its new usages
        and of its change.
    """

    words: pl.DataFrame
    instances: pl.DataFrame
    arcs: pl.DataFrame
    vectors: NDArray[np.float32]
    about: dict[str, Any]
    senses: pl.DataFrame = field(default_factory=pl.DataFrame)
    sense_changes: pl.DataFrame = field(default_factory=pl.DataFrame)
    typical: pl.DataFrame = field(default_factory=pl.DataFrame)
    telling: pl.DataFrame = field(default_factory=pl.DataFrame)
    controls: pl.DataFrame = field(default_factory=pl.DataFrame)
    chance: pl.DataFrame = field(default_factory=pl.DataFrame)

    @property
    def complete(self) -> bool:
        """Whether all words were measured or have a reason why not."""
        return bool(self.about.get("complete", False))

    @property
    def measures(self) -> list[str]:
        """The word-level measures it has."""
        return list(self.about["settings"]["measures"])

    @property
    def periods(self) -> list[str]:
        """The periods, oldest first."""
        return list(self.about["periods"])

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of periods that were compared."""
        return [(old, new) for old, new in self.about["pairs"]]

    @cached_property
    def calibration(self) -> Calibration | None:
        """What distances mean by the encoder, with the cut by which senses were induced here."""
        known = self.about.get("calibration")
        if known is None:
            return None
        return Calibration.from_dict(known | {"cut": self.about.get("cut", known.get("cut"))})

    @cached_property
    def ranked(self) -> pl.DataFrame:
        """The measured words, the most changed first; those with too few usages to tell last."""
        done = self.words.filter(pl.col("certified").is_not_null())
        for name in ("change", "f_SUS", *self.measures):
            if name in done.columns and (known := done[name].fill_nan(None)).count():
                # NaN would rank above everything
                ranked = done.sort(known, descending=True, nulls_last=True, maintain_order=True)
                if "verdict" not in done.columns:
                    return ranked
                few = pl.col("verdict").eq_missing("few")
                return pl.concat([ranked.filter(~few), ranked.filter(few)])
        return done

    @property
    def skipped(self) -> dict[str, str]:
        """Words that were not measured, with the reason."""
        rows = self.words.filter(pl.col("skipped").is_not_null())
        return dict(rows.select("word", "skipped").iter_rows())

    @cached_property
    def usages(self) -> pl.DataFrame:
        """Every usage of a measured word once: what is known of it, and its sense."""
        scores = [name for m in INSTANCE for name in (m.name, m.raw_name)]
        columns = [name for name in self.instances.columns if name not in (*OF_PAIRS, *scores)]
        return self.instances.select(columns).unique("usage", keep="first", maintain_order=True)

    @property
    def metadata(self) -> list[str]:
        """What is known of usages beyond the columns that all tables have: author, genre."""
        known = {*COLUMNS, *FOUND}
        return [name for name in self.usages.columns if name not in known]

    def usages_of(self, word: str, periods: Sequence[str] | None = None) -> pl.DataFrame:
        """The usages of one word in two periods, those whose use rose most first."""
        old, new = pair_of(self.rows_of(word), periods, f"The word {word!r} is")
        found = self.rows_of(word).filter(old=old, new=new)
        found = found.sort(pl.col("period") == new, "usage")  # as in views, where SUS is equal
        return found.sort("sus", descending=True, maintain_order=True)

    def rows_of(self, word: str) -> pl.DataFrame:
        """All rows of a word among the instances, whatever the periods."""
        found = self.instances.filter(pl.col("word") == word)
        if not found.height:
            if word in self.skipped:
                raise InputError(f"The word {word!r} was not measured: {self.skipped[word]}.")
            names = self.words["word"].unique(maintain_order=True)
            some = ", ".join(names[:10]) + (", …" if len(names) > 10 else "")
            raise InputError(f"There is no word {word!r} in this study; there are {some}.")
        return found

    def of_word(self, word: str) -> Study:
        """What it has of one word, as a study: the word's rows and vectors, and all controls."""
        tables = {name: self.by_word.rows(name, word) for name in TABLES if name != "controls"}
        usages = tables["instances"]["usage"].unique().sort()
        for name in ("instances", "typical"):
            if tables[name].height:
                number = pl.col("usage").replace_strict(usages, pl.int_range(len(usages)))
                tables[name] = tables[name].with_columns(number)
        vectors = self.vectors_of(usages.to_numpy())
        return Study(**tables, controls=self.controls, vectors=vectors, about=self.about)

    @cached_property
    def by_word(self) -> ByWord:
        """Its tables, to be asked for one word."""
        return ByWord({name: getattr(self, name) for name in TABLES})

    def vectors_of(self, usages: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of some usages, by their numbers."""
        return self.vectors[usages]

    def pairs_of(self, word: str) -> list[Pair]:
        """The pairs of periods in which a word was compared."""
        measured = set(self.rows_of(word).select("old", "new").iter_rows())
        return [pair for pair in self.pairs if pair in measured]

    def top(
        self, word: str, count: int = 5, *, periods: Sequence[str] | None = None
    ) -> pl.DataFrame:
        """The usages of a word whose use rose most: period, context, sense, SUS."""
        return printing.examples(self.usages_of(word, periods).head(count))

    def bottom(
        self, word: str, count: int = 5, *, periods: Sequence[str] | None = None
    ) -> pl.DataFrame:
        """The usages of a word whose use fell most, the lowest last."""
        return printing.examples(self.usages_of(word, periods).tail(count))

    def view(self, word: str, periods: Sequence[str] | None = None) -> WordView:
        """One word as pictures need it; ``periods`` are the two to take where there are more."""
        key = (word, *(periods or ()))
        if key not in self._views:  # its map takes a while: made once, used by all pictures
            self._views[key] = word_view(self, word, periods)
        return self._views[key]

    @cached_property
    def _views(self) -> dict[tuple[str, ...], WordView]:
        return {}

    def map(
        self, word: str, *, colour: str = "sus", periods: Sequence[str] | None = None
    ) -> go.Figure:
        """The usages of a word on a map, as a plotly figure.

        Circles are old usages, squares new ones, coloured by an instance measure such as ``sus``
        or ``ldr``, or by ``sense`` or ``cluster``; under the pointer each says what it is.
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

    def path(
        self,
        word: str,
        rhos: Sequence[float] | None = None,
        *,
        periods: Sequence[str] | None = None,
    ) -> Sweep:
        """SUS of a word's usages over a grid of penalties ρ, in one warm sweep.

        The result has ``usages`` (``rho, usage, id, period, sus``) and ``words`` (f_SUS and the
        mean SUS of either side at each ρ) as tables; :func:`senseshift.figures.path_figure` draws
        it. Where ρ is small usages are easily left unmatched, where it is large hardly any is.

        Two ways to choose ρ without gold were tried, for each word and for all words at once: by
        how far the change stands out from permutations (which mostly takes the smallest ρ and
        ranks words worse) and by how well halves of the usages agree. None beats ρ = 1 beyond
        noise: by halves for all words the rank correlation is .775 against .775 on 152 words with
        planted changes and .718 against .707 on DWUG EN, where the difference has a standard error
        of .019 (``benchmarks/penalty.py``), so that 1 stays.
        """
        from senseshift.study.sweep import sweep

        return sweep(self.view(word, periods), rhos)

    def concordance(
        self,
        word: str,
        by: str = "sus",
        *,
        descending: bool | None = None,
        count: int = 1_000,
        periods: Sequence[str] | None = None,
    ) -> Concordance:
        """The usages of a word in context, a table in a notebook.

        Ordered by ``sus`` (what rose most first) or by another column such as ``date``.
        """
        from senseshift.notebook import concordance

        return concordance(self.view(word, periods), by, descending=descending, count=count)

    def to_wug(self, folder: str | Path, words: Sequence[str] | None = None) -> None:
        """Write the measured words' usages as word usage graphs, ready for annotation.

        The folder has ``data/<word>/uses.csv`` and, where senses are known,
        ``clusters/opt/<word>.csv``; :func:`senseshift.read` gives the same usages again, with all
        that was known of them.
        """
        table = self.usages.drop(FOUND, strict=False)
        if words is not None:
            for word in words:
                self.rows_of(word)  # one that is not there is told
            table = table.filter(pl.col("word").is_in(list(words)))
        wug.write(table, Path(folder))

    def relabel(self, decisions: str | Path | pl.DataFrame) -> Study:
        """The study with a person's senses, from a .json of the report's workbench or a table.

        The table has ``word`` and any of these, a row for each decision: ``sense`` and ``name``
        give a sense a name; ``sense`` and ``into`` make it part of another; ``id`` and ``into``
        move one usage to a sense, or with an empty ``into`` to none.
        """
        from senseshift.comparing.relabelling import relabel, relabel_from

        if isinstance(decisions, pl.DataFrame):
            return relabel(self, decisions)
        return relabel_from(self, Path(decisions))

    def statement(self, word: str, *, periods: Sequence[str] | None = None) -> list[str]:
        """What may be said of a word, in sentences that follow from its senses' certainty."""
        from senseshift.findings import statement_of

        return statement_of(self, word, periods)

    def save(self, folder: str | Path) -> None:
        """Write the study into a folder, completely or not at all.

        An earlier study there is replaced; other files in the folder stay.
        """
        from senseshift.study.files import save

        save(self, Path(folder))

    @classmethod
    def load(cls, folder: str | Path) -> Study:
        """Read a study that was saved."""
        from senseshift.study.stored import load

        return load(Path(folder))

    def export(self, path: str | Path, table: str = "words", word: str | None = None) -> None:
        """Write one of the tables, or one word's rows of it, as .csv, .tsv, .parquet or .tex."""
        if table not in TABLES:
            raise InputError(f"There is no table {table!r}; there are {', '.join(TABLES)}.")
        rows: pl.DataFrame = getattr(self, table)
        if word is not None:
            self.rows_of(word)
            rows = rows.filter(pl.col("word") == word)
        write_table(rows, Path(path))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(printing.title(self))
        yield printing.words_table(self, options.max_width)
        yield Text(printing.caption(self, options.max_width))

    def __str__(self) -> str:
        console = Console(width=printing.WIDTH, color_system=None)
        with console.capture() as text:
            console.print(self)
        return text.get().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return printing.words_html(self)
