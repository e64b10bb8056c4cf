"""The samples that come with the package: usages written for it, with gold senses."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from senseshift.errors import InputError, shortened
from senseshift.usages import Usages, read

SAMPLE = Path(__file__).parent / "sample"  # its README.md is the data statement, as in each
SAMPLES = {"en": SAMPLE, "de": SAMPLE / "de"}
LICENCE = "Apache-2.0; the usages were written for senseshift and are not from a corpus."


def sample(language: str = "en") -> Usages:
    """Words in the manner of two periods, senses by their names: 14 English or 6 German ones.

    >>> usages = sample()
    >>> len(usages.words), len(usages), usages.periods
    (14, 1120, ('1830-1880', '1980-2020'))
    >>> sample("de").words
    ('Anhänger', 'Brot', 'Maus', 'Schloss', 'Strom', 'Witz')
    """
    if language not in SAMPLES:
        raise InputError(
            f"There is no sample in the language {shortened(language, 20)!r}: "
            f"take one of {', '.join(SAMPLES)}."
        )
    folder = SAMPLES[language]
    senses = pl.concat(
        pl.read_csv(path, separator="\t", quote_char=None, infer_schema=False).with_columns(
            word=pl.lit(path.stem)
        )
        for path in sorted((folder / "senses").glob("*.tsv"))
    )
    table = read(folder).table.rename({"sense": "cluster"}).join(senses, on=["word", "cluster"])
    plain = pl.col("word").str.strip_suffix("_nn")  # all of them are nouns
    table = table.with_columns(plain).drop("cluster", "definition").rename({"name": "sense"})
    return Usages.from_table(table)
