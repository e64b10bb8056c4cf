import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from senseshift import Usages, compare, report
from senseshift.errors import InputError
from senseshift.study.stored import stored

COMMAND = Path(sys.executable).with_name("senseshift")


def files(folder):
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def test_a_folder_with_all_that_is_needed(study, tmp_path):
    counted = []
    page = report.write(
        study,
        tmp_path / "deep" / "report",
        progress=lambda done, total: counted.append((done, total)),
    )
    assert page == tmp_path / "deep" / "report" / "index.html"
    names = files(page.parent)
    assert "assets/senses.js" in names
    assert len([name for name in names if name.startswith("data/")]) == 3
    text = page.read_text("utf-8")
    assert "https://" not in text
    for name in ("ρ = 1", "Kishino", "senseshift", "does not record one"):
        assert name in text, name
    assert counted == [(0, 2), (1, 2), (2, 2)]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["report"]


def test_one_page_holds_everything(study, tmp_path):
    page = report.write(study, tmp_path / "one", single_file=True, words=["cell"], licence="CC0")
    assert files(tmp_path / "one") == ["SHA256SUMS", "index.html"]
    text = page.read_text("utf-8")
    assert "monk" in text
    assert "a heavy stone" not in text  # which is in the usages of the other word
    assert "CC0" in text
    assert "<script src" not in text


def test_the_same_study_is_the_same_report(study, tmp_path):
    one, other = (report.write(study, tmp_path / name).parent for name in "ab")
    assert files(one) == files(other)
    for name in files(one):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def test_only_some_words(study, tmp_path):
    page = report.write(study, tmp_path / "some", words=["stone"])
    assert len(list((page.parent / "data").iterdir())) == 2
    index = (page.parent / "data" / "index.js").read_text("utf-8")
    assert '"rank":2' in index  # of the study, not of what is shown
    with pytest.raises(InputError, match="no word 'horse'"):
        report.write(study, tmp_path / "none", words=["horse"])
    with pytest.raises(InputError, match="'unicorn' was not measured: no usages in 2000s"):
        report.write(study, tmp_path / "none", words=["unicorn"])
    assert not (tmp_path / "none").exists()


def test_a_report_is_replaced_and_nothing_else_is(study, tmp_path):
    report.write(study, tmp_path / "report")
    report.write(study, tmp_path / "report", words=["cell"])
    assert len(list((tmp_path / "report" / "data").iterdir())) == 2
    (tmp_path / "report" / "CNAME").write_text("shifts.example.org")  # of a site that shows it
    (tmp_path / "report" / ".git").mkdir()
    (tmp_path / "report" / ".git" / "HEAD").write_text("ref: refs/heads/pages")
    report.write(study, tmp_path / "report", words=["stone"])
    assert len(list((tmp_path / "report" / "data").iterdir())) == 2
    assert (tmp_path / "report" / "CNAME").read_text() == "shifts.example.org"
    assert (tmp_path / "report" / ".git" / "HEAD").read_text() == "ref: refs/heads/pages"
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "index.html").write_text("years of work")
    with pytest.raises(InputError, match="thesis exists and is not a report"):
        report.write(study, tmp_path / "thesis")
    assert (tmp_path / "thesis" / "index.html").read_text() == "years of work"
    (tmp_path / "empty").mkdir()
    report.write(study, tmp_path / "empty", words=["cell"])


def test_what_fails_leaves_nothing_behind(study, tmp_path):
    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        report.write(study, tmp_path / "report", progress=stop)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("a file")
    with pytest.raises(InputError, match="file"):
        report.write(study, tmp_path / "file" / "report")


def usages_again(study):
    table = study.instances.select("word", "period", "id", "text", "start", "end")
    return Usages.from_table(table)


def scattered(texts, spans):
    return np.random.default_rng(0).normal(size=(len(texts), 4))


def zeros(texts, spans):
    return np.zeros((len(texts), 3))


@pytest.mark.parametrize("measures", [["f_APD"], ["g_SUS"], ["g_WiDiD", "f_PRT"]])
def test_studies_with_few_measures_have_reports(study, tmp_path, measures):
    few = compare(usages_again(study), scattered, measures=measures)
    text = report.write(few, tmp_path / "few").read_text("utf-8")
    for name in measures:
        assert f"<option>{name}</option>" in text


