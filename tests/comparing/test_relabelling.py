"""People's senses in place of induced ones, on vectors with three clear senses."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from senseshift import Study, Usages, compare, report
from senseshift.calibration import Calibration
from senseshift.errors import InputError

SENSES = {"old": (30, 10, 0), "new": (10, 10, 20)}


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    records, vectors = [], []
    for word in ("cell", "bank"):
        for period, counts in SENSES.items():
            for sense, count in enumerate(counts):
                for k in range(count):
                    name = f"{period}-{sense}-{k}"
                    text = f"the {word} of kind {sense} {k}"
                    start = 4
                    records.append(
                        {
                            "word": word,
                            "period": period,
                            "id": name,
                            "text": text,
                            "start": start,
                            "end": 8,
                        }
                    )
                    vectors.append(np.eye(8)[sense] + 0.05 * rng.normal(size=8))
    usages = Usages.from_records(records, periods=["old", "new"])
    return compare(
        usages, np.array(vectors, np.float32), calibration=Calibration(0.5, 0.1, 0.5),
        measures=["f_SUS", "f_senses"], permutations=100,
    )  # fmt: skip


def share(study, word, name, period):
    rows = study.senses.filter(word=word, name=name, period=period)
    return rows["share"].item()


def sense_of(study, word, usage):
    return study.usages.filter(word=word, id=usage)["induced_sense"].item()


def test_senses_are_found_and_judged(study):
    assert study.senses.filter(word="cell")["sense"].n_unique() == 3
    assert study.words["verdict"].to_list() == ["gained", "gained"]
    assert "Gained a sense" in study.statement("cell")[0]


def test_names_merges_and_moves_are_taken_and_all_follows(study, tmp_path):
    first, third = (sense_of(study, "cell", name) for name in ("old-0-0", "new-2-0"))
    path = tmp_path / "senses.csv"
    path.write_text(
        "word,sense,id,into,name\n"
        f"cell,{first},,,room\n"
        f"cell,{third},,{first},\n"  # the new sense is part of the first after all
        "cell,,old-1-0,,\n"
    )
    decided = study.relabel(path)
    assert share(decided, "cell", "room", "old") == pytest.approx(30 / 39)
    assert share(decided, "cell", "room", "new") == pytest.approx(30 / 40)
    assert decided.usages.filter(word="cell", id="old-1-0")["sense"].item() is None
    verdict = dict(decided.words.select("word", "verdict").iter_rows())
    assert verdict == {"cell": "unclear", "bank": "gained"}
    spread = [made.words.filter(word="cell").select("^spread.*$") for made in (study, decided)]
    assert spread[0].equals(spread[1])  # who tells the senses moves no usages
    assert spread[0].null_count().sum_horizontal().item() == 0
    distance = dict(decided.words.select("word", "f_senses").iter_rows())
    assert distance["cell"] < 0.1 < distance["bank"]
    decided.save(tmp_path / "study")
    again = Study.load(tmp_path / "study")
    assert again.senses.equals(decided.senses)
    assert again.about["settings"]["senses"] == "given"


def test_a_study_that_knows_fewer_settings_is_relabelled_too(study):
    """As one that an earlier version saved."""
    fewer = {k: v for k, v in study.about["settings"].items() if k not in ("early", "seed")}
    older = replace(study, about=study.about | {"settings": fewer | {"gone": 1}})
    decided = older.relabel(pl.DataFrame({"word": ["cell"], "sense": ["1"], "name": ["room"]}))
    assert "room" in decided.senses["name"]


def test_senses_written_as_word_usage_graphs_are_read_back(study, tmp_path):
    decided = study.relabel(pl.DataFrame({"word": ["cell"], "sense": ["1"], "name": ["room"]}))
    decided.to_wug(tmp_path / "wug")
    from senseshift import read

    given = read(tmp_path / "wug")
    assert set(given.table.filter(word="cell")["sense"]) >= {"room"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"word": "cel", "sense": "1", "name": "x"}, "no word 'cel'"),
        ({"word": "cell", "sense": "9", "name": "x"}, "no sense '9'"),
        ({"word": "cell", "id": "none", "into": "1"}, "no usage 'none'"),
        ({"word": "cell", "meaning": "x"}, "columns word, sense, id, into, name"),
    ],
)
def test_what_cannot_be_decided_is_told(study, row, message):
    with pytest.raises(InputError, match=message):
        study.relabel(pl.DataFrame([row]))


def workbench(**words):
    return {"format": "senseshift workbench", "version": 1, "study": "x", "words": words}


def saved(tmp_path, data):
    path = tmp_path / "senses.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return path


def test_the_senses_of_the_workbench_are_taken_exactly(study, tmp_path):
    first, second, third = (sense_of(study, "cell", f"{n}-0") for n in ("old-0", "old-1", "new-2"))
    mine = {"old-0-0": "mine", "old-0-1": None}
    names = {first: "a  room\n", second: "<b>=cmd", third: "phone", "mine": "new & other"}
    path = saved(tmp_path, workbench(cell={"senses": names, "usages": mine}, bank={"stars": ["x"]}))
    decided = study.relabel(path)
    before = dict(study.usages.filter(word="cell").select("id", "induced_sense").iter_rows())
    after = dict(decided.usages.filter(word="cell").select("id", "sense").iter_rows())
    told = {first: "a room", second: "<b>=cmd", third: "phone"}
    assert after == {id: told[key] for id, key in before.items()} | {
        "old-0-0": "new & other", "old-0-1": None,
    }  # fmt: skip
    assert set(decided.senses.filter(word="cell")["name"]) == {*told.values(), "new & other"}
    kept = study.senses.filter(word="bank")
    assert kept["name"].to_list() == decided.senses.filter(word="bank")["name"].to_list()
    decided.save(tmp_path / "study")
    assert Study.load(tmp_path / "study").senses.equals(decided.senses)


def test_a_word_may_be_all_noise(study, tmp_path):
    noise = dict.fromkeys(study.usages.filter(word="cell")["id"].to_list())
    both = {"senses": {}, "usages": noise}
    decided = study.relabel(saved(tmp_path, workbench(cell=both, bank=both)))
    assert decided.usages["sense"].is_null().all()
    assert decided.words["f_senses"].is_null().all()
    assert not set(decided.words["verdict"]) & {"gained", "lost", "replaced"}
    decided.save(tmp_path / "study")
    report.write(Study.load(tmp_path / "study"), tmp_path / "pages")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ([], "not a file of the report's workbench"),
        ({"format": "senseshift workbench", "version": 9, "words": {}}, "version 9"),
        (workbench(), "changes no word's senses"),
        (workbench(cell={"stars": ["a"]}), "changes no word's senses"),
        (workbench(cell=["a"]), "an object was expected"),
        (workbench(cell={"senses": {"1": ""}, "usages": {}}), "sense '1' .* has no name"),
        (workbench(cell={"senses": {"1": "\ud800"}, "usages": {}}), "sense '1' .* has no name"),
        (workbench(cell={"senses": {"1": 3}, "usages": {}}), "sense '1' .* has no name"),
        (workbench(cell={"senses": {"1": "a", "2": "a "}, "usages": {}}), "two senses .* 'a'"),
        (workbench(cell={"senses": {}, "usages": {"old-0-0": "1"}}), 'unknown sense "1"'),
        (workbench(cell={"senses": {}, "usages": {"old-0-0": [1]}}), "unknown sense"),
        (workbench(cel={"senses": {}, "usages": {}}), "no word 'cel'"),
        (workbench(cell={"senses": {}, "usages": {"gone": None}}), "no usage 'gone'"),
    ],
)
def test_a_wrong_file_of_the_workbench_is_told(study, tmp_path, data, message):
    with pytest.raises(InputError, match=message) as told:
        study.relabel(saved(tmp_path, data))
    assert str(told.value).count("\n") == 0


def test_log_ratios_follow_the_senses_that_a_person_changed_and_no_others(study):
    third = sense_of(study, "cell", "new-2-0")
    decided = study.relabel(pl.DataFrame({"word": ["cell"], "sense": [third], "name": ["phone"]}))
    before, after = (
        {word: part["tau_senses"].to_numpy() for (word,), part in s.instances.group_by("word")}
        for s in (study, decided)
    )
    assert np.array_equal(before["bank"], after["bank"])
    # A person's senses are whole, so that all usages of one moved alike.
    assert np.unique(after["cell"].round(9)).size == 3 < np.unique(before["cell"].round(9)).size
    bounds = decided.words.filter(word="cell").row(0, named=True)
    assert bounds["f_senses_low"] <= bounds["f_senses"] <= bounds["f_senses_high"]
    again = decided.relabel(pl.DataFrame({"word": ["cell"], "sense": ["phone"], "name": ["new"]}))
    bank = again.instances.filter(pl.col("word") == "bank")["tau_senses"].to_numpy()
    assert np.array_equal(bank, before["bank"])
