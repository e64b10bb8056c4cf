"""Options that several commands have, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Rho = Annotated[
    float | None,
    typer.Option(help="Relative penalty ρ in units of cosine distance.  [default: 1]"),
]
Lam = Annotated[float | None, typer.Option(help="Instead of --rho: the paper's raw penalty λ.")]
Weights = Annotated[
    str,
    typer.Option(help="uniform; norm: by vector lengths; frequency: by counts in the corpora."),
]
Old = Annotated[
    list[Path] | None,
    typer.Option("--old", metavar="PATH", help="Corpus of the old period; may be repeated."),
]
New = Annotated[
    list[Path] | None,
    typer.Option("--new", metavar="PATH", help="Corpus of the new period; may be repeated."),
]
Corpus = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus", metavar="PATH", help="Instead of both: tables with dates; may be repeated."
    ),
]
Words = Annotated[
    str | None, typer.Option("--words", help="Words: a file with one a line, or names with commas.")
]
Language = Annotated[
    str | None,
    typer.Option(help="Of the texts: whose inflection, sentences and encoder: en, de, la, …."),
]
By = Annotated[str, typer.Option(help="Find words by lemma, form or regex.")]
Context = Annotated[int, typer.Option(help="Characters to keep around the sentence.")]
MaxUsages = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Keep a random sample of so many a word and period; 0 keeps all.  [default: 400]",
    ),
]
MaxPerDocument = Annotated[
    int | None, typer.Option(min=1, help="Of that sample, no more than so many from a document.")
]
Names = Annotated[
    str, typer.Option(help="What is capitalised inside a sentence, as names are: out or in.")
]
Encoding = Annotated[
    str, typer.Option(help="Of the corpora; with commas, each file in the first that fits it.")
]
Layout = Annotated[
    str | None, typer.Option(help="Of text files: lines, paragraphs or running; else guessed.")
]
TextColumn = Annotated[str, typer.Option(help="Of tables.")]
DateColumn = Annotated[str, typer.Option(help="Of tables.")]
SourceColumn = Annotated[str, typer.Option(help="Of tables: what names a row's document.")]
Compounds = Annotated[bool, typer.Option("--compounds", help="Find words inside hyphenated ones.")]
MatchCase = Annotated[bool, typer.Option("--match-case", help="Cell is not cell.")]
Seed = Annotated[int, typer.Option(help="Of that sample.")]
Periods = Annotated[
    str | None,
    typer.Option(help="Periods to keep, oldest first: names, or years 1810-1860,1960-2010."),
]
SplitYear = Annotated[
    int | None, typer.Option(help="Two periods by date: before this year, and since.")
]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Leave broken rows out and count them.")]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        help="bundled, multilingual (pip install senseshift-xx), onnx:DIR, xl-lexeme, xl-durel, "
        "hf:NAME, or a file of vectors (.npy, .npz, .parquet).  [default: by --language]"
    ),
]
Layers = Annotated[
    str | None,
    typer.Option(
        "--layers", "--layer", help="For hf: only: layers to average, such as -1 or -4,-3,-2,-1."
    ),
]
BatchSize = Annotated[int, typer.Option(min=1, help="Usages a model reads at once.")]
Threads = Annotated[int | None, typer.Option(help="Threads to use.  [default: all processors]")]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Work in so many processes here (senseshift[dask]).")
]
Scheduler = Annotated[str | None, typer.Option(help="Work on a Dask cluster: tcp://HOST:8786.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Do not keep vectors on disk.")]
Offline = Annotated[bool, typer.Option("--offline", help="Never reach the network.")]
Cost = Annotated[
    str | None,
    typer.Option(
        help="Of matching two usages: sense (chance that they differ in sense) or cosine.  "
        "[default: sense where the encoder is calibrated]"
    ),
]
Senses = Annotated[str, typer.Option(help="induced, given with the usages, or none.")]
CalibrationFile = Annotated[
    Path | None, typer.Option("--calibration", help="Of the encoder, by senseshift calibrate.")
]
Controls = Annotated[
    str | None,
    typer.Option(help="Reference words: how many to draw from the corpora, or a file of them."),
]
NoReport = Annotated[
    bool, typer.Option("--no-report", help="Do not write the pages to explore it with.")
]
Permutations = Annotated[
    int, typer.Option(min=0, help="Deals of the usages to the periods at random, for p-values.")
]
AllPermutations = Annotated[
    bool, typer.Option("--all-permutations", help="Do not stop early where p is clearly large.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Where to write.")]
