import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from reading import read_senses

from senseshift import Study, compare
from senseshift.errors import InputError
from senseshift.study.study import TABLES


@pytest.fixture(scope="module")
def study(usages):
    return compare(usages, read_senses, measures=["f_SUS", "g_SUS", "f_APD"])


def test_saved_and_loaded_it_is_the_same(study, tmp_path):
    study.save(tmp_path / "deep" / "study")
    loaded = Study.load(tmp_path / "deep" / "study")
    for name in TABLES:
        assert getattr(loaded, name).equals(getattr(study, name))
    assert (loaded.vectors == study.vectors).all()
    assert loaded.about == study.about
    assert str(loaded) == str(study)
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["study"]


def test_settings_versions_and_fingerprints_are_kept(study, tmp_path):
    study.save(tmp_path / "study")
    about = json.loads((tmp_path / "study" / "study.json").read_text("utf-8"))
    assert about["settings"]["measures"] == ["f_SUS", "g_SUS", "f_APD"]
    assert about["encoder"] == "read_senses"
    assert about["periods"] == ["old", "new"]
    assert {"senseshift", "libraries", "usages_fingerprint", "created"} <= set(about)


def test_saving_again_replaces_it(study, tmp_path):
    study.save(tmp_path / "study")
    study.save(tmp_path / "study")
    assert Study.load(tmp_path / "study").words.equals(study.words)
    assert [p.name for p in tmp_path.iterdir()] == ["study"]


