"""All that a word's page shows, computed once: map, plans, senses, summary and the usages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.colours import natural
from senseshift.findings import WordFinding, word_finding
from senseshift.measures import EXCESS, UsageMeasure
from senseshift.projection import MOST_FOR_TSNE
from senseshift.report.placing import curve_order
from senseshift.report.script import rounded, slug
from senseshift.report.senses import sense_rows
from senseshift.report.workbench import neighbours
from senseshift.study.word_view import WordView, word_view
from senseshift.transport.result import Arcs

if TYPE_CHECKING:
    from senseshift.study.study import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Row = dict[str, Any]  # of a study's table of words

MOST_FOR_BALANCED = 36_000_000  # costs of a balanced transport that a report takes the time for
OF_PAIR = ("cluster",)  # labels that a usage has in a pair of periods, not by itself
THINNEST = 0.005  # share of a usage's weight; thinner arcs are not drawn


@dataclass(frozen=True, eq=False)
class PairPage:
    """What the overview needs of one word in two periods; no more, as it holds those of all."""

    null: list[list[float]] | None  # quantiles of SUS under permutation, see _null
    sus: tuple[Floats, Floats]
    found: WordFinding
    coloured: dict[str, Floats]  # what colours stand for, by measure
    beyond: tuple[NDArray[np.bool_], NDArray[np.bool_]]  # old and new usages chance doesn't explain


def usages_of(study: Study, rows: Sequence[Row]) -> pl.DataFrame:
    """All usages in the periods of some rows, each once."""
    there = pl.col("period").is_in([row[side] for row in rows for side in ("old", "new")])
    return study.instances.filter(there).unique("usage", keep="first", maintain_order=True)


def word_page(
    study: Study, word: str, rows: Sequence[Row], at: Floats
) -> tuple[dict[str, Any], list[PairPage]]:
    """The data of a word's page, and each of its pairs of periods for the overview.

    Parameters
    ----------
    study, word
        The word, and what its study has of it.
    rows
        The word's rows of the table of words.
    at
        The places of its usages on the map.
    """
    usages = usages_of(study, rows)
    place = {usage: k for k, usage in enumerate(usages["usage"])}
    there = {row[side] for row in rows for side in ("old", "new")}
    periods = [period for period in study.periods if period in there]
    pairs, shown = [], []
    for row in rows:
        v = word_view(study, word, (row["old"], row["new"]))
        found, null = word_finding(study, v), _null(study, v)
        shown.append(_pair(v, found) | {
            "at": [place[usage] for usage in v.usages["usage"]],
            "measures": {name: row[name] for name in ("change", *study.measures) if name in row},
            "change": [row.get(f"change_{name}") for name in ("low", "high", "by_chance")],
            "certified": row["certified"], "sus_error": row["sus_error"],
            "senses": sense_rows(study, v, found, periods), "null": null,
        })  # fmt: skip
        coloured = {measure.name: v.coloured(measure) for measure in _measures(v)}
        sus = v.sus[~v.is_new], v.sus[v.is_new]
        beyond = found.beyond[~v.is_new], found.beyond[v.is_new]
        pairs.append(PairPage(null, sus, found, coloured, beyond))
    data = {
        "word": word,
        "map": "t-SNE" if usages.height <= MOST_FOR_TSNE else "PCA",
        "periods": periods,
        "usages": _columns(usages, study.metadata) | _places(at),
        "near": neighbours(study.vectors[usages["usage"].to_numpy()]),
        "pairs": shown,
    }
    return data | {"slug": slug(word)}, pairs


def _pair(v: WordView, found: WordFinding) -> dict[str, Any]:
    """What the page shows of two periods, as far as the word's view has it."""
    return {
        "old": v.old,
        "new": v.new,
        "olds": int((~v.is_new).sum()),
        "scores": {
            m.name: rounded(v.usages[m.name].to_numpy(), m.digits + 3) for m in _measures(v)
        },
        "labels": {name: labels for name in OF_PAIR if (labels := v.labels(name)) is not None},
        "chance": _chance(v),
        "beyond": np.flatnonzero(found.beyond),
        "verdict": found.headline,
        "summary": found.sentences,
        "plans": {"uot": _arcs(v.plan, *v.comparison.mass), "ot": _balanced(v)},
    }


