"""What a person decided in the report's workbench: a JSON file with the sense of every usage.

It has ``words``, and for each word ``senses`` (a key and a name for each) and ``usages`` (an id and
the key of its sense, or null where it is noise and has none). Stars and notes in it are for people.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from senseshift.errors import InputError, shortened
from senseshift.usages.wug import NO_SENSE

FORMAT = "senseshift workbench"
VERSION = 1


@dataclass(frozen=True)
class Decided:
    """A word's senses as a person has them.

    Attributes
    ----------
    names
        What each sense is called, by the key that the file and the study have for it.
    usages
        The name of each usage's sense, by its id; None for a usage without one.
    """

    names: dict[str, str]
    usages: dict[str, str | None]


def read_workbench(path: Path) -> dict[str, Decided]:
    """Every word whose senses were decided on."""
    try:
        data = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {shortened(str(error))}.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(
            f"{path} is not a file of the report's workbench, which says "
            f'"format": "{FORMAT}": save one there.'
        )
    if data.get("version") != VERSION:
        raise InputError(
            f"{path} is of version {shortened(str(data.get('version')), 20)} of the workbench, "
            f"this senseshift reads {VERSION}: install the one that made the report."
        )
    words = _object(data.get("words"), path, "words")
    decided = {
        word: _decided(entry, path, word)
        for word, entry in words.items()
        if not isinstance(entry, dict) or "usages" in entry or "senses" in entry
    }
    if not decided:
        raise InputError(f"{path} changes no word's senses: there is nothing to relabel.")
    return decided


def _decided(entry: Any, path: Path, word: str) -> Decided:
    of_word = f"of the word {shortened(word)!r}"
    entry = _object(entry, path, f"what is said {of_word}")
    senses = _object(entry.get("senses"), path, f"the senses {of_word}")
    names: dict[str, str] = {}
    for key, name in senses.items():
        name = " ".join(name.split()) if isinstance(name, str) else ""
        if name in ("", NO_SENSE) or not _is_text(name):
            _refuse(path, f"the sense {shortened(key)!r} {of_word} has no name that could be used")
        if name in names.values():
            _refuse(path, f"two senses {of_word} are called {shortened(name)!r}: rename one")
        names[key] = name
    usages: dict[str, str | None] = {}
    for id, key in _object(entry.get("usages"), path, f"the usages {of_word}").items():
        if key is not None and (not isinstance(key, str) or key not in names):
            found = shortened(json.dumps(key, ensure_ascii=False))
            _refuse(path, f"the usage {shortened(id)!r} {of_word} has the unknown sense {found}")
        usages[id] = None if key is None else names[key]
    return Decided(names, usages)


def _is_text(name: str) -> bool:
    """Not half a character, which JSON can hold and no file."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _object(value: Any, path: Path, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _refuse(path, f"{what}: an object was expected, found {shortened(json.dumps(value), 40)}")
    return dict(value)


def _refuse(path: Path, what: str) -> NoReturn:
    raise InputError(f"{path}: {what}.")
