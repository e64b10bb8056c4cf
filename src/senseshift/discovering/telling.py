"""What a discovery says of itself: the words found, and what became of all the others."""

from __future__ import annotations

import polars as pl

from senseshift.formats import plural
from senseshift.study import Study

LEVEL = 0.1  # q up to which a word is found
NAMED = 12


def found(study: Study) -> pl.DataFrame:
    """The words found, the most changed first."""
    return study.ranked.filter(pl.col("q") <= LEVEL)


def summary(study: Study) -> list[str]:
    """How many words were looked at and how many found, in sentences."""
    words, about = study.words, study.about["discovery"]
    looked = words.filter(pl.col("p").is_not_null())
    lines = [
        f"{plural(found(study).height, 'word')} found (q ≤ {LEVEL}) of "
        f"{plural(about['candidates'], 'candidate')}, of which {study.ranked.height:,} had a full "
        f"look; the corpora have {plural(about['vocabulary'], 'word')}",
        "p: how many of the words as frequent changed as much, or how often chance does, whichever "
        "is larger",
    ]
    failed = about["candidates"] - looked.height
    if failed:
        lines.append(f"{plural(failed, 'candidate')} could not be measured, see .skipped")
    for kind in ("new", "gone"):
        rows = words.filter(pl.col("verdict") == kind)
        side = "count_new" if kind == "new" else "count_old"
        top = rows.sort(side, "word", descending=[True, False]).head(NAMED)
        named = ", ".join(f"{w} ({n:,})" for w, n in top.select("word", side).iter_rows())
        if named:
            more = f" and {rows.height - NAMED:,} more" if rows.height > NAMED else ""
            lines.append(f"{kind}: {named}{more}")
    if not study.complete:
        waiting = plural(about["waiting"], "candidate")
        lines.append(
            f"UNFINISHED: {waiting} should have a further look; the same command goes on with them"
        )
    return lines
