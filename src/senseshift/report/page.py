"""All that a word's page shows, computed once: map, plans, groups, summary and the usages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.colours import Scale, natural, squash
from senseshift.findings.telling import Background, Contexts
from senseshift.measures.scores import log_variance_ratio
from senseshift.projection import MOST_FOR_TSNE
from senseshift.report.chance import chance_sus
from senseshift.report.groups import Group, groups, shifted
from senseshift.report.maps import curve_order
from senseshift.report.script import rounded, slug
from senseshift.report.summary import Figures, sense_shares, sentences, verdict
from senseshift.study.word_view import WordView, view
from senseshift.transport.result import Arcs
from senseshift.vectors import weigh

if TYPE_CHECKING:
    from senseshift.study.study import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Row = dict[str, Any]  # of a study's table of words

MOST_FOR_BALANCED = 36_000_000  # costs of a balanced transport that a report takes the time for
MOST_FOR_BACKGROUND = 20_000  # usages a period
THINNEST = 0.005  # share of a usage's weight; thinner arcs are not drawn


@dataclass(frozen=True, eq=False)
class PairPage:
    """One word in two periods: what its page is given, and what the overview needs of it."""

    data: dict[str, Any]
    verdict: str
    sus: tuple[Floats, Floats]
    gained: float
    lost: float
    gained_words: list[str]
    lost_words: list[str]


def usages_of(study: Study, word: str, rows: Sequence[Row]) -> pl.DataFrame:
    """All usages of a word in the periods of its rows, each once."""
    periods = [row[side] for row in rows for side in ("old", "new")]
    of_word = (pl.col("word") == word) & pl.col("period").is_in(periods)
    return study.instances.filter(of_word).unique("usage", keep="first", maintain_order=True)


def word_page(
    study: Study,
    word: str,
    rows: Sequence[Row],
    usages: pl.DataFrame,
    at: Floats,
    backgrounds: Mapping[str, Background],
) -> tuple[dict[str, Any], list[PairPage]]:
    """The data of a word's page, and each of its pairs of periods for the overview.

    Parameters
    ----------
    study, word
        The word and its study.
    rows
        The word's rows of the table of words.
    usages, at
        All its usages and their places on the map.
    backgrounds
        The words near all targets of the study, for every period.
    """
    views = [view(study, word, (row["old"], row["new"])) for row in rows]
    place = {usage: k for k, usage in enumerate(usages["usage"])}
    settings = study.about["settings"]
    pairs = []
    for row, v in zip(rows, views, strict=True):
        here = [place[usage] for usage in v.usages["usage"]]
        page = _pair(v, settings, (backgrounds[v.old], backgrounds[v.new]), row.get("p_value"))
        page.data.update(at=here, measures=_measures(study, row), certified=row["certified"])
        page.data.update(sus_error=row["sus_error"])
        pairs.append(page)
    data = {
        "word": word,
        "map": "t-SNE" if usages.height <= MOST_FOR_TSNE else "PCA",
        "usages": _columns(usages) | _places(at),
        "pairs": [page.data for page in pairs],
    }
    return data | {"slug": slug(word)}, pairs


def _pair(
    v: WordView,
    settings: dict[str, Any],
    backgrounds: tuple[Background, Background],
    p_value: float | None,
) -> PairPage:
    sus, is_new, table = v.sus, v.is_new, v.usages
    chance = chance_sus(v.vectors, is_new, settings)
    usages = table.select("text", "start", "end").iter_rows()
    contexts = Contexts.of(usages, is_new, backgrounds)
    found = groups(sus, v.vectors, table["text"].to_list(), contexts, chance)
    rose, fell = shifted(sus, chance)
    figures = Figures(
        scope=log_variance_ratio(sus[~is_new], sus[is_new]),
        gained=float(rose[is_new].mean()),
        lost=float(fell[~is_new].mean()),
        gained_words=_told(found, "rose"),
        lost_words=_told(found, "fell"),
        senses=sense_shares(v.senses, is_new) if v.senses else (),
        p_value=p_value,
    )
    scales = [Scale.over([sus]), Scale.over([squash(v.ldr)])]
    data: dict[str, Any] = {
        "old": v.old,
        "new": v.new,
        "olds": int((~is_new).sum()),
        "sus": rounded(sus, 6),
        "ldr": rounded(v.ldr, 4),
        "scales": {
            name: [scale.low, scale.high]
            for name, scale in zip(("sus", "ldr"), scales, strict=True)
        },
        "chance": chance,
        "verdict": verdict(figures),
        "summary": sentences(figures),
        "groups": [_group(group) for group in found],
        "plans": {"uot": _arcs(v.plan, v), "ot": _balanced(v)},
    }
    if (clusters := v.labels("cluster")) is not None:
        data["cluster"] = clusters
    return PairPage(
        data, data["verdict"], (sus[~is_new], sus[is_new]),
        figures.gained, figures.lost, list(figures.gained_words), list(figures.lost_words),
    )  # fmt: skip


def _told(found: list[Group], kind: str) -> list[str]:
    """The most telling words of all that rose, or fell: most of them of the first group."""
    words = [group.words for group in found if group.kind == kind and group.beyond]
    first = words[0][:3] if words else []
    return list(dict.fromkeys([*first, *(word for rest in words[1:] for word in rest[:1])]))


def _group(group: Group) -> dict[str, Any]:
    return {
        "kind": group.kind,
        "beyond": group.beyond,
        "members": group.members,
        "sus": round(group.sus, 4),
        "shares": [round(group.old_share, 4), round(group.new_share, 4)],
        "words": group.words,
        "typical": group.typical,
    }


def _balanced(v: WordView) -> dict[str, Any] | None:
    """The plan of balanced transport; None where it would take minutes."""
    if v.is_new.sum() * (~v.is_new).sum() > MOST_FOR_BALANCED:
        return None
    return _arcs(v.balanced, v)


def _arcs(arcs: Arcs, v: WordView) -> dict[str, Any]:
    """Who is whose partner, and which share of either one's weight goes between them."""
    old, new = weigh(v.vectors[~v.is_new], v.weights), weigh(v.vectors[v.is_new], v.weights)
    shares = arcs.mass / old[arcs.rows], arcs.mass / new[arcs.columns]
    thick = np.maximum(*shares) >= THINNEST
    return {
        "from": arcs.rows[thick],
        "to": arcs.columns[thick],
        "shares": [rounded(share[thick], 4) for share in shares],
    }


