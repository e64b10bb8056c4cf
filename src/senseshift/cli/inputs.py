"""From what was typed to usages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senseshift.errors import InputError

if TYPE_CHECKING:
    from senseshift.usages import Usages

OF_CONTROLS = 100  # usages of a reference word in a period, at most


def listed(names: str) -> list[str]:
    """Names with commas between them."""
    return [name.strip() for name in names.split(",") if name.strip()]


def numbers(text: str | None) -> list[int] | None:
    """Whole numbers with commas between them."""
    if text is None:
        return None
    try:
        return [int(number) for number in listed(text)]
    except ValueError:
        raise InputError(f"--layers takes whole numbers with commas, not {text!r}.") from None


def names_of(words: str) -> list[str]:
    """Words from a file with one a line, or as they were given."""
    from senseshift.corpus.targets import word_list

    return list(word_list(words))


def corpora(
    old: list[Path] | None, new: list[Path] | None, corpus: list[Path] | None
) -> dict[str, list[Path]] | list[Path]:
    """Corpora by period, or tables whose dates tell it."""
    if corpus and not (old or new):
        return corpus
    if not (old and new) or corpus:
        raise InputError(
            "Give usages, or corpora with --old and --new, "
            "or tables of both periods with --corpus and --split-year or --periods."
        )
    return {"old": old, "new": new}


def find_usages(
    corpora: dict[str, list[Path]] | list[Path],
    words: str | None,
    *,
    max_usages: int | None = None,
    **options: Any,
) -> Usages:
    """Usages of words, given by name or in a file, with a bar that tells how far it is.

    ``max_usages`` is what was typed: nothing for the default, 0 for all.
    """
    from senseshift.corpus import find
    from senseshift.corpus.sampling import MAX_USAGES
    from senseshift.progress import progress_bar

    if not words:
        raise InputError("Say what to find with --words: a file with one a line, or names.")
    limit = MAX_USAGES if max_usages is None else max_usages or None
    with progress_bar("Finding", unit="bytes") as progress:
        return find(corpora, words, max_usages=limit, progress=progress, **options)


def find_controls(
    controls: str, corpora: dict[str, list[Path]] | list[Path], found: Usages, **options: Any
) -> Usages:
    """Usages of reference words: so many drawn from the corpora, or those of a file."""
    from senseshift.corpus import draw_controls, vocabulary
    from senseshift.progress import progress_bar

    targets = {*found.words, *found.missing}
    if controls.isdecimal():
        same = ("language", "layout", "encoding", "text_column", "date_column")
        how = {name: options[name] for name in (*same, "periods", "split_year")}
        with progress_bar("Counting", unit="bytes") as progress:
            counts = vocabulary(corpora, progress=progress, **how)
        words = draw_controls(
            counts, targets, int(controls), language=options["language"], seed=options["seed"]
        )
        if not words:
            raise InputError("The corpora have no words that could be reference words.")
    else:
        words = [word for word in names_of(controls) if word not in targets]
    # What is left beyond chance hardly depends on how many usages there are, encoding does.
    limit = options.pop("max_usages")
    few = OF_CONTROLS if not limit else min(limit, OF_CONTROLS)
    return find_usages(corpora, ",".join(words), max_usages=few, **options)


def say_read(found: Usages) -> None:
    """What was read of the corpora, on standard error."""
    if found.corpora is not None:
        print(found.corpora, file=sys.stderr)


def say_dropped(messages: list[str]) -> None:
    """What was left out, on standard error, so that results can be piped."""
    for message in messages[:10]:
        print(f"left out: {message}", file=sys.stderr)
    if len(messages) > 10:
        print(f"left out: {len(messages) - 10} more", file=sys.stderr)
