"""The first page: every word in a row, what was skipped, and what made the study."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift import colours
from senseshift.colours import Scale
from senseshift.findings import CHANGED
from senseshift.formats import percent, signed
from senseshift.measures import EXCESS, INSTANCE, every_measure
from senseshift.report.about import CITATION
from senseshift.report.page import PairPage, Row, by_word
from senseshift.report.script import slug
from senseshift.report.workbench import study_identity
from senseshift.study.word_view import LABELS

if TYPE_CHECKING:
    from senseshift.study.study import Study

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
BINS = 25
WIDTH, HEIGHT = 125, 36  # of a small histogram
OUTERMOST = 0.995  # quantile of all |SUS| at which small histograms end
MOST_CONTROLS = (0.05, 0.95)  # quantiles between which nine of ten reference words lie
TELLING = 3  # words that stand for what rose
LABELLED = {"sense": "gold sense", "induced_sense": "sense", "cluster": "cluster"}


def overview(study: Study, rows: Sequence[Row], pages: Sequence[PairPage]) -> dict[str, Any]:
    """What the template of the first page is given; rows and pages are those of the same words."""
    magnitudes, scopes = _measures(study)
    words = by_word(study, rows)
    # among all words of the study, of which the report may show only some
    keys = study.ranked.select("word", "old", "new").iter_rows()
    ranked = {key: k for k, key in enumerate(keys, 1)}
    every = [np.abs(side) for page in pages for side in page.sus]
    end = float(np.quantile(np.concatenate(every), OUTERMOST)) if every else 0.0
    return {
        "study": study_identity(study),
        "cite": CITATION,
        "several": len(study.about["pairs"]) > 1,
        "magnitudes": magnitudes,
        "scopes": scopes,
        "significance": "p" in study.words.columns and not study.words["p"].is_null().all(),
        "permutations": study.about["settings"].get("permutations", 0),
        "band": _band(study),
        "verdicts": list(dict.fromkeys(page.found.headline for page in pages)),
        "rows": [
            _row(row, words[row["word"]].index(row), page, study, end or 1.0)
            for row, page in zip(rows, pages, strict=True)
        ],
        **_unmeasured(study, rows),
        "count": len(words),
        "chance_known": any(page.null is not None for page in pages),
        "told": any(page.found.told("rose") for page in pages),
        "end": end,
        "complete": study.complete,
        "ranks": [ranked[row["word"], row["old"], row["new"]] for row in rows],
        "ranked": len(ranked),
        "periods": study.about["periods"],
        "usages": study.about["usages"],
        "scales": _scales(pages),
    }


def _unmeasured(study: Study, rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Words of which no change can be told: new ones, gone ones, too rare ones, and the others."""
    kinds: dict[str, list[Row]] = {"new": [], "gone": [], "skipped": []}
    for row in study.words.filter(pl.col("skipped").is_not_null()).iter_rows(named=True):
        verdict = row.get("verdict")
        kinds[verdict if verdict in ("new", "gone") else "skipped"].append(row)
    return kinds | {"few": [row for row in rows if row.get("verdict") == "few"]}


def _band(study: Study) -> tuple[float, float] | None:
    """Between which changes nine of ten reference words lie."""
    if not study.controls.height:
        return None
    low, high = np.quantile(study.controls["change"].to_numpy(), MOST_CONTROLS)
    return float(low), float(high)


def _scales(pages: Sequence[PairPage]) -> dict[str, tuple[float, float]]:
    """One scale of colours for each score of all words together, so that words can be compared."""
    found = {}
    for measure in (EXCESS, *INSTANCE):
        every = [page.coloured[measure.name] for page in pages if measure.name in page.coloured]
        known = [scores[np.isfinite(scores)] for scores in every]
        scale = Scale.over([np.concatenate(known)] if known else [])
        # what is within chance is grey already, whatever its size
        found[measure.name] = (0.0 if measure is EXCESS else scale.low, scale.high)
    return found


def page_data(context: dict[str, Any]) -> dict[str, Any]:
    """What scripts need of the first page."""
    names = [*context["magnitudes"], *context["scopes"]]
    return {
        "rows": [
            {
                "word": row["word"],
                "slug": row["slug"],
                "pair": row["pair"],
                "old": row["old"],
                "new": row["new"],
                "usages": row["old_usages"] + row["new_usages"],
                "verdict": row["verdict"],
                "changed": row["changed"],
                "p": row["p"],
                "q": row["q"],
                "intervals": row["intervals"],
                "measures": row["measures"],
                "rank": rank,
            }
            for row, rank in zip(context["rows"], context["ranks"], strict=True)
        ],
        "study": context["study"],
        "cite": context["cite"],
        "ranked": context["ranked"],
        "permutations": context["permutations"],
        "band": context["band"],
        "measures": {name: _says(name) for name in names},
        "scores": [
            {
                "name": m.name,
                "label": m.symbol,
                "says": m.says,
                "digits": m.digits,
                "squashed": m.squashed,
                "ends": m.ends,
            }
            for m in (EXCESS, *INSTANCE)
        ],
        "scales": context["scales"],
        "labels": [[name, LABELLED[name]] for name in LABELS],
        "magnitudes": context["magnitudes"],
        "scopes": context["scopes"],
        "several": context["several"],
        "palette": {
            "diverging": colours.DIVERGING,
            "senses": colours.SENSES,
            "other": colours.OTHER_SENSES,
        },
    }