def _measures(study: Study, row: Row) -> dict[str, float | None]:
    return {name: row[name] for name in study.measures}


def _columns(usages: pl.DataFrame) -> dict[str, Any]:
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
    for name in ("date", "source", "sense"):
        if name in usages.columns and not usages[name].is_null().all():
            columns[name] = usages[name].to_list()
    return _coded(columns)


def _coded(columns: dict[str, Any]) -> dict[str, Any]:
    """Columns with few values as numbers of those values, in their natural order."""
    for name in ("period", "sense", "source"):
        if name in columns:
            values = sorted({value for value in columns[name] if value is not None}, key=natural)
            code: dict[str | None, int] = {value: k for k, value in enumerate(values)}
            columns[name] = {"values": values, "codes": [code.get(v, -1) for v in columns[name]]}
    return columns


def _units(text: str, characters: int) -> int:
    """How many UTF-16 units the first characters of a text take."""
    return characters + sum(map("\uffff".__lt__, text[:characters]))


def _places(at: Floats) -> dict[str, Any]:
    """The map on a square of a thousand by a thousand, and the order of the usages along it."""
    extent = float(np.ptp(at, axis=0).max()) or 1.0
    x, y = ((at - at.min(axis=0)) / extent * 1000.0).T
    return {"x": rounded(x, 1), "y": rounded(y, 1), "along": curve_order(x / 1000.0, y / 1000.0)}


def backgrounds(study: Study, most: int = MOST_FOR_BACKGROUND) -> dict[str, Background]:
    """The words near all targets, for every period; from a sample where there are very many."""
    found = {}
    for (period,), part in study.instances.group_by("period"):
        usages = part.unique("usage", maintain_order=True)
        if usages.height > most:
            usages = usages.sample(most, seed=0)
        found[str(period)] = Background.of(usages.select("text", "start", "end").iter_rows())
    return found


def by_word(study: Study, rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of every word, its pairs of periods in the order in which the study has them."""
    pairs = study.about["pairs"]
    words: dict[str, list[Row]] = {row["word"]: [] for row in rows}
    for row in sorted(rows, key=lambda row: pairs.index([row["old"], row["new"]])):
        words[row["word"]].append(row)
    return words
