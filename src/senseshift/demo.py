"""The sample that comes with the package: English usages written for it, with gold senses."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from senseshift.usages import Usages, read

SAMPLE = Path(__file__).parent / "sample"  # its README.md is the data statement
LICENCE = "Apache-2.0; the usages were written for senseshift and are not from a corpus."


def sample() -> Usages:
    """Fourteen words in the manner of 1830–1880 and of 1980–2020, senses by their names.

    >>> usages = sample()
    >>> len(usages.words), len(usages), usages.periods
    (14, 1120, ('1830-1880', '1980-2020'))
    """
    senses = pl.concat(
        pl.read_csv(path, separator="\t", quote_char=None, infer_schema=False).with_columns(
            word=pl.lit(path.stem)
        )
        for path in sorted((SAMPLE / "senses").glob("*.tsv"))
    )
    table = read(SAMPLE).table.rename({"sense": "cluster"}).join(senses, on=["word", "cluster"])
    plain = pl.col("word").str.strip_suffix("_nn")  # all of them are nouns
    table = table.with_columns(plain).drop("cluster", "definition").rename({"name": "sense"})
    return Usages.from_table(table)