def test_other_folders_are_never_replaced(study, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    with pytest.raises(InputError, match="exists and is not a study"):
        study.save(tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "years of work"


def test_a_study_owns_its_files_and_not_the_folder(study, tmp_path):
    folder = tmp_path / "study"
    study.save(folder)
    for name in ("notes.txt", ".git/config", "figures/mine.parquet"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine")
    ours = sorted(path.name for path in folder.iterdir())
    (tmp_path / "link").symlink_to("study")
    for place in (folder, tmp_path / "link"):
        Study.load(place).save(place)
        assert sorted(path.name for path in folder.iterdir()) == ours
    assert (tmp_path / "link").is_symlink()
    for name in ("notes.txt", ".git/config", "figures/mine.parquet"):
        assert (folder / name).read_text() == "mine"


def test_what_is_no_study_or_damaged_is_told(study, tmp_path):
    with pytest.raises(InputError, match=r"no study\.json"):
        Study.load(tmp_path)
    folder = tmp_path / "study"
    study.save(folder)
    (folder / "words.parquet").write_bytes(b"PAR1 broken")
    with pytest.raises(InputError, match=r"not whole, words\.parquet is not the file"):
        Study.load(folder)
    (folder / "SHA256SUMS").unlink()  # as of a study that somebody put together by hand
    with pytest.raises(InputError, match="is damaged"):
        Study.load(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"study\.json is damaged"),
        ("[" * 10_000, r"study\.json is damaged"),
        ("[]", "holds no object"),
        ('{"format": 99}', "another version"),
        ('{"format": 2, "periods": "old"}', "periods is not what it should be"),
    ],
)
def test_a_damaged_about_is_told(study, tmp_path, text, message):
    folder = tmp_path / "study"
    study.save(folder)
    (folder / "SHA256SUMS").unlink()
    (folder / "study.json").write_text(text)
    with pytest.raises(InputError, match=message):
        Study.load(folder)


WRONG = {
    "periods": [7, [1, 2], None], "pairs": [7, ["old"], [["old"]], [[1, 2]]],
    "settings": [7, {}, {"measures": 7}, {"measures": [None]}],
    "usages": ["many", None, True], "complete": ["yes"], "dropped": [7], "corpora": [7, "x", {}],
    "calibration": [7, {}], "libraries": [7], "warnings": [7], "words": [7], "encoder": [7],
    "language": [7], "created": [7], "cut": ["far", True, [0.3], 0.0, 99],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_about_of_wrong_types_is_told(study, tmp_path, name, value):
    folder = tmp_path / "study"
    study.save(folder)
    (folder / "SHA256SUMS").unlink()
    about = json.loads((folder / "study.json").read_text("utf-8"))
    (folder / "study.json").write_text(json.dumps(about | {name: value}))
    with pytest.raises(InputError, match=rf"study\.json is damaged: .*{name}"):
        Study.load(folder)


@pytest.mark.parametrize("table", TABLES)
def test_tables_of_wrong_columns_are_told(study, tmp_path, table):
    folder = tmp_path / "study"
    study.save(folder)
    (folder / "SHA256SUMS").unlink()
    pl.DataFrame({"other": [1]}).write_parquet(folder / f"{table}.parquet")
    with pytest.raises(InputError, match=rf"is damaged: .*{table}"):
        Study.load(folder)


def test_vectors_that_are_too_few_are_told(study, tmp_path):
    folder = tmp_path / "study"
    study.save(folder)
    (folder / "SHA256SUMS").unlink()
    np.save(folder / "vectors.npy", study.vectors[:-1])
    with pytest.raises(InputError, match=r"is damaged: .*vectors"):
        Study.load(folder)


def test_files_of_somebody_else_stay_in_the_folder(study, tmp_path):
    folder = tmp_path / "study"
    study.save(folder)
    (folder / "notes.txt").write_text("look at cell again")
    (folder / "figures").mkdir()
    (folder / "figures" / "map.pdf").write_bytes(b"%PDF")
    Study.load(folder).save(folder)
    assert (folder / "notes.txt").read_text() == "look at cell again"
    assert (folder / "figures" / "map.pdf").read_bytes() == b"%PDF"
    assert Study.load(folder).words.equals(study.words)


def test_a_link_to_a_study_is_followed(study, tmp_path):
    study.save(tmp_path / "study")
    (tmp_path / "link").symlink_to("study")
    Study.load(tmp_path / "link").save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert Study.load(tmp_path / "study").words.equals(study.words)


def test_what_is_not_a_number_never_ranks_first(study):
    words = study.words.with_columns(
        pl.when(pl.col("word") == "stone").then(float("nan")).otherwise("change").alias("change")
    )
    assert replace(study, words=words).ranked["word"].to_list() == ["cell", "bank", "stone"]


def test_top_and_bottom_have_the_layout_of_the_paper(study):
    top = study.top("cell", 3)
    assert top.columns == ["period", "context", "sense", "SUS"]
    assert top["SUS"].is_sorted(descending=True)
    assert top["context"].str.contains(r"\*\*cell\*\*").all()
    assert study.bottom("cell", 3)["SUS"][-1] == study.usages_of("cell")["sus"].min()
    with pytest.raises(InputError, match="no word 'sell'"):
        study.top("sell")


def test_it_prints_as_a_table_in_any_width(study):
    from rich.console import Console

    assert "cell" in str(study)
    assert "all certified" in str(study)
    narrow = Console(width=34, color_system=None)
    with narrow.capture() as text:
        narrow.print(study)
    assert "f_SUS" in text.get()
    assert "…" not in text.get().splitlines()[1]
    assert study._repr_html_().count("<tr>") == 4


def test_exports_can_be_read_again(study, tmp_path):
    study.export(tmp_path / "words.csv")
    assert pl.read_csv(tmp_path / "words.csv")["f_SUS"].to_list() == pytest.approx(
        study.words["f_SUS"].to_list()
    )
    study.export(tmp_path / "usages.tsv", "instances")
    assert pl.read_csv(tmp_path / "usages.tsv", separator="\t").height == study.instances.height
    study.export(tmp_path / "words.tex")
    tex = (tmp_path / "words.tex").read_text("utf-8")
    assert tex.startswith(r"\begin{tabular}{lll")
    assert r"f\_SUS" in tex
    assert tex.count(r"\\") == 4
    with pytest.raises(InputError, match=r"\.docx cannot be written"):
        study.export(tmp_path / "words.docx")
    with pytest.raises(InputError, match="no table 'plans'"):
        study.export(tmp_path / "words.csv", "plans")
    assert {p.name for p in tmp_path.iterdir()} == {"words.csv", "usages.tsv", "words.tex"}
