"""How a study looks in a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import polars as pl
from rich.table import Table
from rich.text import Text

from senseshift.formats import NOTHING, error_bound, number, plural, signed
from senseshift.measures import WORD
from senseshift.measures.widid import MOST_UNASKED
from senseshift.study.contexts import in_context

if TYPE_CHECKING:
    from senseshift.study.study import Study

WIDTH = 100
SHOWN = 50  # words in a printed table
MEASURE_WIDTH = 11  # of a column with a measure
NAMED = 8  # words that came or went
MARK = "**"  # about the target, in plain text
CERTAINTY = ("change", "p", "q", "drift_p", "drift_q")  # columns that come before measures


def examples(usages: pl.DataFrame) -> pl.DataFrame:
    """Usages in the layout of the paper: period, context with the target marked, sense, SUS."""
    contexts = [
        f"{left}{MARK}{target}{MARK}{right}"
        for left, target, right in map(_parts, usages.iter_rows(named=True))
    ]
    sense = usages["sense"] if "sense" in usages.columns else [None] * usages.height
    return pl.DataFrame(
        {"period": usages["period"], "context": contexts, "sense": sense, "SUS": usages["sus"]},
        schema_overrides={"sense": pl.String},
    )


def examples_table(study: Study, word: str, count: int, periods: Sequence[str]) -> Table:
    """The top and bottom usages of a word in two periods as a table for the terminal."""
    usages = study.usages_of(word, periods)
    count = min(count, usages.height)
    title = Text(word)
    if len(study.pairs) > 1:
        title.append(f", {periods[0]} → {periods[1]}")
    sources = "source" in usages.columns
    heads = ("", "period", "context", *(["source"] if sources else []), "sense", "SUS")
    table = Table(*heads, title=title, box=None, pad_edge=False)
    table.columns[-1].justify = "right"
    for label, rows in (("top", usages.head(count)), ("bottom", usages.tail(count))):
        for row in rows.iter_rows(named=True):
            left, target, right = _parts(row)
            context = Text.assemble(left, (target, "bold"), right)
            source = [Text(row["source"] or NOTHING)] if sources else []
            sense = row.get("sense") or row.get("induced_sense") or NOTHING
            table.add_row(
                label, Text(row["period"]), context, *source,
                Text(sense), signed(row["sus"], minus="-"),
            )  # fmt: skip
            label = ""
    return table


def _parts(row: dict[str, Any]) -> tuple[str, str, str]:
    return in_context(row["text"], row["start"], row["end"])


def words_table(study: Study, width: int = WIDTH, count: int | None = SHOWN) -> Table:
    """The words as a table for the terminal, the most changed first; as many measures as fit."""
    shown = study.ranked if count is None else study.ranked.head(count)
    table = Table(box=None, pad_edge=False)
    several, told = len(study.pairs) > 1, _told(study)
    heads = ["word", *(["periods"] if several else []), "usages", *(["verdict"] if told else [])]
    rows = []
    for row in shown.iter_rows(named=True):
        cells = [row["word"], *([f"{row['old']} → {row['new']}"] if several else [])]
        cells.append(f"{row['old_usages']}+{row['new_usages']}")
        rows.append(cells + ([row["verdict"] or NOTHING] if told else []))
    room = width - sum(
        2 + max(len(cell) for cell in column)
        for column in zip(heads, *rows, strict=True)
    )  # fmt: skip
    names = columns(study)[: max(room // MEASURE_WIDTH, 1)]
    for k, head in enumerate([*heads, *names]):
        table.add_column(head, justify="left" if k == 0 else "right", no_wrap=True)
    for cells, row in zip(rows, shown.iter_rows(named=True), strict=True):
        table.add_row(*map(Text, cells), *(number(row[name]) for name in names))
    return table


def columns(study: Study) -> list[str]:
    """The columns of figures that say how a word changed, those most asked for first."""
    headline = [m.name for m in WORD if m.headline]
    known = [name for name in CERTAINTY if _known(study, name)]
    return known + sorted(study.measures, key=lambda name: name not in headline)


def _told(study: Study) -> bool:
    """Whether anything is said of the words: without permutations nothing is."""
    return _known(study, "change")


def _known(study: Study, name: str) -> bool:
    return name in study.words.columns and not study.words[name].is_null().all()


def title(study: Study) -> str:
    """What the study is of."""
    words = plural(study.ranked["word"].n_unique(), "word")
    usages = plural(study.about["usages"], "usage")
    return f"{words}, {usages}, {' → '.join(study.periods)}"


def caption(study: Study, width: int = WIDTH) -> str:
    """What else must be said under the table."""
    ranked, notes = study.ranked, []
    shown = [column.header for column in words_table(study, width).columns]
    if hidden := [name for name in columns(study) if name not in shown]:
        notes.append(f"also measured, in .words: {', '.join(hidden)}")
    if ranked.height > SHOWN:
        notes.append(f"{ranked.height - SHOWN} more words: show STUDY --all, or .words in Python")
    if ranked.height:
        notes.append(certainty(study))
    notes += _without_clusters(study)
    if _told(study):
        notes.append(_drift(study))
    notes += [*_of_one_period(study, "new"), *_of_one_period(study, "gone")]
    known = {*_words(study, "new"), *_words(study, "gone")}
    skipped = [(word, why) for word, why in study.skipped.items() if word not in known]
    notes += [f"not measured, {word}: {reason}" for word, reason in skipped[:5]]
    if len(skipped) > 5:
        notes.append(f"{len(skipped) - 5} more not measured, see .skipped")
    if not study.complete:
        notes.append("UNFINISHED: resume it to measure the other words")
    return "\n".join(notes)


def _without_clusters(study: Study) -> list[str]:
    """For how many words what follows from WiDiD's clusters is not known, and why."""
    slow = [m.name for m in WORD if m.slow and m.name in study.measures]
    if not slow:
        return []
    unknown = study.ranked.filter(pl.col(slow[0]).is_null())
    large = pl.col("old_usages") + pl.col("new_usages") > MOST_UNASKED
    left_out = 0 if study.about["settings"].get("asked") else unknown.filter(large).height
    notes, names = [], ", ".join(slow)
    if left_out:
        words = plural(left_out, "word")
        notes.append(
            f"{names}: left out for {words} of more than {MOST_UNASKED:,} usages, as they take "
            "long; --measures all has them"
        )
    if failed := unknown.height - left_out:
        notes.append(
            f"{names}: not known for {plural(failed, 'word')}, where no clusters were found"
        )
    return notes


