import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from pictures import made_study, overlaps
from senseshift import Study, compare, figures, read
from senseshift.errors import InputError
from senseshift.figures.drawing import KINDS
from support import DATA

ALL = {
    f"{word}-{kind}"
    for word in ("cell", "bank")
    for kind in ("map-sus", "map-ldr", "map-sense", "plans", "histogram", "path")
} | {"gold", "method", "maps"}


def run(*arguments, cwd):
    command = Path(sys.executable).with_name("senseshift")
    return subprocess.run(
        [command, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False,
        env={**os.environ},
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    made_study().save(tmp_path / "study")
    return tmp_path


def test_all_figures_of_some_words_by_one_command(folder):
    done = run("figures", "study", "--word", "cell,bank", "-o", "out", "--format", "svg,png",
               cwd=folder)  # fmt: skip
    assert done.returncode == 0, done.stderr
    written = {path.name for path in (folder / "out").iterdir()}
    assert written == {f"{name}.{suffix}" for name in ALL for suffix in ("svg", "png")}
    assert set(done.stdout.split()) == {f"out/{name}" for name in written}


def test_kinds_and_words_can_be_chosen(folder, called):
    done = called("figures", "study", "-w", "cell", "-w", "bank", "--kind", "histogram", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (folder / "figures").iterdir()} == {
        "cell-histogram.pdf",
        "bank-histogram.pdf",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["study", "--word", "sell"], "no word 'sell'"),
        (["study", "--kind", "pie"], "no kind of figure 'pie'; there are map, plans"),
        (["study", "--format", "docx"], "no format 'docx'; there are pdf, svg, png"),
        (["study", "--periods", "1,2"], "not compared 1 → 2, only old → new"),
        (["study", "--periods", "1"], "two periods"),
        (["study", "--kind", ","], "at least one kind of figure"),
        (["nowhere"], "nowhere is not a study"),
        (["study", "-o", "study/study.json"], "study.json"),
    ],
)
def test_wrong_input_is_one_sentence_and_leaves_nothing(folder, arguments, message, refused):
    assert message in refused("figures", *arguments, cwd=folder)
    assert [path.name for path in folder.iterdir()] == ["study"]


def test_what_needs_gold_is_left_out_with_the_reason_unless_asked_for(tmp_path):
    study = made_study()
    bare = Study(study.words, study.instances.drop("sense"), study.arcs, study.vectors, study.about)
    drawn = figures.draw(bare, ["cell"], tmp_path)
    assert {path.stem for path in drawn.files} == {
        "cell-map-sus", "cell-map-ldr", "cell-plans", "cell-histogram", "cell-path",
        "method", "maps",
    }  # fmt: skip
    assert [note.split(":")[0] for note in drawn.left_out] == ["cell-map-sense", "gold"]
    assert all("gold senses" in note for note in drawn.left_out)
    with pytest.raises(InputError, match="gold senses in both"):
        figures.draw(bare, ["cell"], tmp_path, kinds=["gold"])


def test_one_word_without_senses_does_not_spoil_the_page(tmp_path):
    study = made_study()
    known = study.instances.with_columns(sense=pl.when(pl.col("word") != "bank").then("sense"))
    some = Study(study.words, known, study.arcs, study.vectors, study.about)
    drawn = figures.draw(some, ["cell", "bank"], tmp_path, formats=["svg"])
    assert tmp_path / "maps.svg" in drawn.files
    assert tmp_path / "cell-map-sense.svg" in drawn.files
    assert [note.split(":")[0] for note in drawn.left_out] == ["bank-map-sense"]


def test_the_most_changed_words_are_drawn_by_default(tmp_path):
    seen = []
    drawn = figures.draw(
        made_study(), folder=tmp_path, kinds=["histogram"], progress=lambda *x: seen.append(x)
    )
    names = [path.name.removesuffix("-histogram.pdf") for path in drawn.files]
    assert names == made_study().ranked["word"].to_list()
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert len(KINDS) == 7


def test_many_words_go_on_several_pages_with_one_scale(tmp_path, monkeypatch):
    monkeypatch.setattr("senseshift.figures.drawing.ON_A_PAGE", 2)
    drawn = figures.draw(made_study(), ["cell", "bank", "stone"], tmp_path, kinds=["maps"])
    assert [path.name for path in drawn.files] == ["maps-1.pdf", "maps-2.pdf"]
    one = figures.maps(made_study(), ["stone"], alongside=["cell", "bank", "stone"])
    other = figures.maps(made_study(), ["cell", "bank"], alongside=["stone"])
    assert one.axes[0].collections[0].norm.vmax == other.axes[0].collections[0].norm.vmax


def test_real_words_at_both_widths_without_overlap(tmp_path):
    if not (DATA / "dwug_en_vectors.npy").exists():
        pytest.skip("DWUG EN does not lie beside the repository")
    words = ["plane_nn", "record_nn"]
    study = compare(read(DATA / "dwug_en"), DATA / "dwug_en_vectors.npy", words=words)
    for width in ("column", "page"):
        for word in words:
            for colour in ("sus", "ldr", "sense"):
                assert overlaps(figures.word_map(study, word, colour=colour, width=width)) == []
        assert overlaps(figures.plans(study, words, width=width)) == []
        assert overlaps(figures.histograms(study, words, width=width)) == []
        assert overlaps(figures.path_figure(study, words[0], width=width)) == []
        assert overlaps(figures.against_gold(study, width=width)) == []
        assert overlaps(figures.method_figure(width=width)) == []
    assert overlaps(figures.maps(study, words, colours=("sus", "ldr", "sense"))) == []
