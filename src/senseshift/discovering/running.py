"""The stages of a discovery, one after the other: what each leaves is what the next begins with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.comparing.settings import Settings
from senseshift.corpus.files import File
from senseshift.discovering import candidates
from senseshift.discovering.candidates import Filter
from senseshift.discovering.counting import SIZES, merged
from senseshift.discovering.encoding import Encoding
from senseshift.discovering.journal import Journal
from senseshift.discovering.looking import (
    FULL_SCORES,
    SECOND_SCORES,
    First,
    Full,
    Second,
    manner,
)
from senseshift.discovering.passes import Count, Sample, partition_name, partition_of
from senseshift.discovering.reading import Reading, Share, shares_of
from senseshift.discovering.sampling import Sampling
from senseshift.discovering.scoring import DEALS
from senseshift.discovering.standing import Company, company, spread
from senseshift.discovering.units import as_parquet, key_of, table
from senseshift.errors import InputError
from senseshift.resampling.conformal import q_values
from senseshift.senses.manner import Manner
from senseshift.storage import Folder

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FEW = 50  # usages a side of a first look
OPEN = 0.3  # p of a first look up to which a word gets a second one
REFERENCE = 1_500  # words of any p that get one, too: what the years do to words is told by them
MATTERS = 0.1  # p of a second look up to which a word gets a full one
WORDS = 32  # of a partition, about
MOST_PARTITIONS = 1_024
AT_ONCE = 8  # counts that are held beside their sum


@dataclass(frozen=True, eq=False)
class Words:
    """What the first pass found.

    Attributes
    ----------
    vocabulary
        All words, with their counts and the reason why each is no candidate.
    sizes
        Documents and running words of each period.
    shares
        The corpora, cut as they were counted.
    known
        Whether documents are, in both periods.
    """

    vocabulary: pl.DataFrame
    sizes: pl.DataFrame
    shares: list[list[Share]]
    known: bool

    @property
    def candidates(self) -> pl.DataFrame:
        """The words that are looked at."""
        return self.vocabulary.filter(pl.col("reason").is_null())


@dataclass(frozen=True, eq=False)
class Found:
    """What all looks found: ``scores`` of every candidate, and the units of the full look.

    A word that is ``waiting`` has not had all looks that it should have, and so no q. Senses were
    induced with the ``cut`` for these texts.
    """

    scores: pl.DataFrame
    full: list[str]
    failed: dict[str, str]  # words of units that could not be done, with the reason
    cut: float | None


@dataclass(frozen=True, eq=False)
class Run:
    """One discovery: where it works, and all that it was asked for."""

    folder: Folder
    journal: Journal
    reading: Reading
    sampling: Sampling
    periods: tuple[str, str]
    encoding: Encoding
    settings: Settings

    def counted(self, files: Sequence[File], wanted: Filter) -> Words:
        """The first pass: the vocabulary, and which of its words are candidates."""
        shares = shares_of(files, self.reading.encodings)
        units = [
            Count(self.folder, f"{k:05d}", tuple(part), self.reading, self.sampling.each)
            for k, part in enumerate(shares)
        ]
        keys = self.journal.all_of(units)
        counts, waiting = merged([]), []
        for number, key in enumerate(keys, start=1):
            waiting.append(table(self.folder, key, "counts"))
            if len(waiting) == AT_ONCE or number == len(keys):
                counts, waiting = merged([counts, *waiting]), []
        sizes = pl.concat([table(self.folder, key, "sizes") for key in keys])
        sizes = sizes.group_by("period").agg(pl.all().sum()).select(SIZES.keys()).sort("period")
        for period in self.periods:
            if not sizes.filter(period=period)["tokens"].sum():
                raise InputError(f"The corpora hold no word of the period {period}.")
        known = candidates.documents_known(sizes, self.periods)
        words = candidates.vocabulary(counts, self.periods)
        words = candidates.with_reasons(words, wanted, known)
        return Words(words, sizes, shares, all(known))

    def looked(self, words: Words, top: int) -> Found:
        """The second pass, and all looks at what it found.

        What stops it after the first look leaves what is known of every word by then.
        """
        table_of = words.candidates
        if not table_of.height:
            raise InputError(
                f"None of the {words.vocabulary.height:,} words of the corpora is a candidate: "
                "give larger corpora, or a smaller min_count (--min-count)."
            )
        firsts = self._first(words)
        self.journal.go_on()  # of part of a first look nothing can be told: words are compared
        looks = [table(self.folder, unit.key, "scores") for unit in firsts.values()]
        scores = table_of.join(pl.concat(looks), on="word", how="left").sort("word")
        _, first_p = _standing(scores, "score", "dealt")
        can_matter, reference = _matters(first_p, OPEN, top), self._reference(first_p)
        chosen = scores.filter(pl.Series(can_matter | reference))
        seconds, failed = self._second(chosen, firsts, words)
        scores = self._joined(scores, [unit.key for unit in seconds.values()], SECOND_SCORES)
        second_p = np.full(scores.height, np.nan)
        if self.journal.stopped is None:  # else not all of the reference words may have theirs
            like, second_p = _standing(scores, "second_score", "second_dealt", reference)
        # q is never below p: a word with a larger one cannot be found, whatever a full look says
        matters = _matters(second_p, MATTERS, top)
        encoding = self._suited(firsts.values())
        chosen = scores.filter(pl.Series(matters))
        full, failed_full = self._full(chosen, seconds, words, encoding)
        failed |= failed_full | self._not_looked_at(table_of, firsts)
        scores = self._joined(scores, full, FULL_SCORES)
        last, by_chance, strays = _columns(scores, "full_score", "chance_p", "spread")
        drift = like.p(last, strays) if full else np.full(scores.height, np.nan)
        for before in (second_p, first_p):
            drift = np.where(np.isnan(drift), before, drift)
        both = np.fmax(drift, by_chance)  # neither what the years do to words, nor chance
        waiting = can_matter & np.isnan(second_p) | matters & np.isnan(last)
        found = {
            "first_p": first_p, "second_p": second_p, "drift_p": drift,
            "drift_q": q_values(drift), "p": both, "q": q_values(both),
        }  # fmt: skip
        scores = scores.with_columns(pl.Series(k, v).fill_nan(None) for k, v in found.items())
        known = pl.when(pl.Series(~waiting)).then(pl.col("q"))  # of others not before all looks
        scores = scores.with_columns(known, pl.Series("waiting", waiting))
        curve = encoding.calibration
        return Found(scores, full, failed, None if curve is None else curve.cut)

    def _suited(self, firsts: Iterable[First]) -> Encoding:
        """The encoder with the cut for these texts, by all words that had a first look."""
        curve = self.encoding.calibration
        if curve is None or curve.apart is None:  # nor need units of before have such a table
            return self.encoding
        parts = [manner(table(self.folder, unit.key, "manner")) for unit in firsts]
        suited = curve.suited(Manner.together(parts))
        return replace(self.encoding, calibration=suited)

    def _reference(self, p: Floats) -> Bools:
        """Words that get a second look whatever the first says, to compare the others with."""
        known = np.flatnonzero(~np.isnan(p))
        drawn = np.random.default_rng(abs(self.sampling.seed)).permutation(known)[:REFERENCE]
        chosen = np.zeros(p.size, bool)
        chosen[drawn] = True
        return chosen

    def _joined(
        self, scores: pl.DataFrame, keys: Sequence[str], schema: dict[str, Any]
    ) -> pl.DataFrame:
        """The scores with what units of a further look wrote."""
        looks = [table(self.folder, key, "scores") for key in keys]
        further = pl.concat([pl.DataFrame(schema=schema), *looks])
        return scores.join(further, on="word", how="left", maintain_order="left")

    def _first(self, words: Words) -> dict[int, First]:
        """The second pass and the first look; its units by their partition."""
        table_of = words.candidates
        count = _partitions(table_of.height)
        wanted = self._wanted(table_of, words.known, count)
        units = [
            Sample(self.folder, f"{k:05d}", tuple(part), self.reading, self.sampling, wanted)
            for k, part in enumerate(words.shares)
        ]
        sampled = self.journal.all_of(units)
        name = f"sampled-{key_of(sampled)}.list"
        self.folder.write(name, json.dumps(sampled).encode())
        places = sorted({partition_of(word, count) for word in table_of["word"]})
        firsts = {
            place: First(
                self.folder, partition_name(place), place, name, self.periods, self.sampling,
                words.known, min(FEW, self.sampling.usages), self.encoding,
            )
            for place in places
        }  # fmt: skip
        done = set(self.journal.run(list(firsts.values())))
        left = {place: unit for place, unit in firsts.items() if unit.key in done}
        if not left:
            raise InputError(
                f"Nothing could be looked at: {next(iter(self.journal.failed.values()))}"
            )
        return left

    def _not_looked_at(self, table_of: pl.DataFrame, firsts: dict[int, First]) -> dict[str, str]:
        """Words of partitions of which the first look failed, with the reason."""
        count = _partitions(table_of.height)
        reasons = {
            key.split("-")[1]: reason
            for key, reason in self.journal.failed.items()
            if key.startswith(First.stage)
        }
        return {
            word: reasons[partition_name(place)]
            for word in table_of["word"]
            if (place := partition_of(word, count)) not in firsts
        }

    def _wanted(self, table_of: pl.DataFrame, known: bool, count: int) -> str:
        """The file with the words to find, and the bounds of their usages' numbers."""
        rows = [
            (word, period, str(self.sampling.bound(offer if known else number)), count)
            for side, period in zip(("old", "new"), self.periods, strict=True)
            for word, offer, number in table_of.select(
                "word", f"spread_{side}", f"count_{side}"
            ).iter_rows()
        ]
        columns = ["word", "period", "bound", "partitions"]
        content = as_parquet(
            pl.DataFrame(rows, schema=columns, orient="row").sort("word", "period")
        )
        name = f"wanted-{key_of(content.hex())}.parquet"
        self.folder.write(name, content)
        return name

    def _second(
        self, chosen: pl.DataFrame, firsts: dict[int, First], words: Words
    ) -> tuple[dict[int, Second], dict[str, str]]:
        """The second look, its units by their partition; and words for which it failed."""
        units = {
            place: Second(
                self.folder, partition_name(place), firsts[place].key, tuple(these), self.periods,
                self.encoding, self.sampling.seed,
            )
            for place, these in _by_partition(chosen, words)
        }  # fmt: skip
        done = set(self.journal.run(list(units.values())))
        left = {place: unit for place, unit in units.items() if unit.key in done}
        return left, self._failed(units.values())

    def _full(
        self,
        chosen: pl.DataFrame,
        seconds: dict[int, Second],
        words: Words,
        encoding: Encoding,
    ) -> tuple[list[str], dict[str, str]]:
        """The full look, and words for which it failed."""
        tokens = dict(words.sizes.select("period", "tokens").iter_rows())
        million = {
            word: tuple(
                1e6 * number / tokens[period]
                for number, period in zip(counts, self.periods, strict=True)
            )
            for word, *counts in chosen.select("word", "count_old", "count_new").iter_rows()
        }
        units = [
            Full(
                self.folder, partition_name(place), seconds[place].first, seconds[place].key,
                tuple(these), self.periods, encoding, self.settings,
                tuple(million[word] for word in these),
            )
            for place, these in _by_partition(chosen, words)
        ]  # fmt: skip
        return self.journal.run(units), self._failed(units)

    def _failed(self, units: Iterable[Second | Full]) -> dict[str, str]:
        """Words of units that could not be done, with the reason."""
        reasons = self.journal.failed
        return {
            word: reasons[unit.key] for unit in units if unit.key in reasons for word in unit.words
        }