def test_one_usage_a_side_is_enough(tmp_path):
    usage = {"word": "w", "text": "a w", "start": 2, "end": 3}
    records = [usage | {"period": period, "id": period} for period in ("1", "2")]
    tiny = compare(Usages.from_records(records), lambda texts, spans: np.eye(2)[: len(texts)])
    assert "–" in report.write(tiny, tmp_path / "tiny").read_text("utf-8")


def test_where_nothing_could_be_measured_the_reasons_are_told(study, tmp_path):
    nothing = compare(usages_again(study), zeros, measures=["f_SUS"])
    text = report.write(nothing, tmp_path / "none").read_text("utf-8")
    assert "How 0 words shifted" in text
    assert "is zero and has no direction" in text


@pytest.mark.parametrize("measures", [["f_APD"], ["g_SUS"]])
@pytest.mark.parametrize("encoder", [scattered, zeros])
def test_a_poor_study_opens_without_an_error(reader, study, tmp_path, measures, encoder):
    poor = compare(usages_again(study), encoder, measures=measures)
    page = reader.open(report.write(poor, tmp_path / "poor").as_uri())
    page.locator("[data-sort=word]").click()
    if encoder is scattered:
        page.locator("#words a", has_text="cell").click()
        page.locator("#lines .row").first.click()
        assert "NaN" not in page.locator("#word").inner_text()


def test_what_is_infinite_unfinished_or_uncertified_is_said(study, tmp_path, reader):
    measured = pl.col("certified").is_not_null()
    words = study.words.with_columns(
        pl.when(measured).then(value).alias(name)
        for name, value in (("g_senses", float("-inf")), ("certified", False), ("sus_error", 0.5))
    )
    odd = dataclasses.replace(study, words=words, about=study.about | {"complete": False})
    page = report.write(odd, tmp_path / "odd")
    text = page.read_text("utf-8")
    assert "−∞" in text
    assert "unfinished" in text
    assert "2 of 2 not certified" in text
    shown = reader.open(page.as_uri())
    scopes = shown.locator("#words .scope")
    assert scopes.all_inner_texts() == ["−∞", "−∞"]
    shown.locator("#scope").select_option("g_SUS")
    assert "−∞" not in scopes.all_inner_texts()
    shown.locator("#scope").select_option("g_senses")
    assert scopes.all_inner_texts() == ["−∞", "−∞"]


def test_the_command_writes_it(study, tmp_path, called, refused):
    study.save(tmp_path / "study")
    done = subprocess.run(
        [COMMAND, "report", "study", "-o", "pages", "--word", "cell"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "pages/index.html" in done.stdout.replace("\\", "/")
    assert (tmp_path / "pages" / "index.html").is_file()
    single = ("study", "-o", "cell.html", "--single-file", "--word", "cell", "--licence", "CC0")
    done = called("report", *single, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "CC0" in (tmp_path / "cell.html").read_text("utf-8")
    done = called("report", "study", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "study" / "report" / "index.html").is_file()
    for arguments, message in (
        (["nowhere"], "nowhere is not a study"),
        (["study", "-o", "study"], "study exists and is not a report"),
    ):
        assert message in refused("report", *arguments, cwd=tmp_path)


def test_comparing_ends_with_the_report(study, tmp_path, called):
    table = study.instances.select("word", "period", "id", "text", "start", "end")
    table.write_parquet(tmp_path / "usages.parquet")
    np.save(tmp_path / "v.npy", np.random.default_rng(0).normal(size=(table.height, 4)))

    def run(*more):
        command = ("compare", "usages.parquet", "--encoder", "v.npy", "--measures", "f_SUS")
        done = called(*command, *more, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "study/report/index.html" in run("-o", "study").replace("\\", "/")
    assert (tmp_path / "study" / "report" / "index.html").is_file()
    assert "report" not in run("-o", "bare", "--no-report")
    assert not (tmp_path / "bare" / "report").exists()


def test_a_study_on_disk_has_the_same_report_as_in_memory(study, tmp_path):
    study.save(tmp_path / "study")
    report.write(study, tmp_path / "memory", threads=1)
    with stored(tmp_path / "study") as kept:
        report.write(kept, tmp_path / "disk", threads=1)
        assert "instances" not in vars(kept)  # of which only a few words were held at a time
    files = sorted(p.relative_to(tmp_path / "memory") for p in (tmp_path / "memory").rglob("*.*"))
    assert len(files) > 5
    for file in files:
        assert (tmp_path / "disk" / file).read_bytes() == (tmp_path / "memory" / file).read_bytes()
