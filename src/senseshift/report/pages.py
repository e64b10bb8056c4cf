"""Writing a report: a folder of pages, or one page with everything in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from senseshift._version import __version__
from senseshift.errors import InputError
from senseshift.folders import files_whole
from senseshift.formats import MINUS, number, p_value
from senseshift.progress import Progress
from senseshift.report import assets
from senseshift.report.about import about
from senseshift.report.overview import overview, page_data
from senseshift.report.page import PairPage, Row, by_word, usages_of, word_page
from senseshift.report.placing import many_positions
from senseshift.report.script import script, slug
from senseshift.report.senses import told_by
from senseshift.writing import written_whole

if TYPE_CHECKING:
    from senseshift.study.study import Study

PAGE = "index.html"
GENERATOR = '<meta name="generator" content="senseshift'


def write(
    study: Study,
    folder: str | Path,
    *,
    words: Sequence[str] | None = None,
    single_file: bool = False,
    licence: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the report of a study and return the path of its first page.

    Parameters
    ----------
    study
        The study.
    folder
        Where to write; an earlier report there is replaced, other files there stay. With
        ``single_file`` it may also name the page itself, with the ending ``.html``.
    words
        Which words to show, all by default.
    single_file
        Write one page that holds everything: for one word or a small study.
    licence
        Of the data, for the foot of the page.
    threads
        As many as there are processors by default.
    progress
        Called with the numbers of words that are done and in all.
    """
    folder = Path(folder)
    rows = _chosen(study, words)
    if single_file and folder.suffix.lower() in (".html", ".htm"):
        with written_whole(folder) as file:
            file.write(_one_page(study, rows, licence, threads, progress).encode())
        return folder
    if folder.exists() and not _is_report(folder):
        raise InputError(f"{folder} exists and is not a report: give another name.")
    with files_whole(folder, owned=(PAGE, "assets/*", "data/*.js")) as made:
        if single_file:
            _put(made / PAGE, _one_page(study, rows, licence, threads, progress))
        else:
            _write_folder(made, study, rows, licence, threads, progress)
    return folder / PAGE


def _chosen(study: Study, words: Sequence[str] | None) -> list[Row]:
    """The rows of the words to show, the most changed first."""
    rows = list(study.ranked.iter_rows(named=True))
    if words is None:
        return rows
    known = {row["word"] for row in rows}
    for word in words:
        if word not in known:
            study.rows_of(word)  # says what is wrong with a word that cannot be shown
    return [row for row in rows if row["word"] in words]


def _write_folder(
    made: Path,
    study: Study,
    rows: list[Row],
    licence: str | None,
    threads: int | None,
    progress: Progress | None,
) -> None:
    for name in ("assets", "data"):
        (made / name).mkdir()
    pages: dict[tuple[str, str, str], PairPage] = {}
    for word, data, pairs in _pages(study, rows, threads, progress):
        _put(made / "data" / f"{slug(word)}.js", script(slug(word), data))
        pages.update(pairs)
    context = overview(study, rows, [pages[_key(row)] for row in rows])
    _put(made / "data" / "index.js", script("index", page_data(context)))
    for name in (assets.STYLE, *assets.SCRIPTS):
        _put(made / "assets" / name, assets.static(name))
    sources = [f"assets/{name}" for name in assets.SCRIPTS[:1]]
    sources += ["data/index.js", *(f"assets/{name}" for name in assets.SCRIPTS[1:])]
    page = _render(
        context, study, licence,
        policy=assets.policy(), sources=sources, style=None, scripts=[],
    )  # fmt: skip
    _put(made / PAGE, page)


def _one_page(
    study: Study,
    rows: list[Row],
    licence: str | None,
    threads: int | None,
    progress: Progress | None,
) -> str:
    pages: dict[tuple[str, str, str], PairPage] = {}
    data_scripts: dict[str, str] = {}
    for word, data, pairs in _pages(study, rows, threads, progress):
        data_scripts[word] = script(slug(word), data)
        pages.update(pairs)
    context = overview(study, rows, [pages[_key(row)] for row in rows])
    core, *others = (assets.static(name) for name in assets.SCRIPTS)
    ordered = (data_scripts[word] for word in dict.fromkeys(row["word"] for row in rows))
    scripts = [core, script("index", page_data(context)), *ordered]
    scripts = [assets.inlinable(s) for s in (*scripts, *others)]
    return _render(
        context, study, licence,
        policy=assets.policy(scripts), sources=[], style=assets.static(assets.STYLE),
        scripts=scripts,
    )  # fmt: skip


def _key(row: Row) -> tuple[str, str, str]:
    return row["word"], row["old"], row["new"]


def _pages(
    study: Study, rows: list[Row], threads: int | None, progress: Progress | None
) -> Iterator[tuple[str, dict[str, Any], dict[tuple[str, str, str], PairPage]]]:
    """Every word's data, and its pairs of periods by their keys."""
    words = by_word(study, rows)
    if progress:
        progress(0, len(words))
    told = told_by(study)
    # a few words ahead of the one that is written: maps are made meanwhile
    ahead, parts = tee(study.of_word(word) for word in words)
    vectors = (
        part.vectors[usages_of(part, words[word])["usage"].to_numpy()]
        for word, part in zip(words, ahead, strict=True)
    )
    places = many_positions(vectors, len(words), threads)
    for done, (word, part, at) in enumerate(zip(words, parts, places, strict=True), 1):
        data, pages = word_page(part, word, words[word], at)
        yield word, data | {"told": told}, dict(zip(map(_key, words[word]), pages, strict=True))
        if progress:
            progress(done, len(words))


def _render(context: dict[str, Any], study: Study, licence: str | None, **parts: Any) -> str:
    environment = Environment(
        loader=PackageLoader("senseshift.report"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(number=_number, chance=p_value, thousands="{:,}".format)
    template = environment.get_template("report.html")
    return template.render(**context, **about(study, licence), **parts, version=__version__)


def _number(value: float | None, sign: bool = False) -> str:
    """A measure as the page shows it."""
    return number(value, sign=sign, minus=MINUS)


def _put(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")


def _is_report(folder: Path) -> bool:
    """Whether what is there may be replaced: a report of ours, or nothing at all."""
    page = folder / PAGE
    if not page.is_file():
        return folder.is_dir() and not any(folder.iterdir())
    with page.open(encoding="utf-8", errors="replace") as file:
        return GENERATOR in file.read(4_000)
