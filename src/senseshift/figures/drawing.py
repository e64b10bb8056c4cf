"""All figures of some words at once, as files in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from senseshift.errors import InputError
from senseshift.figures.gold import against_gold
from senseshift.figures.histograms import histograms
from senseshift.figures.illustration import method_figure
from senseshift.figures.mapping import COLOURS, maps, word_map
from senseshift.figures.paths import path_figure
from senseshift.figures.plans import plans
from senseshift.figures.style import FORMATS, save
from senseshift.progress import Progress
from senseshift.writing import file_names

if TYPE_CHECKING:
    from senseshift.evaluation import Gold
    from senseshift.study import Study

# The kinds of figures by name, those of the paper in the order of their numbers.
KINDS = {
    "map": "1: a word on its map, coloured by SUS, by LDR and by gold sense",
    "plans": "2: its balanced and its unbalanced transport",
    "histogram": "3: its SUS by period",
    "gold": "4: SUS and LDR of all usages against the gold τ*",
    "method": "5: an illustration of the method",
    "maps": "6: several words on one page",
    "path": "a word over the penalty ρ",
}
PAPERS = [name for name in KINDS if name != "path"]
DEFAULT_WORDS = 4
ON_A_PAGE = 5  # words, each a row of maps

Named = tuple[str, Callable[[], Figure]]


@dataclass(frozen=True)
class Drawn:
    """The files that were written, and what could not be drawn, with the reason."""

    files: tuple[Path, ...]
    left_out: tuple[str, ...]


def draw(
    study: Study,
    words: Sequence[str] | None = None,
    folder: str | Path = "figures",
    *,
    formats: Sequence[str] = ("pdf",),
    kinds: Sequence[str] | None = None,
    periods: Sequence[str] | None = None,
    gold: Gold | None = None,
    leave_out: bool | None = None,
    progress: Progress | None = None,
) -> Drawn:
    """Draw words of a study and write every figure into a folder.

    Parameters
    ----------
    study
        The study.
    words
        Which words; the four most changed by default.
    folder
        Where the files go; those of the same names are replaced.
    formats
        Some of ``pdf``, ``svg`` and ``png``.
    kinds
        Which of :data:`KINDS`; all by default.
    periods
        The two periods, where the study compares more than one pair.
    gold
        Gold τ*, where it was computed before; by the senses of the study's usages if not.
    leave_out
        Whether what needs gold senses is left out where there are none, rather than an error; so
        it is by default unless kinds were asked for.
    progress
        Called with the numbers of figures that are done and in all.
    """
    chosen = _chosen(kinds, tuple(KINDS), "kind of figure")
    leave_out = kinds is None if leave_out is None else leave_out
    suffixes = check_formats(formats)
    names = list(words) if words is not None else _most_changed(study)
    for word in names:
        study.view(word, periods)  # a word that is not there is told before anything is written
    folder = Path(folder)
    _make(folder)
    todo = [item for kind in chosen for item in _figures(kind, study, names, periods, gold)]
    files, left_out = [], []
    for done, (name, make) in enumerate(todo):
        if progress:
            progress(done, len(todo))
        try:
            figure = make()
        except InputError as error:
            if not leave_out:
                raise
            left_out.append(f"{name}: {error}")
            continue
        for suffix in suffixes:
            files.append(folder / f"{name}.{suffix}")
            save(figure, files[-1])
    if progress:
        progress(len(todo), len(todo))
    return Drawn(tuple(files), tuple(left_out))


def _figures(
    kind: str, study: Study, words: list[str], periods: Sequence[str] | None, gold: Gold | None
) -> Iterator[Named]:
    """The figures of one kind: what their files are called and how they are made."""
    if kind == "gold":
        yield "gold", partial(against_gold, study, gold, periods=periods)
    elif kind == "method":
        yield "method", method_figure
    elif kind == "maps":
        pages = [words[k : k + ON_A_PAGE] for k in range(0, len(words), ON_A_PAGE)]
        for number, page in enumerate(pages, 1):
            name = "maps" if len(pages) == 1 else f"maps-{number}"
            known = all(study.view(word, periods).senses is not None for word in page)
            colours = COLOURS if known else COLOURS[:2]
            make = partial(maps, study, page, colours=colours, alongside=words)
            yield name, partial(make, periods=periods)
    else:
        for word, name in file_names(words).items():
            if kind == "plans":
                yield f"{name}-plans", partial(plans, study, word, periods=periods)
            elif kind == "path":
                yield f"{name}-path", partial(path_figure, study, word, periods=periods)
            elif kind == "histogram":
                yield f"{name}-histogram", partial(histograms, study, word, periods=periods)
            else:
                for colour in COLOURS:
                    make = partial(word_map, study, word, colour=colour, alongside=words)
                    yield f"{name}-map-{colour}", partial(make, periods=periods)


def check_formats(formats: Sequence[str]) -> list[str]:
    """The formats without repetition; an error if one of them is not known."""
    return _chosen(formats, FORMATS, "format")


def _chosen(wanted: Sequence[str] | None, known: tuple[str, ...], what: str) -> list[str]:
    chosen = list(dict.fromkeys(known if wanted is None else wanted))
    for name in chosen:
        if name not in known:
            raise InputError(f"There is no {what} {name!r}; there are {', '.join(known)}.")
    if not chosen:
        raise InputError(f"There is nothing to draw: name at least one {what}.")
    return chosen


def _most_changed(study: Study) -> list[str]:
    words: list[str] = study.ranked["word"].unique(maintain_order=True).to_list()
    if not words:
        raise InputError("The study has no measured word to draw.")
    return words[:DEFAULT_WORDS]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror or error}.") from None
