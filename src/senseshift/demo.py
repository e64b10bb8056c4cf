"""The sample that comes with the package: English usages written for it, with gold senses.

>>> len(sample().words)
14
"""

from __future__ import annotations

from pathlib import Path

from senseshift.usages import Usages, read

SAMPLE = Path(__file__).parent / "sample"  # its README.md is the data statement


def sample() -> Usages:
    """Fourteen words in the manner of 1830–1880 and of 1980–2020: changed ones and stable ones."""
    return read(SAMPLE)
