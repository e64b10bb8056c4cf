"""The paper's tables, made of what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from senseshift.evaluation.cells import Cell, Column, Context, Method, Number, Repeated, Table
from senseshift.evaluation.experiments import Evaluation
from senseshift.evaluation.methods import (
    LEVELS,
    MAGNITUDES,
    METHODS,
    PROPOSED,
    SCOPES,
    USAGES,
    WIDE_LAMS,
    GoldKind,
)
from senseshift.evaluation.ours import BASELINE, OURS
from senseshift.evaluation.protocol import VALIDATION, Outcome
from senseshift.evaluation.published import Published
from senseshift.evaluation.rendering import NONE, symbol, written
from senseshift.measures import every_measure
from senseshift.study import Study
from senseshift.study.contexts import in_context

PAPER_WORDS = ("record_nn", "ball_nn", "graft_nn", "bar_nn", "risk_nn")
FEW = 5  # test words; with fewer a correlation says little
AROUND = 22  # characters of context on either side, so that a usage fits in a line

METHOD = Column("method", "method", "Method")
APPROACH = Column("approach", "approach", "Approach")


def main_tables(evaluation: Evaluation, published: Published) -> Iterator[Table]:
    """Tables 2, 9, 10, 3, 4, 6 and 7 of the paper, our methods below its own; and one of ours."""

    def table(
        name: str, title: str, kind: GoldKind, columns: dict[str, str], selected: bool
    ) -> Table:
        ours = [own.name for own in OURS if own.gold == kind and own.approach != BASELINE]
        methods, title = (*LEVELS[kind], *ours), f"Table {name}: {title}"
        return correlations(name, title, evaluation, published, methods, columns, selected)

    levels = {"instance": "instance level", "sense": "sense level"}
    yield table("2", "change of single usages, Spearman with τ*", "tau", levels, False)
    for name, level in (("9", "instance"), ("10", "sense")):
        columns = {
            f"{level}_stable": f"{evaluation.groups.get('stable', '')} stable".strip(),
            f"{level}_changed": f"{evaluation.groups.get('changed', '')} changed".strip(),
            level: f"{len(evaluation.words)} overall",
        }
        yield table(name, f"{levels[level]}, stable and changed words", "tau", columns, False)
    yield within_periods(evaluation, published)
    spearman = {"spearman": "Spearman"}
    title = f"magnitude of change, Spearman with f*{_elsewhere(published, 11, 13)}"
    yield table("3", title, "f", spearman, True)
    title = f"change in scope, Spearman with g*{_elsewhere(published, 12, 14)}"
    yield table("4", title, "g", spearman, True)
    yield without_splits(evaluation, published)
    yield selections(evaluation, published)


def within_periods(evaluation: Evaluation, published: Published) -> Table:
    """Single usages against τ* within each period, where knowing the period is of no help."""
    columns = {
        "instance": "both periods", "instance_old": "old", "instance_new": "new",
        "sense": "sense level",
    }  # fmt: skip
    methods = (*USAGES, *(own.name for own in OURS if own.gold == "tau"))
    title = "Single usages within their period, Spearman with τ* on the instance level"
    found = correlations("periods", title, evaluation, published, methods, columns, False)
    why = (
        "Both periods and sense level: as in Table 2, where a score gains by telling the period, "
        "which is known (the mean of a sense is then its share of new usages); within a period it "
        "cannot."
    )
    return replace(found, notes=[why, *found.notes])


def _elsewhere(published: Published, english: int, spanish: int) -> str:
    """Where the paper has the complete table."""
    number = {"dwug_en": english, "dwug_es": spanish}.get(published.data_set or "")
    return f" (Table {number} of the paper)" if number else ""


def correlations(
    name: str,
    title: str,
    evaluation: Evaluation,
    published: Published,
    methods: Sequence[str],
    columns: dict[str, str],
    selected: bool,
) -> Table:
    """Means and spreads over splits, each beside what was published; ours below a rule."""
    heads = [METHOD, APPROACH]
    for key, head in columns.items():
        heads.append(Column(head, key, right=True))
        if name in published:
            heads.append(Column("paper", f"published_{key}", "Published", right=True))
    if selected:
        heads.append(Column("selected (times)", "selected"))
    rows: list[list[Cell]] = []
    for outcome in (evaluation.outcomes[m] for m in methods if m in evaluation.outcomes):
        method = outcome.method
        row: list[Cell] = [Method(method), _approach(method)]
        for key in columns:
            row.append(_mean(outcome, key))
            if name in published:
                row.append(_published(published, name, method, key))
        if selected:
            chosen, times = outcome.selected
            row.append(f"{written(chosen)} ({times})" if times else NONE)
        rows.append(row)
    notes = _notes(evaluation, published, name, methods, columns)
    breaks = frozenset({sum(method in METHODS for method in methods)})
    return Table(name, title, heads, rows, notes, breaks).with_best()


def _mean(outcome: Outcome, column: str) -> Number:
    if column not in outcome.values:
        return Number(outcome.method, column, None)
    return Number(
        outcome.method, column, outcome.mean(column), outcome.spread(column), outcome.selected[0]
    )


def _published(published: Published, table: str, method: str, column: str) -> Number:
    return Number(method, column, published.number(table, method, column), published=True)


def _approach(method: str) -> str:
    if ours := {own.name: own.approach for own in OURS}.get(method):
        return ours if ours == BASELINE else f"{ours}, ours"
    name = method.removeprefix("tau_").lower() if method in USAGES else method
    return every_measure()[name].kind


def _notes(
    evaluation: Evaluation, published: Published, table: str, methods: Sequence[str],
    columns: Iterable[str],
) -> list[str]:  # fmt: skip
    """What must be said below a table of means over splits."""
    splits = len(evaluation.outcomes[methods[0]].chosen)
    words = len(evaluation.words)
    valid = int(words * VALIDATION)
    notes = [
        f"Mean ± standard deviation over {splits} splits of {words} word{'s' * (words != 1)}: "
        f"{valid} for validation, {words - valid} for test."
    ]
    if 0 < words - valid < FEW:
        notes.append("Test sets this small say little: look at the spread.")
    if table in published:
        absent = [m for m in methods if m in METHODS and not published.has(table, m)]
        without = f"; it has no {', '.join(map(symbol, absent))}" if absent else ""
        notes.append(f"Paper: what it reports, with XL-LEXEME, for reference{without}.")
    if evaluation.left_out:
        left_out = [f"{word} ({why})" for word, why in evaluation.left_out.items()]
        notes.append(f"Left out: {_listed(left_out)}.")
    notes += _reasons(evaluation, methods, columns, splits)
    return notes + [f"{symbol(m)}: {note}." for m, note in evaluation.notes if m in methods]


def _reasons(
    evaluation: Evaluation, methods: Sequence[str], columns: Iterable[str], splits: int
) -> list[str]:
    """Why there are dashes, and where splits are missing."""
    why = {}
    for method, column in product(methods, columns):
        outcome = evaluation.outcomes.get(method)
        if outcome is None:
            continue  # a note says why
        if column not in outcome.values:
            why[method, column] = "the data set does not say which words changed"
        elif (counted := outcome.counted(column)) == 0:
            why[method, column] = evaluation.reasons[method, column]
        elif counted < splits:
            why[method, column] = f"{counted} of {splits} splits, the others cannot be ranked"
    return _grouped(why)


def _grouped(why: dict[tuple[str, str], str]) -> list[str]:
    """One sentence for each reason."""
    by_reason: dict[str, list[str]] = {}
    for (method, column), reason in why.items():
        by_reason.setdefault(reason, []).append(f"{symbol(method)} {column}")
    return [f"{_listed(names)}: {reason}." for reason, names in by_reason.items()]


def _listed(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def without_splits(evaluation: Evaluation, published: Published) -> Table:
    """Table 6: all words at once, for four λ."""
    keys = {lam: f"lambda_{lam:g}" for lam in WIDE_LAMS}
    columns = [METHOD, Column("", "source", "")]
    columns += [
        Column(f"λ = {lam:g}", key, rf"$\lambda = {lam:g}$", right=True)
        for lam, key in keys.items()
    ]
    rows: list[list[Cell]] = []
    breaks = set()
    for method in PROPOSED:
        if method in (MAGNITUDES[0], SCOPES[0]):
            breaks.add(len(rows))
        row: list[Cell] = [Method(method), "here"]
        for lam, key in keys.items():
            value, share = evaluation.all_words.get((method, lam), (None, None))
            row.append(Number(method, key, value, selected=share, shows_selected=True))
        rows.append(row)
        if "6" in published:
            theirs = _published_row(published, method, keys.values())
            rows.append([Repeated(method), "paper", *theirs])
    notes = ["Spearman with the gold; in parentheses the best r of 0.1, 0.2, …, 0.9."]
    missing = {key: why for key, why in evaluation.reasons.items() if key[1] in keys.values()}
    notes += _grouped(missing)
    title = "Table 6: all words, without splits"
    return Table("6", title, columns, rows, notes, frozenset(breaks)).with_best("row")


def _published_row(published: Published, method: str, keys: Iterable[str]) -> list[Number]:
    return [
        Number(
            method, key, published.number("6", method, key),
            selected=published.best_share(method, key), shows_selected=True, published=True,
        )
        for key in keys
    ]  # fmt: skip


def selections(evaluation: Evaluation, published: Published) -> Table:
    """Table 7: what was selected most often."""
    columns = [METHOD, Column("selected", "selected"), Column("times", "times", right=True)]
    if "7" in published:
        columns += [
            Column("paper", "published_selected", "Published"),
            Column("times", "published_times", right=True),
        ]
    rows: list[list[Cell]] = []
    for method, outcome in evaluation.outcomes.items():
        if len(outcome.grid) == 1:
            continue
        chosen, times = outcome.selected
        count = Number(method, "times", times or None, selected=chosen, whole=True)
        row: list[Cell] = [Method(method), written(chosen), count]
        if "7" in published:
            theirs, often = published.selected(method) or (None, None)
            reference = Number(method, "times", often, selected=theirs, whole=True, published=True)
            row += [written(theirs), reference]
        rows.append(row)
    title = "Table 7: the hyper-parameters selected most often (λ, (λ, r) or damping)"
    return Table("7", title, columns, rows)


def examples(study: Study, words: Sequence[str], count: int, name: str) -> Table:
    """Tables 1 and 5: the usages of some words whose use rose and fell most."""
    columns = [
        Column("word", "word", "Word"), Column("", "end", ""), Column("period", "period", "Corpus"),
        Column("usage", "usage", "Instance"), Column("sense", "sense", "Sense"),
        Column("SUS", "sus", right=True),
    ]  # fmt: skip
    rows: list[list[Cell]] = []
    breaks = set()
    for word in words:
        usages = study.usages_of(word)
        fits = max(1, min(count, usages.height // 2))
        for end, part in (("top", usages.head(fits)), ("bottom", usages.tail(fits))):
            breaks.add(len(rows))
            for place, usage in enumerate(part.iter_rows(named=True)):
                context = Context(*in_context(usage["text"], usage["start"], usage["end"], AROUND))
                sense = usage.get("sense") or ("undefined" if "sense" in usage else NONE)
                sus = Number("tau_SUS", f"{word}/{usage['id']}", usage["sus"])
                labels = (word, end) if place == 0 else (Repeated(word), Repeated(end))
                rows.append([*labels, usage["period"], context, sense, sus])
    listed = ", ".join(words)
    title = f"Table {name}: the usages of {listed} whose use rose and fell most"
    setting = study.about["settings"]
    notes = [f"SUS at λ = {setting['lam']:g}; undefined: annotators gave the usage no sense."]
    notes += [f"Skipped {word}: {why}" for word, why in list(study.skipped.items())[:5]]
    return Table(name, title, columns, rows, notes, frozenset(breaks - {0}))


def example_words(study: Study) -> list[str]:
    """Those of the paper, or else the five that changed most."""
    known = study.ranked["word"].to_list()
    return [word for word in PAPER_WORDS if word in known] or known[:5]
