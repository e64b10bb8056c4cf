"""What the paper reports (Kishino et al., ACL 2025), all with XL-LEXEME: a reference, never ours.

Numbers by data set, by the number of the table in the paper, by method and by column.
"""

from __future__ import annotations

from pathlib import Path

from senseshift.errors import InputError

Numbers = dict[str, dict[str, dict[str, float]]]


def _rows(columns: str, **rows: tuple[float, ...]) -> dict[str, dict[str, float]]:
    names = columns.split()
    return {method: dict(zip(names, row, strict=True)) for method, row in rows.items()}


_DWUG_EN: Numbers = {
    "2": _rows(
        "instance sense",
        tau_SUS=(0.46, 0.83), tau_LDR=(0.40, 0.70), tau_WiDiD=(0.31, 0.84),
    ),
    # The complete Table 3 is Table 11 of the paper, the complete Table 4 is Table 12.
    "3": _rows(
        "spearman",
        f_SUS=(0.69,), f_1=(0.68,), f_2=(0.68,), f_3=(0.69,), f_OT=(0.71,), f_APD=(0.71,),
        f_LDR=(0.31,), f_WiDiD=(0.45,), f_APDP=(0.51,),
    ),
    "4": _rows(
        "spearman",
        g_SUS=(0.55,), g_1=(0.45,), g_vMF=(0.62,), g_LDR=(0.36,), g_WiDiD=(0.40,),
    ),
    "6": _rows(
        "lambda_1 lambda_10 lambda_100 lambda_1000",
        tau_SUS=(0.31, 0.42, 0.50, 0.49), f_SUS=(0.54, 0.73, 0.76, 0.76),
        f_1=(0.42, 0.73, 0.72, 0.70), f_2=(0.48, 0.78, 0.75, 0.74),
        f_3=(-0.55, -0.23, 0.76, 0.76), g_SUS=(-0.06, 0.57, 0.59, 0.56),
        g_1=(0.00, 0.54, 0.57, 0.55),
    ),
    "9": _rows(
        "instance_stable instance_changed instance",
        tau_SUS=(0.21, 0.61, 0.46), tau_LDR=(0.10, 0.34, 0.40), tau_WiDiD=(0.15, 0.41, 0.31),
    ),
    "10": _rows(
        "sense_stable sense_changed sense",
        tau_SUS=(0.70, 0.85, 0.83), tau_LDR=(0.64, 0.38, 0.70), tau_WiDiD=(0.54, 0.93, 0.84),
    ),
}  # fmt: skip

# Tables 13 and 14 of the paper.
_DWUG_ES: Numbers = {
    "3": _rows(
        "spearman",
        f_SUS=(0.61,), f_1=(0.60,), f_2=(0.60,), f_3=(0.61,), f_OT=(0.61,), f_APD=(0.61,),
        f_LDR=(0.36,), f_WiDiD=(0.41,), f_APDP=(0.52,),
    ),
    "4": _rows(
        "spearman",
        g_SUS=(0.36,), g_1=(0.45,), g_vMF=(0.41,), g_LDR=(0.31,), g_WiDiD=(0.33,),
    ),
}  # fmt: skip

# The best r of Table 6, for f_2 and g_1 by λ.
_BEST_SHARES = {
    "f_2": {"lambda_1": 0.9, "lambda_10": 0.8, "lambda_100": 0.2, "lambda_1000": 0.2},
    "g_1": {"lambda_1": 0.9, "lambda_10": 0.8, "lambda_100": 0.5, "lambda_1000": 0.4},
}

# Table 7: what was selected most often, and how often of 100 times.
_SELECTED: dict[str, tuple[float | tuple[float, float], int]] = {
    "tau_SUS": (100.0, 73),
    "f_SUS": (20.0, 51),
    "f_1": (20.0, 90),
    "f_2": ((10.0, 0.8), 78),
    "f_3": (100.0, 46),
    "g_SUS": (50.0, 54),
    "g_1": ((10.0, 0.8), 53),
}

DATA_SETS = {"dwug_en": _DWUG_EN, "dwug_es": _DWUG_ES}


class Published:
    """The published numbers of one data set, or none."""

    def __init__(self, data_set: str | None = None) -> None:
        if data_set is not None and data_set not in DATA_SETS:
            raise InputError(
                f"There are no published numbers of {data_set!r}; "
                f"there are those of {', '.join(DATA_SETS)}."
            )
        self.data_set = data_set
        self._numbers = DATA_SETS[data_set] if data_set else {}

    @classmethod
    def for_folder(cls, folder: str | Path) -> Published:
        """By the name of a folder, such as ``dwug_en`` or ``DWUG-EN-3.0.0``."""
        name = Path(folder).resolve().name.lower().replace("-", "_")
        return cls(next((known for known in DATA_SETS if name.startswith(known)), None))

    def __contains__(self, table: str) -> bool:
        return table in self._numbers or (table == "7" and self.data_set == "dwug_en")

    def has(self, table: str, method: str) -> bool:
        """Whether a method is in a table."""
        return method in self._numbers.get(table, {})

    def number(self, table: str, method: str, column: str) -> float | None:
        """One number, None where the paper has none."""
        return self._numbers.get(table, {}).get(method, {}).get(column)

    def best_share(self, method: str, column: str) -> float | None:
        """The best r in Table 6."""
        known = _BEST_SHARES if "6" in self._numbers else {}
        return known.get(method, {}).get(column)

    def selected(self, method: str) -> tuple[float | tuple[float, float], int] | None:
        """What Table 7 says was selected most often, and how often."""
        return _SELECTED.get(method) if "7" in self else None
