"""Checksums of archives, as ``algorithm:digits``."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from senseshift.errors import InputError

DIGITS = {"md5": 32, "sha1": 40, "sha256": 64, "sha512": 128}


def checksum(given: str) -> str:
    """A checksum as ``algorithm:digits``; of digits alone the length tells the algorithm."""
    algorithm, _, digits = given.strip().lower().rpartition(":")
    lengths = {length: name for name, length in DIGITS.items()}
    algorithm = algorithm or lengths.get(len(digits), "")
    if DIGITS.get(algorithm) != len(digits) or not re.fullmatch(r"[0-9a-f]+", digits):
        raise InputError(
            f"The checksum {given!r} is none: expected one such as sha256: and 64 digits, "
            f"or another of {', '.join(DIGITS)}."
        )
    return f"{algorithm}:{digits}"


def of_file(path: Path, like: str) -> str:
    """The checksum of a file, by the algorithm of another."""
    algorithm = like.partition(":")[0]
    with path.open("rb") as file:
        return f"{algorithm}:{hashlib.file_digest(file, algorithm).hexdigest()}"