def _measures(v: WordView) -> list[UsageMeasure]:
    """What is known of the usages; of very many only a sample has an excess."""
    sampled = EXCESS.name in v.usages.columns and v.usages[EXCESS.name].count() > 0
    return [*((EXCESS,) if sampled else ()), *(m for m in v.measures if m is not EXCESS)]


def _chance(v: WordView) -> list[float] | None:
    """The mean SUS of the old and of the new usages by chance, where the study knows it."""
    if "excess" not in v.usages.columns or v.usages["excess"].is_null().all():
        return None
    expected = v.sus - v.usages["excess"].to_numpy()  # not a number where a usage was not dealt
    return [float(np.nanmean(expected[side])) for side in (~v.is_new, v.is_new)]


def _null(study: Study, v: WordView) -> list[list[float]] | None:
    """Evenly spaced quantiles of the SUS of the old and the new usages under permutation."""
    if not study.chance.height:
        return None
    rows = study.chance.filter(word=v.word, old=v.old, new=v.new).sort("quantile")
    return [rounded(rows[name], 5) for name in ("old_sus", "new_sus")] if rows.height else None


def _balanced(v: WordView) -> dict[str, Any] | None:
    """The plan of balanced transport; None where it would take minutes."""
    if v.is_new.sum() * (~v.is_new).sum() > MOST_FOR_BALANCED:
        return None
    return _arcs(v.balanced, *v.comparison.shares)


def _arcs(arcs: Arcs, old: Floats, new: Floats) -> dict[str, Any]:
    """Who is whose partner, and which share of either one's weight goes between them."""
    shares = arcs.mass / old[arcs.rows], arcs.mass / new[arcs.columns]
    thick = np.maximum(*shares) >= THINNEST
    return {
        "from": arcs.rows[thick],
        "to": arcs.columns[thick],
        "shares": [rounded(share[thick], 4) for share in shares],
    }


def _columns(usages: pl.DataFrame, metadata: Sequence[str]) -> dict[str, Any]:
    """What is known of the usages; spans count UTF-16 units, as scripts in a page do."""
    texts = usages["text"].to_list()
    spans = {name: usages[name].to_list() for name in ("start", "end")}
    columns: dict[str, Any] = {
        "id": usages["id"].to_list(),
        "period": usages["period"].to_list(),
        "text": texts,
        **{
            name: [_units(text, k) for text, k in zip(texts, places, strict=True)]
            for name, places in spans.items()
        },
    }
    for name in ("date", "source", "sense", "induced_sense"):
        if name in usages.columns and not usages[name].is_null().all():
            columns[name] = usages[name].to_list()
    for name in ("period", "sense", "induced_sense", "source"):
        if name in columns:
            columns[name] = _coded(columns[name])
    more = {name: usages[name] for name in metadata if not usages[name].is_null().all()}
    return columns | {"more": {name: _coded(column.to_list()) for name, column in more.items()}}


def _coded(column: list[str | None]) -> dict[str, Any]:
    """A column with few values as numbers of those values, in their natural order."""
    values = sorted({value for value in column if value is not None}, key=natural)
    code: dict[str | None, int] = {value: k for k, value in enumerate(values)}
    return {"values": values, "codes": [code.get(value, -1) for value in column]}


def _units(text: str, characters: int) -> int:
    """How many UTF-16 units the first characters of a text take."""
    return characters + sum(map("\uffff".__lt__, text[:characters]))


def _places(at: Floats) -> dict[str, Any]:
    """The map on a square of a thousand by a thousand, and the order of the usages along it."""
    extent = float(np.ptp(at, axis=0).max()) or 1.0
    x, y = ((at - at.min(axis=0)) / extent * 1000.0).T
    return {"x": rounded(x, 1), "y": rounded(y, 1), "along": curve_order(x / 1000.0, y / 1000.0)}


def by_word(study: Study, rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of every word, its pairs of periods in the order in which the study has them."""
    pairs = study.about["pairs"]
    words: dict[str, list[Row]] = {row["word"]: [] for row in rows}
    for row in sorted(rows, key=lambda row: pairs.index([row["old"], row["new"]])):
        words[row["word"]].append(row)
    return words
