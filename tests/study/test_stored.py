"""A study on disk tells of a word what it tells in memory, and holds nothing else."""

import numpy as np
import polars as pl
import pytest
from reading import read_senses

from senseshift import Study, compare
from senseshift.calibration import Calibration
from senseshift.errors import InputError
from senseshift.study import files
from senseshift.study.stored import stored
from senseshift.study.study import TABLES
from senseshift.study.word_view import word_view


@pytest.fixture(scope="module")
def study(usages):
    how = {"calibration": Calibration(0.44, 0.11, 0.38), "permutations": 50}
    return compare(usages, read_senses, **how)


@pytest.fixture
def folder(study, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "ROWS", 7)  # words begin and end within groups of rows
    study.save(tmp_path / "study")
    return tmp_path / "study"


def test_one_word_is_all_that_the_study_has_of_it(study, folder):
    with stored(folder) as kept:
        parts = {word: kept.of_word(word) for word in study.ranked["word"]}
        assert "instances" not in vars(kept)
        assert "vectors" not in vars(kept)
    for word, part in parts.items():
        for name in TABLES:
            rows = getattr(study, name)
            expected = rows.filter(pl.col("word") == word) if rows.width else rows
            found = getattr(part, name)
            assert found.drop("usage", strict=False).equals(
                expected.drop("usage", strict=False), null_equal=True
            ), name
        assert len(part.vectors) == part.instances["usage"].n_unique()
        whole, alone = (word_view(some, word) for some in (study, part))
        assert np.array_equal(whole.vectors, alone.vectors)
        assert whole.usages["id"].equals(alone.usages["id"])
        assert part.statement(word) == study.statement(word)


def test_rows_of_a_word_may_stand_anywhere(study, folder):
    mixed = study.instances.sample(fraction=1, shuffle=True, seed=3)
    mixed.write_parquet(folder / "instances.parquet", row_group_size=7)
    (folder / "SHA256SUMS").unlink()
    with stored(folder) as kept:
        for word in study.ranked["word"]:
            ids = mixed.filter(pl.col("word") == word)["id"]
            assert kept.of_word(word).instances["id"].equals(ids)
        assert kept.instances.equals(mixed, null_equal=True)


def test_a_word_that_is_not_there_and_a_damaged_table_are_told(folder):
    with stored(folder) as kept, pytest.raises(InputError, match="There is no word 'nothing'"):
        kept.rows_of("nothing")
    table = pl.read_parquet(folder / "instances.parquet")
    (folder / "SHA256SUMS").unlink()
    for damage, said in (
        (table.drop("sus"), "no column sus"),
        (table.with_columns(usage=pl.col("usage") + 10**6), "too few for the usages"),
    ):
        damage.write_parquet(folder / "instances.parquet")
        with pytest.raises(InputError, match=f"is damaged.*{said}"), stored(folder):
            pass
    (folder / "instances.parquet").write_bytes(b"PAR1 nothing")
    for reading in (lambda: stored(folder).__enter__(), lambda: Study.load(folder)):
        with pytest.raises(InputError, match="is damaged"):
            reading()
