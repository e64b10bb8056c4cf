"""What made a study: enough to repeat it from its page."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Protocol

from senseshift._version import __version__
from senseshift.calibration import Calibration
from senseshift.comparing.settings import Settings
from senseshift.errors import InputError
from senseshift.study import Study
from senseshift.usages import Usages
from senseshift.usages.identity import digest, identities

LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn", "polars")
SAME = (
    "usages_fingerprint", "encoder", "encoder_fingerprint", "calibration", "pairs", "settings",
)  # fmt: skip


class Made(Protocol):
    """What made the vectors, by name."""

    @property
    def name(self) -> str:
        """What it is called."""


def provenance(
    usages: Usages,
    settings: Settings,
    source: Made,
    calibration: Calibration | None,
    pairs: list[tuple[str, str]],
    warnings: list[str],
    language: str | None,
) -> dict[str, Any]:
    """What made the study, in a form that JSON holds."""
    every = "".join(identities(usages.table).sort())  # whatever the order of the usages
    return {
        "senseshift": __version__,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in LIBRARIES},
        "periods": list(usages.periods),
        "pairs": [list(pair) for pair in pairs],
        "words": [*usages.words, *usages.missing],
        "usages": len(usages),
        "usages_fingerprint": digest(every).hex(),
        "dropped": list(usages.dropped),
        "encoder": source.name,
        "encoder_fingerprint": getattr(source, "fingerprint", None),
        "calibration": None if calibration is None else calibration.to_dict(),
        "language": language or _only_language(source),
        "corpora": None if usages.corpora is None else usages.corpora.to_dict(),
        "warnings": [*(() if usages.corpora is None else usages.corpora.warnings), *warnings],
        "settings": settings.to_dict(),
    }


def _only_language(source: Made) -> str | None:
    """The language that the encoder knows, if it is one alone."""
    languages: Sequence[str] = getattr(source, "languages", ())
    return languages[0] if len(languages) == 1 else None


def check_same(resume: Study, about: dict[str, Any]) -> None:
    """An error if a study to resume is another one."""
    for name in SAME:
        if resume.about.get(name) != about[name]:
            raise InputError(
                f"The study to resume has other {name.replace('_', ' ')} "
                f"({_short(resume.about.get(name))}, now {_short(about[name])}): start a new one."
            )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
