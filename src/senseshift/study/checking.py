"""Whether what was read from a folder is a study: kinds of what it records, columns of its tables.

A study that somebody edited or that another program wrote is told at once and in one sentence,
not by whatever meets the wrong kind of thing first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from senseshift.errors import InputError, shortened

Check = Callable[[Any], bool]


def _strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _pairs(value: Any) -> bool:
    return isinstance(value, list) and all(_strings(pair) and len(pair) == 2 for pair in value)


def _settings(value: Any) -> bool:
    return isinstance(value, dict) and _strings(value.get("measures")) and bool(value["measures"])


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _corpora(value: Any) -> bool:
    if value is None:
        return True
    parts = {"settings": dict, "files": list, "unread": list, "sizes": list}
    return isinstance(value, dict) and all(isinstance(value.get(k), v) for k, v in parts.items())


def _calibration(value: Any) -> bool:
    if value is None:
        return True
    numbers = (int, float)
    return isinstance(value, dict) and all(
        isinstance(value.get(name), numbers) for name in ("middle", "width")
    )


def _cut(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 9


def _or_none(kind: type) -> Check:
    return lambda value: value is None or isinstance(value, kind)


NEEDED: dict[str, Check] = {
    "periods": _strings, "pairs": _pairs, "settings": _settings, "usages": _count,
}  # fmt: skip
OPTIONAL: dict[str, Check] = {
    "complete": _or_none(bool), "dropped": _strings, "warnings": _strings, "words": _strings,
    "corpora": _corpora, "calibration": _calibration, "libraries": _or_none(dict),
    "cut": _cut,
    "encoder": _or_none(str), "encoder_fingerprint": _or_none(str), "language": _or_none(str),
    "created": _or_none(str), "command": _or_none(str), "licence": _or_none(str),
}  # fmt: skip

PAIR = ("word", "old", "new")
TEXTS = {
    "words": PAIR,
    "instances": (*PAIR, "period", "id", "text", "partner", "nearest"),
    "arcs": (*PAIR, "old_id", "new_id"),
    "senses": ("word", "sense", "name", "period"),
    "sense_changes": (*PAIR, "sense", "name"),
    "typical": ("word", "sense"),
    "telling": ("word", "sense", "term"),
    "controls": PAIR,
    "chance": PAIR,
}
NUMBERS = {
    "words": ("old_usages", "new_usages", "sus_error"),
    "instances": ("start", "end", "usage", "position", "sus"),
    "arcs": ("mass",),
    "senses": ("count", "share", "low", "high"),
    "sense_changes": ("difference", "low", "high", "p"),
    "typical": ("place", "usage"),
    "telling": ("inside", "outside"),
    "controls": ("change",),
    "chance": ("quantile", "old_sus", "new_sus", "change"),
}


def check_about(about: Mapping[str, Any]) -> None:
    """An error if what a study records is not of the kinds that it must be."""
    for name, check in (NEEDED | OPTIONAL).items():
        if (name in about or name in NEEDED) and not check(about.get(name)):
            found = shortened(repr(about.get(name)))
            raise InputError(f"{name} is not what it should be ({found})")


def check_tables(tables: Mapping[str, pl.DataFrame], measures: list[str]) -> None:
    """An error if a table lacks columns that it should have."""
    for name, table in tables.items():
        if not table.height:
            continue
        kinds = dict(zip(table.columns, table.dtypes, strict=True))
        numbers = (*NUMBERS[name], *(measures if name == "words" else ()))
        wrong = [c for c in TEXTS[name] if kinds.get(c) not in (pl.String, pl.Null)]
        wrong += [c for c in numbers if c not in kinds or not _numeric(kinds[c])]
        if wrong:
            raise InputError(f"the table {name} has no column {wrong[0]} as it should be")


def check_vectors(vectors: NDArray[Any], usages: pl.Series) -> None:
    """An error if vectors are not those of usages; the first and the last are enough."""
    if vectors.ndim != 2 or not np.issubdtype(vectors.dtype, np.floating):
        raise InputError(f"vectors.npy is not a matrix of numbers but of shape {vectors.shape}")
    if not usages.is_between(0, len(vectors) - 1).all():
        raise InputError(f"there are {len(vectors)} vectors, too few for the usages")


def _numeric(kind: pl.DataType) -> bool:
    return kind.is_numeric() or kind == pl.Null
