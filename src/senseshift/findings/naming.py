"""Names for senses: the words that tell each from the word's others, or its middle usage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from senseshift.findings.finding import label_column
from senseshift.findings.telling import Background, Contexts, Reader, Term
from senseshift.study.contexts import in_context

if TYPE_CHECKING:
    from senseshift.study import Study

TERMS = 6  # that are kept of a sense
NAMING = 3  # that make its name
AROUND = 24  # characters of context where a usage stands for a sense
SCHEMA = {
    "word": pl.String, "sense": pl.String, "term": pl.String, "inside": pl.Int64,
    "outside": pl.Int64, "documents": pl.Int64, "flag": pl.String, "usages": pl.String,
}  # fmt: skip


def named(study: Study) -> Study:
    """The study with telling words and, where senses were induced, names made of them."""
    if not study.senses.height:
        return replace(study, telling=pl.DataFrame(schema=SCHEMA))
    reader = Reader(study.about.get("language"))
    usages, column = study.usages, label_column(study)
    backgrounds = {
        str(period): Background.of(part.select("text", "start", "end").iter_rows(), reader)
        for (period,), part in usages.group_by("period", maintain_order=True)
    }
    told: list[dict[str, Any]] = []
    names: dict[tuple[str, str], str] = {}
    of_senses = study.senses.group_by("word", maintain_order=True).agg(
        pl.col("sense").unique(maintain_order=True)
    )
    parts = {str(word): part for (word,), part in usages.group_by("word")}
    for word, senses in of_senses.iter_rows():
        part = parts[word].sort("usage")
        contexts = Contexts.of(
            part.select("text", "start", "end").iter_rows(), part["period"].to_list(),
            backgrounds, reader, _documents(part),
        )  # fmt: skip
        labels = part[column]
        for sense in senses:
            terms = contexts.telling((labels == sense).fill_null(False).to_numpy(), TERMS)
            told += [_row(word, sense, term) for term in terms]
            if column != "sense":
                names[word, sense] = _name(study, word, sense, terms)
    study = replace(study, telling=pl.DataFrame(told, schema=SCHEMA))
    if not names:
        return study
    return replace(
        study,
        senses=_renamed(study.senses, names),
        sense_changes=_renamed(study.sense_changes, names),
    )


def _row(word: str, sense: str, term: Term) -> dict[str, Any]:
    """A row of the table.

    Its usages, places among those of the word, are a text, which any kind of file can hold.
    """
    return {
        "word": word, "sense": sense, "term": term.text, "inside": term.inside,
        "outside": term.outside, "documents": term.documents, "flag": term.flag,
        "usages": " ".join(map(str, term.usages)),
    }  # fmt: skip


def _documents(part: pl.DataFrame) -> np.ndarray | None:
    if "source" not in part.columns or part["source"].is_null().all():
        return None
    sources = part["source"].to_list()
    number = {source: k for k, source in enumerate(dict.fromkeys(sources))}
    return np.array([number[source] for source in sources])


def _name(study: Study, word: str, sense: str, terms: list[Term]) -> str:
    """What tells a sense; its middle usage where nothing does."""
    sound = [term.text for term in terms if not term.flag][:NAMING]
    if sound:
        return ", ".join(sound)
    rows = study.typical.filter(word=word, sense=sense).sort("place")["usage"]
    if not len(rows):
        return f"sense {sense}"
    usage = study.usages.filter(pl.col("usage") == rows[0]).row(0, named=True)
    left, target, right = in_context(usage["text"], usage["start"], usage["end"], AROUND)
    return f"“{left}{target}{right}”"


def _renamed(table: pl.DataFrame, names: Mapping[tuple[str, str], str]) -> pl.DataFrame:
    found = [names[key] for key in table.select("word", "sense").iter_rows()]
    return table.with_columns(pl.Series("name", found, dtype=pl.String))
