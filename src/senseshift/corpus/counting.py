"""The words of whole corpora with their counts, and reference words drawn from them.

What a century does to any word is measured on words: those drawn here are about as frequent as the
targets, in each period. They are words in general, not stable ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle

import numpy as np
import polars as pl

from senseshift.corpus.blocks import Block
from senseshift.corpus.encodings import encodings_from, fitting
from senseshift.corpus.files import Paths, blocks_of, files_of
from senseshift.corpus.lines import Source
from senseshift.corpus.matching import lemmatizer
from senseshift.corpus.names import CAPITAL_NOUNS, begins_sentence
from senseshift.corpus.rows import Columns
from senseshift.corpus.text import Layout
from senseshift.corpus.tokens import tokenizer
from senseshift.errors import InputError
from senseshift.progress import Progress
from senseshift.usages.periods import Spans, spans_from, year_in
from senseshift.usages.problems import Problems

COMMONEST = 150  # words that are mostly function words
LEAST = 10  # usages of a reference word in every period
SHORTEST = 3  # letters
NAME = 0.5  # share of capitals inside sentences from which on a word is a name

SCHEMA = {"word": pl.String, "period": pl.String, "count": pl.Int64, "names": pl.Int64}


def vocabulary(
    corpora: Mapping[str, Paths] | Paths,
    *,
    language: str = "en",
    layout: Layout | None = None,
    encoding: str | Sequence[str] = "utf-8",
    text_column: str = "text",
    date_column: str = "date",
    periods: str | Sequence[str] | None = None,
    split_year: int | None = None,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """How often every word occurs in each period, forms put together by lemma.

    Parameters are those of :func:`senseshift.corpus.find`. The table has a row for each word and
    period with its ``count`` and how many of them look like ``names``.
    """
    spans, encodings = spans_from(periods, split_year), encodings_from(encoding)
    files, _, order = files_of(corpora, spans)
    total, done = sum(file.path.stat().st_size for file in files), 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress(done, total)

    forms: dict[str, Counter[str]] = {period: Counter() for period in order}
    names: dict[str, Counter[str]] = {period: Counter() for period in order}
    lemmas: dict[str, str] = {}  # of annotated corpora
    for file in files:
        source = Source(file.path, file.name, Problems(True), advance)
        if file.path.suffix.lower() != ".parquet":
            source.encoding = fitting(file.path, encodings)
        for block in blocks_of(file, source, Columns(text_column, date_column), layout):
            period = file.period or _period(block, spans)
            if period is not None:
                _count(block, forms[period], names[period], lemmas)
    return _by_lemma(forms, names, lemmas, language)


def _period(block: Block, spans: Spans | None) -> str | None:
    year = year_in(block.date or "")
    return None if year is None or spans is None else spans.of(year)


def _count(block: Block, forms: Counter[str], names: Counter[str], lemmas: dict[str, str]) -> None:
    if block.tokens is not None:
        for token in block.tokens:
            form = token.form.lower()
            forms[form] += 1
            lemmas.setdefault(form, token.lemma.lower())
            names[form] += token.tag == "PROPN"
        return
    for match in tokenizer(block.text).finditer(block.text):
        word = match.group()
        form = word.lower()
        forms[form] += 1
        if word != form and not begins_sentence(block.text, match.start()):
            names[form] += 1


def _by_lemma(
    forms: Mapping[str, Counter[str]],
    names: Mapping[str, Counter[str]],
    lemmas: Mapping[str, str],
    language: str,
) -> pl.DataFrame:
    lemma, nouns = _lemma(language), language in CAPITAL_NOUNS
    rows = []
    for period, counts in forms.items():
        found: Counter[str] = Counter()
        capital: Counter[str] = Counter()
        for form, count in counts.items():
            # Small, the German for mouse is a form of a verb.
            noun = nouns and names[period][form] > NAME * count
            word = lemmas.get(form) or lemma(form.capitalize() if noun else form).lower()
            found[word] += count
            capital[word] += names[period][form]
        rows += [(word, period, count, capital[word]) for word, count in found.items()]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row").sort("word", "period")


def _lemma(language: str) -> Callable[[str], str]:
    try:
        return lemmatizer(language)
    except InputError:  # no dictionary: forms stand for themselves
        return lambda form: form


def draw_controls(
    counts: pl.DataFrame,
    targets: Iterable[str],
    number: int,
    *,
    language: str = "en",
    seed: int = 0,
) -> list[str]:
    """Words that are about as frequent as the targets in every period, the targets not among them.

    Parameters
    ----------
    counts
        The vocabulary.
    targets
        The words to find company for.
    number
        How many in all; fewer where there are not so many.
    language
        Whose dictionary a word must be in, so that errors of recognition stay out.
    seed
        Decides between words that fit alike.
    """
    wide = counts.pivot(on="period", index="word", values="count").fill_null(0)
    names = counts.group_by("word").agg(pl.sum("count"), pl.sum("names"))
    wide = wide.join(names, on="word").sort("count", "word", descending=[True, False])
    periods = [name for name in wide.columns if name not in ("word", "count", "names")]
    asked = {target.casefold() for target in targets}
    fit = wide[COMMONEST:].filter(
        pl.all_horizontal(pl.col(periods) >= LEAST),
        (pl.col("names") < NAME * pl.col("count")) | pl.lit(language in CAPITAL_NOUNS),
        pl.col("word").str.contains(r"^\p{L}+$"),
        pl.col("word").str.len_chars() >= SHORTEST,
        ~pl.col("word").is_in(list(asked)),
    )
    fit = fit.filter(pl.col("word").map_elements(_known(language), return_dtype=pl.Boolean))
    goals = wide.filter(pl.col("word").is_in(list(asked))).select(periods)
    if not fit.height:
        return []
    order = np.random.default_rng(seed).permutation(fit.height)
    have = np.log1p(fit.select(periods).to_numpy()[order])
    words = [fit["word"][int(k)] for k in order]
    wanted = np.log1p(goals.to_numpy()) if goals.height else have.mean(axis=0, keepdims=True)
    nearest = [np.argsort(np.abs(have - goal).sum(axis=1), kind="stable") for goal in wanted]
    chosen: dict[str, None] = {}
    queues = cycle([iter(queue) for queue in nearest])
    for queue in queues:
        if len(chosen) >= min(number, len(words)):
            break
        word = next((words[k] for k in queue if words[k] not in chosen), None)
        if word is not None:
            chosen[word] = None
    return list(chosen)


def _known(language: str) -> Callable[[str], bool]:
    from simplemma import is_known

    def known(word: str) -> bool:
        try:
            return bool(is_known(word, language))
        except ValueError:
            return True

    return known
