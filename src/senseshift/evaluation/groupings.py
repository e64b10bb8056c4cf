"""``stats_groupings``: what the makers of a word usage graph computed of its senses."""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from senseshift.errors import InputError

NAMES = ("stats_groupings.csv", "stats_groupings.tsv")


@dataclass(frozen=True)
class Grouping:
    """One word's row: sense k is at place k of the lists; what the file does not say is None."""

    old_counts: list[float] | None
    new_counts: list[float] | None
    old_shares: list[float] | None  # rounded to three decimals in the files of DWUG
    new_shares: list[float] | None
    graded: float | None  # f*, ``change_graded``
    changed: bool | None  # ``change_binary``

    @property
    def counted(self) -> bool:
        """Whether it says how often each sense is used, in both periods at all."""
        old, new = self.old_counts or [], self.new_counts or []
        return len(old) == len(new) and sum(old) > 0 and sum(new) > 0


def find_groupings(folder: Path, clusters: str) -> Path | None:
    """The file that belongs to a clustering, where the folder has one."""
    places = (folder / "stats" / clusters, folder / "stats")
    return next((p / name for p in places for name in NAMES if (p / name).is_file()), None)


def read_groupings(path: Path, old: str, new: str) -> dict[str, Grouping]:
    """Every word's row for these two periods, in the order of the file."""
    return {
        normalize("NFC", row["lemma"].strip()): Grouping(
            _numbers(row, "cluster_freq_dist1", place),
            _numbers(row, "cluster_freq_dist2", place),
            _numbers(row, "cluster_prob_dist1", place),
            _numbers(row, "cluster_prob_dist2", place),
            _number(row, "change_graded", place),
            _truth(row, "change_binary", place),
        )
        for place, row in _rows(path)
        if (row.get("grouping") or f"{old}_{new}").strip() == f"{old}_{new}"
    }


def _rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Each row and where it stands."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if "lemma" not in (rows.fieldnames or ()):
                raise InputError(
                    f"{path}, line 1: expected the column lemma among columns separated by tabs, "
                    f"found {', '.join(rows.fieldnames or ()) or 'nothing'}."
                )
            for row in rows:
                yield f"{path}, line {rows.line_num}", {k: v or "" for k, v in row.items() if k}
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8, found the byte 0x{error.object[error.start]:02x}"
                         ": convert the file first.") from None  # fmt: skip


def _numbers(row: dict[str, str], column: str, place: str) -> list[float] | None:
    """A list written as in Python, such as ``[90, 6, 1]``."""
    text = row.get(column, "").strip()
    if not text:
        return None
    try:
        found = ast.literal_eval(text)
        if isinstance(found, list) and all(float(number) >= 0.0 for number in found):
            return [float(number) for number in found]
    except (ValueError, SyntaxError, TypeError):
        pass
    raise InputError(
        f"{place}, {column}: expected a list of numbers such as [90, 6, 1], found {text[:40]!r}."
    )


def _number(row: dict[str, str], column: str, place: str) -> float | None:
    text = row.get(column, "").strip()
    if text.lower() in ("", "nan", "none"):
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{place}, {column}: expected a number, found {text[:40]!r}.") from None


def _truth(row: dict[str, str], column: str, place: str) -> bool | None:
    number = _number(row, column, place)
    if number not in (None, 0.0, 1.0):
        raise InputError(f"{place}, {column}: expected 0 or 1, found {number:g}.")
    return None if number is None else bool(number)