def _partitions(words: int) -> int:
    return min(MOST_PARTITIONS, -(-words // WORDS))


def _by_partition(chosen: pl.DataFrame, words: Words) -> list[tuple[int, list[str]]]:
    """The words of each partition that has some."""
    count = _partitions(words.candidates.height)
    places: dict[int, list[str]] = {}
    for word in chosen["word"]:
        places.setdefault(partition_of(word, count), []).append(word)
    return sorted(places.items())


def _matters(p: Floats, most: float, top: int) -> Bools:
    """Which words have a p of at most so much, or one of the smallest."""
    order = np.argsort(np.argsort(np.nan_to_num(p, nan=2.0), kind="stable"), kind="stable")
    chosen: Bools = ~np.isnan(p) & ((p <= most) | (order < top))
    return chosen


def _standing(
    scores: pl.DataFrame, score: str, dealt: str, among: Bools | None = None
) -> tuple[Company, Floats]:
    """What words like each word do, by the scores of a look; and each word's p among them."""
    (found,), deals = _columns(scores, score), _matrix(scores[dealt])
    counts = scores.select("count_old", "count_new").to_numpy().astype(np.float64)
    like = company(found, deals, counts, scores["pos"].to_list(), among)
    return like, like.p(found, spread(deals))


def _columns(scores: pl.DataFrame, *names: str) -> list[Floats]:
    """Columns as numbers, NaN where there is none."""
    return [scores[name].fill_null(np.nan).to_numpy() for name in names]


def _matrix(lists: pl.Series) -> Floats:
    """Scores of deals, a row for each word."""
    rows = [row if row is not None else [np.nan] * DEALS for row in lists.to_list()]
    return np.array(rows, dtype=np.float64).reshape(len(rows), DEALS)
