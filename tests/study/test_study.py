import json

import polars as pl
import pytest
from reading import read_senses

from senseshift import Study, compare
from senseshift.errors import InputError


@pytest.fixture
def study(usages):
    return compare(usages, read_senses, measures=["f_SUS", "g_SUS", "f_APD"])


def test_saved_and_loaded_it_is_the_same(study, tmp_path):
    study.save(tmp_path / "deep" / "study")
    loaded = Study.load(tmp_path / "deep" / "study")
    for name in ("words", "instances", "arcs"):
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
    study.save(tmp_path / "study")
    (tmp_path / "study" / "words.parquet").write_bytes(b"PAR1 broken")
    with pytest.raises(InputError, match=r"study is not whole, words\.parquet"):
        Study.load(tmp_path / "study")
    (tmp_path / "study" / "SHA256SUMS").unlink()  # without the list of what was written
    with pytest.raises(InputError, match="is damaged"):
        Study.load(tmp_path / "study")
    (tmp_path / "study" / "study.json").write_text("{")
    with pytest.raises(InputError, match=r"study\.json is damaged"):
        Study.load(tmp_path / "study")
    (tmp_path / "study" / "study.json").write_text('{"format": 99}')
    with pytest.raises(InputError, match="another version"):
        Study.load(tmp_path / "study")


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
