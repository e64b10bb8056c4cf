"""The units of measuring: a first look at every word, a second and a full one at ever fewer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.comparing.assembly import Parts, of_rows
from senseshift.comparing.certainty import documents_to_deal
from senseshift.comparing.rows import words_schema
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Task, tasks_of
from senseshift.comparing.word import measure_word
from senseshift.discovering.encoding import Encoding, packed, unpacked
from senseshift.discovering.passes import partition_name
from senseshift.discovering.sampling import SCHEMA, Sampling, chosen
from senseshift.discovering.scoring import DEALS, Scorer
from senseshift.discovering.units import Unit, files_of, table
from senseshift.executors import unit_threads
from senseshift.senses.manner import Manner
from senseshift.usages import Usages

Floats = NDArray[np.float64]

MOST = 1_000  # usages a side that scores are made of: more tell nothing new
SCORES: dict[str, Any] = {
    "word": pl.String, "score": pl.Float64, "old": pl.Int64, "new": pl.Int64,
    "dealt": pl.List(pl.Float64),
}  # fmt: skip
SECOND_SCORES: dict[str, Any] = {
    "word": pl.String, "second_score": pl.Float64, "second_old": pl.Int64, "second_new": pl.Int64,
    "second_dealt": pl.List(pl.Float64),
}  # fmt: skip
FULL_SCORES: dict[str, Any] = {
    "word": pl.String, "full_score": pl.Float64, "chance_p": pl.Float64, "spread": pl.Float64,
}  # fmt: skip
MANNER: dict[str, Any] = {
    "words": pl.Int64, "total": pl.List(pl.Float64), "squares": pl.Float64,
}  # fmt: skip


@dataclass(frozen=True)
class First(Unit):
    """A first look at the words of a partition, by few usages of each."""

    stage: ClassVar[str] = "first"

    partition: int
    sampled: str  # the file that lists the units of the second pass
    periods: tuple[str, str]
    sampling: Sampling
    known: bool  # whether documents are
    few: int
    encoding: Encoding

    def inputs(self) -> Any:
        """What was sampled, and how it is looked at."""
        how = [asdict(self.sampling), self.known, self.few, _cost(self.encoding)]
        return [self.partition, self.sampled, self.periods, how, self.encoding.inputs()]

    @property
    def resources(self) -> Mapping[str, float]:
        """Those of the encoder."""
        return self.encoding.resources

    def make(self) -> Mapping[str, pl.DataFrame]:
        """Put the partition together, encode few usages of each word, score them."""
        usages = chosen(self._offered(), self.sampling, self.sampling.each if self.known else None)
        few = pl.int_range(pl.len()).over("word", "period") < self.few
        looked = usages.filter(few)
        vectors = self.encoding.encode(looked)
        rows = _scored(looked, vectors, self.periods, self.encoding, self.sampling.seed)
        scores = pl.DataFrame(rows, schema=SCORES, orient="row").sort("word")
        return {
            "usages": usages,
            "vectors": looked.select("word", "id").with_columns(packed(vectors)),
            "scores": scores,
            "manner": _manner(looked, vectors),
        }

    def _offered(self) -> pl.DataFrame:
        keys = json.loads(self.folder.read(self.sampled))
        name = partition_name(self.partition)
        have = [key for key in keys if f"{key}.{name}.parquet" in files_of(self.folder, key)]
        parts = [table(self.folder, key, name) for key in have]
        return pl.concat(parts) if parts else pl.DataFrame(schema=SCHEMA)


@dataclass(frozen=True)
class Second(Unit):
    """A second look at some words of a partition: the same score, by all usages that were drawn."""

    stage: ClassVar[str] = "second"

    first: str  # the key of the first look
    words: tuple[str, ...]
    periods: tuple[str, str]
    encoding: Encoding
    seed: int

    def inputs(self) -> Any:
        """The first look, which knows how it was made, and the words."""
        return [self.first, self.words, self.seed]

    @property
    def resources(self) -> Mapping[str, float]:
        """Those of the encoder."""
        return self.encoding.resources

    def make(self) -> Mapping[str, pl.DataFrame]:
        """Encode the usages that were not looked at yet, and score all of them."""
        usages = _of(table(self.folder, self.first, "usages"), self.words)
        vectors = self._vectors(usages)
        rows = _scored(usages, vectors, self.periods, self.encoding, self.seed)
        return {
            "scores": pl.DataFrame(rows, schema=SECOND_SCORES, orient="row").sort("word"),
            "vectors": usages.select("word", "id").with_columns(packed(vectors)),
        }

    def _vectors(self, usages: pl.DataFrame) -> NDArray[np.float32]:
        """Those of the first look, and of all others."""
        before = table(self.folder, self.first, "vectors")
        joined = usages.join(before, on=["word", "id"], how="left", maintain_order="left")
        new = joined["vector"].is_null()
        made = self.encoding.encode(usages.filter(new))
        rows = joined["vector"].to_list()
        for at, vector in zip(new.arg_true().to_list(), packed(made).to_list(), strict=True):
            rows[at] = vector
        return unpacked(pl.Series(rows, dtype=pl.Binary))


@dataclass(frozen=True)
class Full(Unit):
    """All that can be said of some words of a partition."""

    stage: ClassVar[str] = "full"

    first: str  # the key of the first look, which has the usages
    second: str  # and of the second, which has all their vectors
    words: tuple[str, ...]
    periods: tuple[str, str]
    encoding: Encoding
    settings: Settings
    per_million: tuple[tuple[float, float], ...]

    def inputs(self) -> Any:
        """The looks before it, the words, and how they are measured."""
        how = [self.settings.to_dict(), _cost(self.encoding)]
        return [self.second, self.words, self.periods, how, self.per_million]

    def make(self) -> Mapping[str, pl.DataFrame]:
        """Measure."""
        usages = _of(table(self.folder, self.first, "usages"), self.words)
        kept = _of(table(self.folder, self.second, "vectors"), self.words)
        vectors = unpacked(kept["vector"])
        calibration = self.encoding.calibration
        parts, scores = [], []
        frequencies = dict(zip(self.words, self.per_million, strict=True))
        for task in tasks_of(_usages(usages, self.periods), [self.periods]):
            task.per_million.update(zip(self.periods, frequencies[task.word], strict=True))
            found = vectors[task.rows].astype(np.float64)
            result = measure_word(task, found, self.settings, calibration, unit_threads())
            parts.append(Parts.of(usages.drop("number"), task, result))
            scorer = _scorer(task, vectors, self.encoding, self.settings.seed)
            scores.append((task.word, scorer.found, *scorer.chance()))
        return {
            "scores": pl.DataFrame(scores, schema=FULL_SCORES, orient="row").sort("word"),
            "vectors": kept,
            **_tables(Parts.together(parts), self.settings),
        }


def _manner(usages: pl.DataFrame, vectors: NDArray[np.float32]) -> pl.DataFrame:
    """How alike the usages of these words are, in one row."""
    found = Manner.of(
        vectors[(usages["word"] == word).to_numpy()]
        for word in usages["word"].unique(maintain_order=True)
    )
    return pl.DataFrame([(found.words, found.total.tolist(), found.squares)], MANNER, orient="row")


def manner(rows: pl.DataFrame) -> Manner:
    """What a first look wrote of it."""
    words, total, squares = rows.row(0)
    return Manner(words, np.array(total), squares)


def _tables(parts: Parts, settings: Settings) -> dict[str, pl.DataFrame]:
    """The rows of all words as tables."""

    def concatenated(frames: list[pl.DataFrame]) -> pl.DataFrame:
        return pl.concat(frames, how="diagonal_relaxed") if frames else pl.DataFrame()

    return {
        "words": pl.DataFrame(parts.words, schema=words_schema(settings)),
        "instances": concatenated(parts.instances),
        "arcs": concatenated(parts.arcs),
        "senses": of_rows(parts.senses),
        "sense_changes": of_rows(parts.sense_changes),
        "typical": of_rows(parts.typical),
        "chance": concatenated(parts.chance),
    }


def _usages(table: pl.DataFrame, periods: tuple[str, str]) -> Usages:
    return Usages(table.drop("number"), periods)


def _cost(encoding: Encoding) -> Any:
    return None if encoding.calibration is None else encoding.calibration.to_dict()


def _of(rows: pl.DataFrame, words: tuple[str, ...]) -> pl.DataFrame:
    return rows.filter(pl.col("word").is_in(list(words)))


def _scored(
    usages: pl.DataFrame,
    vectors: NDArray[np.float32],
    periods: tuple[str, str],
    encoding: Encoding,
    seed: int,
) -> Iterator[tuple[str, float, int, int, Floats]]:
    """Each word with its score, its usages in either period, and the scores of some deals."""
    for task in tasks_of(_usages(usages, periods), [periods]):
        old, new = (task.side(period).size for period in periods)
        score, dealt = float("nan"), np.full(DEALS, np.nan)
        if task.pairs:
            scorer = _scorer(task, vectors, encoding, seed)
            score, dealt = scorer.found, scorer.dealt()
        yield task.word, score, old, new, dealt


def _scorer(task: Task, vectors: NDArray[np.float32], encoding: Encoding, seed: int) -> Scorer:
    """One word with all its usages, or very many."""
    periods = task.pairs[0]
    keep = np.sort(np.concatenate([task.side(period)[:MOST] for period in periods]))
    is_new = task.periods[keep] == periods[1]
    documents = None
    if task.documents is not None:
        documents, _ = documents_to_deal(is_new, task.documents[keep])
    rows = vectors[task.rows[keep]]
    return Scorer(rows, is_new, documents, encoding.calibration, (seed, task.seed))