def _words(study: Study, verdict: str) -> dict[str, int]:
    """Words that have usages in one of the periods only, with their number."""
    if "verdict" not in study.words.columns:
        return {}
    rows = study.words.filter(pl.col("verdict") == verdict)
    return dict(zip(rows["word"], rows["old_usages"] + rows["new_usages"], strict=True))


def _of_one_period(study: Study, verdict: str) -> list[str]:
    words = [f"{word} ({count:,})" for word, count in _words(study, verdict).items()]
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return [f"{verdict}: {', '.join(words[:NAMED])}{more}"] if words else []


def _drift(study: Study) -> str:
    if _known(study, "drift_p"):
        return "drift_p: how many of the reference words changed as much"
    return "drift is not controlled for: with corpora, --controls tells what any word does"


def certainty(study: Study) -> str:
    """How exact all transports are."""
    ranked = study.ranked
    uncertified = ranked.filter(~pl.col("certified")).height
    if uncertified:
        return f"{uncertified} of {ranked.height} NOT certified"
    return f"all certified, SUS error ≤ {error_bound(max(ranked['sus_error']))}"


def _cell(value: Any) -> str:
    return number(value) if value is None or isinstance(value, float) else str(value)


def words_html(study: Study) -> str:
    """The words as an HTML table for a notebook."""
    names = ["word", "old", "new", "old_usages", "new_usages"]
    names += [*(["verdict"] if _told(study) else []), *columns(study)]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = ""
    for row in study.ranked.head(SHOWN).select(names).iter_rows():
        cells = (_cell(cell) for cell in row)
        body += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    notes = "".join(f"<p>{escape(line)}</p>" for line in caption(study).splitlines())
    return f"<table><caption>{escape(title(study))}</caption><tr>{head}</tr>{body}</table>{notes}"
