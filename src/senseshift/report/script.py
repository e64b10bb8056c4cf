"""Data for the pages as scripts, and names of files that every file system takes."""

from __future__ import annotations

import hashlib
import json
import math
import re
from typing import Any

import numpy as np

LONGEST = 40  # characters of a word in the name of its file

# Harmless in a script, in a page and in a string: a corpus may hold </script> or a line separator.
_ESCAPES = str.maketrans(
    {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
)  # fmt: skip


def slug(word: str) -> str:
    """A name for a word's file: what can be read of the word, and a hash that makes it its own.

    Two words may differ by case or accents only, which some file systems do not tell apart.

    >>> slug("plane_nn"), slug("AC/DC").rpartition("-")[0], slug("слово").rpartition("-")[0]
    ('plane_nn-d809b652', 'ac-dc', 'word')
    """
    readable = re.sub(r"[^a-z0-9_]+", "-", word.lower()).strip("-")[:LONGEST].rstrip("-")
    return f"{readable or 'word'}-{hashlib.sha256(word.encode()).hexdigest()[:8]}"


def script(name: str, data: Any) -> str:
    """A script that hands data to the page; it loads from a folder, where requests do not."""
    return f"senseshift.receive({literal(name)}, {literal(data)});\n"


def literal(data: Any) -> str:
    """Data as a JavaScript literal; what is no finite number becomes null.

    >>> literal(["</script>", float("nan"), 1.5])
    '["\\\\u003c/script\\\\u003e",null,1.5]'
    """
    text = json.dumps(_plain(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPES)


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, np.ndarray):
        data = data.tolist()
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float):
        if not math.isfinite(data):
            return None
        return int(data) if data.is_integer() and abs(data) < 2**53 else data
    return data


def rounded(values: Any, decimals: int) -> list[float]:
    """Numbers as short as their use allows."""
    result: list[float] = np.round(np.asarray(values, dtype=np.float64), decimals).tolist()
    return result