def _measures(study: Study) -> tuple[list[str], list[str]]:
    """Measures of magnitude and of scope, the one that words are ranked by first."""
    known = every_measure()
    levels = {name: known[name].level for name in study.measures if name in known}
    magnitudes = [name for name, level in levels.items() if level == "magnitude"]
    scopes = [name for name, level in levels.items() if level == "scope"]
    # that of senses first, which the statement goes by and whose interval is known
    if "g_senses" in scopes and study.words["g_senses"].fill_nan(None).count():
        scopes.sort(key=lambda name: name != "g_senses")
    return (["change"] if "change" in study.words.columns else []) + magnitudes, scopes


def _says(name: str) -> str:
    known = every_measure()
    if name == "change":
        return "how far the word goes beyond what chance makes of such usages"
    return known[name].says if name in known else ""


def _shown(study: Study) -> list[str]:
    return [name for names in _measures(study) for name in names]


def _row(row: Row, pair: int, page: PairPage, study: Study, end: float) -> dict[str, Any]:
    target = {"word": row["word"]} | ({"pair": str(pair)} if pair else {})
    return {
        **{name: row[name] for name in ("word", "old", "new", "old_usages", "new_usages")},
        "slug": slug(row["word"]),
        "pair": pair,
        "href": "#" + urlencode(target, quote_via=quote),
        "verdict": page.found.headline,
        "words": page.found.told("rose")[:TELLING],
        "measures": {name: row[name] for name in _shown(study)},
        "changed": page.found.verdict in CHANGED,
        "p": row.get("p"),
        "q": row.get("q"),
        "intervals": {
            **{n: [row[f"{n}_low"], row[f"{n}_high"]] for n in row if f"{n}_low" in row},
            "g_senses": [row.get("scope_low"), row.get("scope_high")],
        },
        "histogram": histogram(*page.sus, end, page.beyond),
        "by_chance": by_chance(page.null, *page.sus, end),
        "histogram_says": (
            f"SUS from {signed(min(map(np.min, page.sus)), 2)} to "
            f"{signed(max(map(np.max, page.sus)), 2)}; {percent(page.found.beyond.mean())} "
            "of the usages are matched worse than chance has it"
        ),
    }


def histogram(
    old: Floats, new: Floats, end: float, beyond: tuple[Bools, Bools] | None = None
) -> dict[str, str]:
    """Outlines of a small histogram from −end to +end: new usages upwards, old ones downwards.

    Usages that chance does not explain have bars of their own before the others, ``fell`` and
    ``rose``, so that these have colours.
    """
    _, sides = _binned(old, new, end)
    masks = beyond or (np.zeros(old.size, bool), np.zeros(new.size, bool))
    _, marked = _binned(old[masks[0]], new[masks[1]], end, (old.size, new.size))
    tallest = _tallest(sides)
    return {
        "within": _bars(sides[0], tallest, 1) + _bars(sides[1], tallest, -1),
        "fell": _bars(marked[0], tallest, 1),
        "rose": _bars(marked[1], tallest, -1),
    }


def _bars(shares: Floats, tallest: float, direction: int) -> str:
    """An outline of bars down from the middle, or up."""
    width, middle = WIDTH / BINS, HEIGHT / 2
    lengths = direction * np.maximum(1.0, (middle - 1.0) * shares / tallest)
    return "".join(
        f"M{k * width + 0.5:.1f} {middle:g}v{length:.1f}h{width - 1:g}v{-length:.1f}z"
        for k, length in enumerate(lengths)
        if shares[k]
    )


def by_chance(null: list[list[float]] | None, old: Floats, new: Floats, end: float) -> str:
    """The outline of what permutation makes of the same usages, on the scale of their bars."""
    if null is None:
        return ""
    edges, sides = _binned(old, new, end)
    tallest, width, middle = _tallest(sides), WIDTH / BINS, HEIGHT / 2
    outline = []
    for direction, quantiles in ((1, null[0]), (-1, null[1])):
        below = np.interp(edges, quantiles, np.linspace(0.0, 1.0, len(quantiles)))
        below[0], below[-1] = 0.0, 1.0  # what lies farther out is in the outermost bars
        heights = np.minimum(1.0, np.diff(below) / tallest) * (middle - 1.0) * direction
        steps = "".join(f"V{middle + height:.1f}h{width:g}" for height in heights)
        outline.append(f"M0 {middle:g}{steps}V{middle:g}z")
    return "".join(outline)


def _binned(
    old: Floats, new: Floats, end: float, sizes: tuple[int, int] | None = None
) -> tuple[Floats, list[Floats]]:
    """Edges of the bars, and the share of either side's usages in each."""
    edges = np.linspace(-end, end, BINS + 1)
    sides = [
        np.histogram(np.clip(side, -end, end), edges)[0] / max(size, 1)
        for side, size in zip((old, new), sizes or (old.size, new.size), strict=True)
    ]
    return edges, sides


def _tallest(sides: list[Floats]) -> float:
    return max(float(side.max()) for side in sides) or 1.0
