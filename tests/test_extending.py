"""A measure is one entry in the registry, an encoder four names: everything else takes them up."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from senseshift import Study, Usages, compare, figures, report
from senseshift.cli import app
from senseshift.measures import INSTANCE, WORD, UsageMeasure, WordMeasure

MIDDLE = WordMeasure(
    "f_MID", "f_mid", "form-based", "magnitude", "cost",
    "median cosine distance between an old and a new usage",
    lambda word: float(np.median(word.cost)),
    headline=True,
)  # fmt: skip
FARTHEST = UsageMeasure(
    "farthest", "far", "form-based", "instance", "cost",
    "distance to the farthest usage of the other period",
    lambda word: (word.cost.max(axis=1), word.cost.max(axis=0)),
    digits=2, ends=("near", "far"),
)  # fmt: skip


class ByLetters:
    """An encoder that counts letters."""

    name, dimension, fingerprint = "letters", 26, "letters-1"

    def __init__(self):
        self.read = []

    def encode(self, texts, spans):
        self.read += texts
        alphabet = "abcdefghijklmnopqrstuvwxyz"
        return np.array([[text.count(letter) for letter in alphabet] for text in texts], np.float32)


TEXTS = {
    "old": ["the monk left his cell", "a bare cell of stone", "he prayed in the cell"],
    "new": ["a cell divides in two", "my cell phone is flat", "no cell phone without signal"],
}


@pytest.fixture
def registered():
    """What a line more in each list of the registry would do."""
    WORD.append(MIDDLE)
    INSTANCE.append(FARTHEST)
    yield
    WORD.remove(MIDDLE)
    INSTANCE.remove(FARTHEST)


@pytest.fixture
def usages():
    return Usages.from_records(
        {"word": "cell", "period": period, "id": f"{period}{k}", "text": text,
         "start": text.index("cell"), "end": text.index("cell") + 4}
        for period, texts in TEXTS.items() for k, text in enumerate(texts)
    )  # fmt: skip


@pytest.fixture
def study(registered, usages):
    return compare(usages, ByLetters(), cache=False)


@pytest.fixture
def cost():
    old, new = (ByLetters().encode(texts, None).astype(float) for texts in TEXTS.values())
    unit = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (old, new)]
    return 1 - unit[0] @ unit[1].T


def test_a_study_has_them_and_keeps_them(study, usages, cost, tmp_path):
    study.save(tmp_path / "study")
    for some in (study, Study.load(tmp_path / "study")):
        assert some.words["f_MID"].to_list() == pytest.approx([np.median(cost)], abs=1e-6)
        expected = zip(usages.table["id"], [*cost.max(axis=1), *cost.max(axis=0)], strict=True)
        found = dict(some.instances.select("id", "farthest").iter_rows())
        assert found == pytest.approx(dict(expected), abs=1e-6)


def test_they_are_printed_listed_and_drawn(study, usages):
    alone = compare(usages, ByLetters(), cache=False, measures=["f_MID"])
    head, row = (line.split() for line in str(alone).splitlines()[1:3])
    assert "f_MID" in head
    assert f"{study.words['f_MID'][0]:.4f}" in row
    assert "<th>f_MID</th>" in study._repr_html_()
    listed = CliRunner().invoke(app, ["measures"], env={"COLUMNS": "300"}).stdout
    assert MIDDLE.says in listed
    assert FARTHEST.says in listed
    figures.word_map(study, "cell", colour="farthest")
    assert "far" in json.dumps(study.map("cell", colour="farthest").to_plotly_json(), default=str)


def test_the_report_shows_them(study, tmp_path):
    page = report.write(study, tmp_path / "report")
    assert "<option>f_MID</option>" in page.read_text("utf-8")
    data = {}
    for path in (page.parent / "data").iterdir():
        text = path.read_text("utf-8").removesuffix(");\n").removeprefix("senseshift.receive(")
        name, received = json.loads(f"[{text}]")
        data["index" if name == "index" else "cell"] = received
    assert data["index"]["measures"]["f_MID"] == MIDDLE.says
    (shown,) = [score for score in data["index"]["scores"] if score["name"] == "farthest"]
    assert (shown["label"], shown["says"], shown["ends"]) == ("far", FARTHEST.says, ["near", "far"])
    (row,) = data["index"]["rows"]
    assert row["measures"]["f_MID"] == pytest.approx(study.words["f_MID"][0], abs=1e-4)
    (pair,) = data["cell"]["pairs"]
    assert pair["measures"]["f_MID"] == pytest.approx(study.words["f_MID"][0], abs=1e-4)
    scores = sorted(study.instances["farthest"])
    assert sorted(pair["scores"]["farthest"]) == pytest.approx(scores, abs=1e-3)


def test_an_encoder_is_named_in_the_study_and_its_vectors_are_kept(usages, tmp_path):
    first, second = ByLetters(), ByLetters()
    made = compare(usages, first, cache=tmp_path, measures=["f_SUS"])
    again = compare(usages, second, cache=tmp_path, measures=["f_SUS"])
    assert made.about["encoder"] == "letters"
    assert sorted(first.read) == sorted([*TEXTS["old"], *TEXTS["new"]])
    assert second.read == []
    assert np.array_equal(again.vectors, made.vectors)
