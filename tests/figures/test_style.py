import re
import subprocess
import sys
import zlib

import matplotlib as mpl
import pytest

from pictures import made_study
from senseshift import figures
from senseshift.errors import InputError


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"])
def test_the_same_figure_is_the_same_file(tmp_path, suffix):
    for name in ("one", "other"):
        figures.save(figures.word_map(made_study(), "cell"), tmp_path / f"{name}.{suffix}")
    one = (tmp_path / f"one.{suffix}").read_bytes()
    assert one == (tmp_path / f"other.{suffix}").read_bytes()
    assert not re.search(rb"20\d\d-\d\d-\d\d|D:20\d\d", one)  # no date


def test_fonts_are_embedded_in_a_pdf_as_truetype(tmp_path):
    figures.save(figures.word_map(made_study(), "cell"), tmp_path / "cell.pdf")
    data = (tmp_path / "cell.pdf").read_bytes()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            data += zlib.decompress(stream)
        except zlib.error:
            continue
    assert b"/FontFile2" in data
    assert b"/Type3" not in data
    assert b"DejaVuSans" in data


def test_text_of_an_svg_is_text(tmp_path):
    figures.save(figures.word_map(made_study(), "cell"), tmp_path / "cell.svg")
    svg = (tmp_path / "cell.svg").read_text("utf-8")
    assert re.search(r"<text[^>]*>cell</text>", svg)
    assert re.search(r"<text[^>]*>old</text>", svg)


def test_other_formats_are_refused_and_leave_nothing(tmp_path):
    figure = figures.method_figure()
    with pytest.raises(InputError, match=r"map\.docx cannot be written: figures are pdf, svg, png"):
        figures.save(figure, tmp_path / "map.docx")
    with pytest.raises(InputError, match="no folder"):
        figures.save(figure, tmp_path / "nowhere" / "map.pdf")
    assert not list(tmp_path.iterdir())


def test_the_users_settings_neither_matter_nor_change(tmp_path):
    figures.save(figures.word_map(made_study(), "cell"), tmp_path / "plain.svg")
    with mpl.rc_context({"font.size": 30, "lines.color": "red", "axes.facecolor": "black"}):
        before = dict(mpl.rcParams)
        figures.save(figures.word_map(made_study(), "cell"), tmp_path / "styled.svg")
        assert dict(mpl.rcParams) == before
    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "styled.svg").read_bytes()


def test_names_with_signs_of_mathematics_are_drawn_as_they_are(tmp_path):
    import polars as pl

    study = made_study()
    word = "_$cell$ \\frac"
    renamed = pl.when(pl.col("word") == "cell").then(pl.lit(word)).otherwise("word").alias("word")
    sense = pl.concat_str(pl.lit("_$s$_"), "sense").alias("sense")
    changed = type(study)(
        study.words.with_columns(renamed), study.instances.with_columns(renamed, sense),
        study.arcs.with_columns(renamed), study.vectors, study.about,
    )  # fmt: skip
    for kind in (figures.plans, figures.histograms):
        figures.save(kind(changed, word), tmp_path / "word.svg")
        assert word in (tmp_path / "word.svg").read_text("utf-8")
    figures.save(figures.word_map(changed, word, colour="sense"), tmp_path / "word.svg")
    assert "_$s$_1: 0 → 12" in (tmp_path / "word.svg").read_text("utf-8")


def test_neither_a_display_nor_pyplot_is_needed():
    code = (
        "import sys\n"
        "from senseshift import figures\n"
        "figures.method_figure()\n"
        "sys.exit('pyplot was imported' if 'matplotlib.pyplot' in sys.modules else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
