"""From what was typed to usages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senseshift.errors import InputError

if TYPE_CHECKING:
    from senseshift.usages import Usages


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
    from senseshift.corpus import word_list

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
    from senseshift.corpus import MAX_USAGES, find
    from senseshift.progress import progress_bar

    if not words:
        raise InputError("Say what to find with --words: a file with one a line, or names.")
    limit = MAX_USAGES if max_usages is None else max_usages or None
    with progress_bar("Finding", unit="bytes") as progress:
        return find(corpora, words, max_usages=limit, progress=progress, **options)


def say_dropped(messages: list[str]) -> None:
    """What was left out, on standard error, so that results can be piped."""
    for message in messages[:10]:
        print(f"left out: {message}", file=sys.stderr)
    if len(messages) > 10:
        print(f"left out: {len(messages) - 10} more", file=sys.stderr)
