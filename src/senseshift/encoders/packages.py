"""Encoders that other packages bring, by entry points of the group ``senseshift.encoders``.

An entry point has the encoder's name and leads to one of three things: the path of a folder that
:class:`~senseshift.encoders.onnx.OnnxEncoder` reads, an :class:`~senseshift.encoders.Encoder`, or a
callable ``(texts, spans) -> array``. The latter two may say which languages they know by an
attribute ``languages``; a folder says it in its ``senseshift.json``. In a ``pyproject.toml``::

    [project.entry-points."senseshift.encoders"]
    multilingual = "senseshift_xx:FOLDER"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from senseshift.encoders.folder import FolderSettings
from senseshift.encoders.protocol import Encoder, Span
from senseshift.errors import InputError, shortened

GROUP = "senseshift.encoders"
OWN = frozenset({"bundled", "onnx", "hf", "xl-lexeme", "xl-durel"})  # names of our own encoders

Announced = Path | Encoder | Callable[[Sequence[str], Sequence[Span]], Any]


@dataclass(frozen=True)
class Package:
    """A package of ours, told of where it is not installed.

    Attributes
    ----------
    name
        Of the distribution.
    encoder
        What its encoder is called.
    languages
        Those that it knows; a test holds them against the package's own list.
    """

    name: str
    encoder: str
    languages: tuple[str, ...]


LANGUAGES = (
    "be", "bg", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "eu", "fi",
    "fr", "fy", "ga", "gd", "gl", "hbs", "hr", "hu", "is", "it", "la", "lt", "lv", "mk", "nb",
    "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr", "uk",
)  # fmt: skip
MULTILINGUAL = Package("senseshift-xx", "multilingual", LANGUAGES)


def installed() -> list[str]:
    """The names of the encoders that installed packages announce."""
    return sorted({point.name for point in entry_points(group=GROUP)} - OWN)


def announced(name: str) -> Announced | None:
    """What the one package leads to that announces an encoder of this name; None if none does."""
    points = list(entry_points(group=GROUP, name=name))
    if not points:
        return None
    if name in OWN:
        raise InputError(
            f"The package {_package(points[0])} announces an encoder {name!r}, which is one of "
            "senseshift's own: it needs another name."
        )
    if len(points) > 1:
        both = " and ".join(sorted(_package(point) for point in points))
        raise InputError(
            f"The packages {both} both announce an encoder {name!r}: uninstall one of them."
        )
    [point] = points
    return _loaded(point)


def knows(name: str, language: str | None) -> bool:
    """Whether an announced encoder says that it knows a language, or else any."""
    found = announced(name)
    known: Sequence[str] = (
        FolderSettings.read(found).languages
        if isinstance(found, Path)
        else getattr(found, "languages", ())
    )
    return bool(known) if language is None else language in known


def _loaded(point: EntryPoint) -> Announced:
    try:
        found = point.load()
    except Exception as error:  # A package may raise anything while it is imported.
        reason = shortened(f"{type(error).__name__}: {error}")
        raise InputError(
            f"The encoder {point.name!r} of the package {_package(point)} cannot be loaded "
            f"({reason}): install the package anew, or uninstall it."
        ) from None
    if isinstance(found, str | Path):
        folder = Path(found)
        if (folder / "tokenizer.json").is_file():
            return folder
        what = f"the folder {folder}, which holds no encoder"
    elif isinstance(found, Encoder) or (callable(found) and not isinstance(found, type)):
        return found
    else:
        what = f"a {type(found).__name__}"
    raise InputError(
        f"The encoder {point.name!r} of the package {_package(point)} leads to {what}: it must "
        "lead to a folder with model.onnx and tokenizer.json, an encoder, or a function of texts "
        "and spans."
    )


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value
