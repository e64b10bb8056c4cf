"""What an encoder's folder says of itself, in its ``senseshift.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from senseshift.calibration import Calibration
from senseshift.encoders.marked import Marks
from senseshift.errors import InputError, shortened

FILE = "senseshift.json"
KINDS: dict[str, type] = {
    "name": str,
    "model": str,
    "max_length": int,
    "language": str,
    "languages": list,
    "calibration": dict,
    "target": dict,
}


@dataclass(frozen=True)
class FolderSettings:
    """All that a ``senseshift.json`` may set; a folder without one sets nothing.

    Attributes
    ----------
    name
        What to call the encoder.
    model
        The file of the graph.
    max_length
        Tokens that it reads, special ones included.
    languages
        Those that it knows, by their codes (``en``); empty where nobody says. A file may have
        ``language`` for one alone.
    calibration
        What its distances mean.
    target
        How the target is marked in the text; None where its own tokens are averaged unmarked.
    """

    name: str | None = None
    model: str | None = None
    max_length: int | None = None
    languages: tuple[str, ...] = ()
    calibration: Calibration | None = None
    target: Marks | None = None

    @classmethod
    def read(cls, folder: Path) -> FolderSettings:
        """The settings in a folder, checked."""
        path = folder / FILE
        found = read_object(path)
        for key, value in found.items():
            if key not in KINDS:
                raise InputError(
                    f"{path} sets {shortened(key)!r}, which is not one of {', '.join(KINDS)}."
                )
            if not isinstance(value, KINDS[key]) or isinstance(value, bool):
                raise InputError(
                    f"{path}: {key} must be {KINDS[key].__name__}, not {shortened(repr(value))}."
                )
        try:
            return cls(
                name=found.get("name"),
                model=found.get("model"),
                max_length=found.get("max_length"),
                languages=_languages(found),
                calibration=_made(found, "calibration", Calibration.from_dict),
                target=_made(found, "target", Marks.from_dict),
            )
        except InputError as error:
            raise InputError(f"{path}: {error}") from None


def _languages(found: Mapping[str, Any]) -> tuple[str, ...]:
    if "language" in found and "languages" in found:
        raise InputError("It has a language and languages: leave one of them out.")
    languages = found.get("languages", [found["language"]] if "language" in found else [])
    for language in languages:
        if not isinstance(language, str) or not language:
            raise InputError(
                f"Languages are codes such as 'en', not {shortened(repr(language), 40)}."
            )
    return tuple(languages)


def _made(found: Mapping[str, Any], key: str, make: Any) -> Any:
    return make(found[key]) if key in found else None


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file; an empty one if there is no such file."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not valid JSON ({error}): repair or remove it.") from None
    if not isinstance(content, dict):
        raise InputError(f"{path} must hold a JSON object, not {type(content).__name__}.")
    return content
