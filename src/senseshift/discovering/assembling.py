"""The study of a discovery: the words measured in full, and what is said of all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from senseshift.comparing.assembly import Parts, assemble
from senseshift.comparing.finishing import finished
from senseshift.comparing.provenance import provenance
from senseshift.comparing.rows import words_schema
from senseshift.corpus.files import File, Unread
from senseshift.discovering.candidates import Filter
from senseshift.discovering.encoding import unpacked
from senseshift.discovering.running import Found, Run, Words
from senseshift.discovering.units import table
from senseshift.folders import files_whole
from senseshift.reading import printable
from senseshift.study import Study
from senseshift.study.files import OWNED, write_into
from senseshift.usages import Usages
from senseshift.usages.corpora import COUNTS, FILES, UNREAD, Corpora
from senseshift.usages.corpora import table as rows_of
from senseshift.writing import written_whole

VOCABULARY = "vocabulary.parquet"
TABLES = ("words", "instances", "arcs", "senses", "sense_changes", "typical", "chance")
OF_MEASURING = ("old_usages", "new_usages", "change", "skipped")  # columns that a full look fills


def assembled(
    run: Run,
    words: Words,
    found: Found,
    files: Sequence[File],
    unread: Sequence[Unread],
    wanted: Filter,
    made_by: Mapping[str, object],
) -> Study:
    """The study."""
    parts, vectors, usages = _parts(run, found)
    every = Usages(
        usages.select("word", "period", "id", "text", "start", "end"), run.periods,
        corpora=_corpora(run, words, files, unread),
    )  # fmt: skip
    about = provenance(
        every,
        run.settings,
        run.encoding,
        run.encoding.calibration,
        [run.periods],
        [],
        run.reading.language,
    )
    about |= {
        "cut": found.cut,
        "complete": not (found.failed or run.journal.failed or run.journal.stopped),
        "discovery": {
            "candidates": found.scores.height, "vocabulary": words.vocabulary.height,
            "waiting": int(found.scores["waiting"].sum()),
            "sampling": asdict(run.sampling), "filter": asdict(wanted),
        },
    } | dict(made_by)  # fmt: skip
    order = sorted(usages["word"].unique().to_list())
    study = assemble(parts, vectors, about, run.settings, order, None)
    study = finished(study)
    return replace(study, words=_with_all(study.words, words, found, run))


def _parts(run: Run, found: Found) -> tuple[list[Parts], Any, pl.DataFrame]:
    """What the units of the full look wrote, usages numbered through."""
    parts, vectors, usages, count = [], [], [], 0
    for key in found.full:
        read = {name: table(run.folder, key, name) for name in TABLES}
        for name in ("instances", "typical"):
            if read[name].height:
                shifted = (pl.col("usage") + count).cast(pl.Int64)
                read[name] = read[name].with_columns(shifted)
        parts.append(
            Parts(
                read["words"].rows(named=True), [read["instances"]], [read["arcs"]],
                read["senses"].rows(named=True), read["sense_changes"].rows(named=True),
                read["typical"].rows(named=True), [read["chance"]],
            )
        )  # fmt: skip
        own = table(run.folder, key, "vectors")
        vectors.append(unpacked(own["vector"]))
        usages.append(read["instances"])
        count += own.height
    empty = pl.DataFrame(schema=dict.fromkeys(("word", "period", "id", "text"), pl.String)
                         | {"start": pl.Int64, "end": pl.Int64})  # fmt: skip
    every = pl.concat(usages, how="diagonal_relaxed") if usages else empty
    return parts, np.concatenate(vectors) if vectors else np.empty((0, 1), np.float32), every


def _corpora(run: Run, words: Words, files: Sequence[File], unread: Sequence[Unread]) -> Corpora:
    """What was read and counted."""
    read = [
        (printable(f.path), f.name, f.period, f.kind, None, None, None, f.path.stat().st_size,
         None, None)
        for f in files
    ]  # fmt: skip
    left = [(printable(u.path), u.period, u.reason) for u in unread]
    how = asdict(run.reading) | {"seed": run.sampling.seed, "max_usages": run.sampling.usages,
                                 "max_per_document": run.sampling.each}  # fmt: skip
    how["encoding"] = ",".join(how.pop("encodings"))
    sizes = words.sizes.select("period", "documents", "tokens")
    return Corpora(how, rows_of(read, FILES), rows_of(left, UNREAD), sizes, rows_of([], COUNTS))


def _with_all(measured: pl.DataFrame, words: Words, found: Found, run: Run) -> pl.DataFrame:
    """The words that were measured with what is known of all candidates; then all the others."""
    scores = found.scores
    said = pl.col("word").replace_strict(found.failed, default=None, return_dtype=pl.String)
    twice = pl.col("second_score").is_not_null()
    last = pl.coalesce("second_score", "score").fill_nan(None)
    numbers = [pl.coalesce(f"second_{side}", side).fill_null(0) for side in ("old", "new")]
    look = pl.when(twice).then(pl.lit("second")).otherwise(pl.lit("first"))
    looked = (
        pl.when(pl.col("p").is_null())
        .then(pl.format("only {} + {} usages that differ and can be compared", *numbers))
        .when("waiting")
        .then(pl.lit("a further look is still to come: the same command goes on"))
        .otherwise(
            pl.format("a {} look at {} + {} usages found nothing that could matter", look, *numbers)
        )
    )
    known = scores.select(
        "word", "count_old", "count_new", "p", "q", "drift_p", "drift_q", "chance_p",
        pl.col("score").fill_nan(None).alias("first_score"), "first_p",
        pl.col("second_score").fill_nan(None), "second_p", "full_score",
        numbers[0].alias("old_usages"), numbers[1].alias("new_usages"),
        last.clip(0.0).sqrt().alias("change"),
        pl.when(said.is_not_null()).then(said).otherwise(looked).alias("skipped"),
    )  # fmt: skip
    extra = [name for name in known.columns if name not in OF_MEASURING]
    taken = [name for name in extra if name in measured.columns and name != "word"]
    top = measured.drop(taken).join(known.select(extra), on="word", how="left",
                                    maintain_order="left")  # fmt: skip
    rest = known.filter(~pl.col("word").is_in(measured["word"].implode()))
    rest = rest.with_columns(verdict=pl.lit("unclear")).sort("p", "word", nulls_last=True)
    rows = pl.concat([top, rest, _left_out(words)], how="diagonal_relaxed")
    rows = rows.with_columns(old=pl.lit(run.periods[0]), new=pl.lit(run.periods[1]))
    first = [*words_schema(run.settings)]
    at = first.index("change")
    order = [*first[:at], "count_old", "count_new", *first[at:]]
    return rows.select(*order, *(name for name in rows.columns if name not in order))


def _left_out(words: Words) -> pl.DataFrame:
    """Words frequent enough that somebody may look for them, with the reason why they are out."""
    new, gone = (pl.col("reason").str.starts_with(kind) for kind in ("new", "gone"))
    rare = pl.col("reason").str.starts_with("fewer than")
    kind = pl.when(new).then(pl.lit("new")).when(gone).then(pl.lit("gone")).otherwise(None)
    left = words.vocabulary.filter(pl.col("reason").is_not_null() & ~rare)
    both = (pl.col("count_old") + pl.col("names_old") > 0) & (
        pl.col("count_new") + pl.col("names_new") > 0
    )
    left = left.filter(both | new | gone)
    return left.select(
        "word", "count_old", "count_new", pl.col("count_old").alias("old_usages"),
        pl.col("count_new").alias("new_usages"), kind.alias("verdict"),
        pl.col("reason").alias("skipped"),
    )  # fmt: skip


def save(study: Study, folder: Path, vocabulary: pl.DataFrame) -> None:
    """Write the study into its folder, beside the units it was made of; and the vocabulary."""
    with files_whole(folder, owned=OWNED) as made:
        write_into(study, made)
    with written_whole(folder / VOCABULARY) as file:
        vocabulary.write_parquet(file)
