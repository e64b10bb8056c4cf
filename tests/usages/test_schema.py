"""What a source tells beyond the columns of a usage: kept, as text, whatever way it came."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senseshift.errors import InputError
from senseshift.usages import Usages, read, wug
from senseshift.usages.schema import FOUND, PASSING, rename

FORMATS = [".parquet", ".csv", ".tsv", ".jsonl"]


def usage(**changes):
    return {
        "word": "cell", "period": "old", "id": "a", "text": "A monk's cell.", "start": 9, "end": 13,
    } | changes  # fmt: skip


TOLD = [
    usage(author="Ann, of York", genre="letters", year=1815, share=0.5, printed=True),
    usage(id="b", period="new", author=None, genre=" ", year=None, note="x\ty"),
]
KEPT = {
    "author": ["Ann, of York", None],
    "genre": ["letters", None],
    "year": ["1815", None],
    "share": ["0.5", None],
    "printed": ["true", None],
    "note": [None, "x\ty"],
}


def further(usages):
    return {name: usages.table[name].to_list() for name in usages.table.columns[6:]}


def test_further_columns_are_kept_as_text():
    assert further(Usages.from_records(TOLD)) == KEPT
    assert further(Usages.from_table(pl.DataFrame(TOLD))) == KEPT


def test_of_pandas_too():
    pandas = pytest.importorskip("pandas")
    usages = Usages.from_table(pandas.DataFrame(TOLD))
    assert further(usages) == KEPT
    assert Usages.from_table(usages.to_pandas()).table.equals(usages.table)


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_gives_them_back(tmp_path, suffix):
    usages = Usages.from_records(TOLD)
    usages.write(tmp_path / f"usages{suffix}")
    assert read(tmp_path / f"usages{suffix}").table.equals(usages.table)


odd = [*sorted(FOUND | PASSING), "tau_given", "lemma", "context", 'a"b', "a,b", "a;b", "*", "^.*$"]
names = st.sampled_from(odd) | st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=5
).filter(lambda name: name not in usage())
values = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('\t\n"'))


@pytest.mark.parametrize("suffix", FORMATS)
@settings(max_examples=40, deadline=None)
@given(more=st.dictionaries(names, values, max_size=6))
def test_whatever_they_are_called(tmp_path_factory, suffix, more):
    usages = Usages.from_records([more | usage()])
    assert usages.table.columns[:6] == list(usage())
    told = [value for value in more.values() if value.strip()]
    assert sorted(value for (value,) in further(usages).values()) == sorted(told)
    path = tmp_path_factory.mktemp("usages") / f"usages{suffix}"
    usages.write(path)
    assert read(path).table.equals(usages.table)


def test_select_and_concat_keep_them():
    usages = Usages.from_records(TOLD)
    assert further(usages.select(period="new"))["note"] == ["x\ty"]
    other = Usages.from_records([usage(id="c", year="MCM", place="York")])
    both = further(Usages.concat([usages, other]))
    assert both["year"] == ["1815", None, "MCM"]
    assert both["place"] == [None, None, "York"]
    assert both["author"] == ["Ann, of York", None, None]


def test_names_that_a_study_needs_are_given_another():
    usages = Usages.from_records([usage(tau="1", tau_given="2", sense="s", cluster="3", usage="4")])
    assert further(usages) == {
        "sense": ["s"], "tau_given_given": ["1"], "tau_given": ["2"], "cluster_given": ["3"],
        "usage_given": ["4"],
    }  # fmt: skip
    assert not set(rename([*FOUND, *PASSING]).values()) & (FOUND | PASSING)


def test_a_study_of_usages_with_such_names_keeps_both():
    from senseshift import compare

    records = [
        usage(id=str(k), period="old" if k < 3 else "new", sus="mine", author=f"A{k}")
        for k in range(6)
    ]
    study = compare(
        Usages.from_records(records),
        np.random.default_rng(0).normal(size=(6, 4)),
        measures=["f_SUS"],
    )
    assert study.instances["sus"].dtype == pl.Float64
    assert study.instances["sus_given"].to_list() == ["mine"] * 6
    assert study.instances["author"].to_list() == [f"A{k}" for k in range(6)]


def test_what_is_nested_becomes_json_and_bytes_are_told(tmp_path):
    line = usage(tags=["x", {"y": 1}], place={"town": "York"})
    (tmp_path / "usages.jsonl").write_text(json.dumps(line))
    assert further(read(tmp_path / "usages.jsonl")) == {
        "tags": ['["x", {"y": 1}]'], "place": ['{"town": "York"}']
    }  # fmt: skip
    frame = pl.DataFrame([usage(tags=["x", "y"], place={"town": "York"}, scan=b"\xff\xd8")])
    frame.write_parquet(tmp_path / "usages.parquet")
    usages = read(tmp_path / "usages.parquet")
    assert further(usages) == {"tags": ['["x", "y"]'], "place": ['{"town": "York"}']}
    assert "the column scan was left out" in usages.dropped[0]


def test_columns_without_a_name_say_nothing(tmp_path):
    (tmp_path / "usages.csv").write_text(
        ",word,period,id,text,start,end,,\n0,cell,old,a,cell,0,4,,\n1,cell,old,b,cell,0,4,,\n"
    )
    assert further(read(tmp_path / "usages.csv")) == {}


def test_word_usage_graphs_keep_theirs_there_and_back(tmp_path):
    place = tmp_path / "graphs" / "data" / "cell_nn"
    place.mkdir(parents=True)
    (place / "uses.csv").write_text(
        "lemma\tpos\tdate\tgrouping\tidentifier\tdescription\tcontext\tindexes_target_token\t"
        "indexes_target_sentence\tcontext_pos\tauthor\ttext\tsense\n"
        "cell_nn\tnn1\t1815\t1\ta\t \tA cell.\t2:6\t0:7\tAT NN\tAnn\tletters.txt\tx\n"
    )
    expected = {"date": ["1815"], "sense": ["x"], "pos": ["nn1"], "author": ["Ann"]}
    expected["text_given"] = ["letters.txt"]
    usages = read(tmp_path / "graphs")
    assert further(usages) == expected
    assert usages.target(0) == "cell"
    wug.write(usages.table, tmp_path / "again")
    assert read(tmp_path / "again").table.equals(usages.table)
    clusters = tmp_path / "graphs" / "clusters" / "opt"
    clusters.mkdir(parents=True)
    (clusters / "cell_nn.csv").write_text("identifier\tcluster\na\t7\n")
    assert further(read(tmp_path / "graphs")) == {**expected, "sense": ["7"], "sense_given": ["x"]}


def test_a_table_without_any_known_column_is_told_from_a_corpus(tmp_path):
    for name, text in (
        ("sotu.csv", "president,year,speech\nAdams,1797,Fellow citizens\n"),
        ("sotu.jsonl", '{"president": "Adams", "year": 1797, "speech": "Fellow citizens"}\n'),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(
            InputError,
            match=f"{name}: the columns word, period, id, text, start, end are missing; expected .*"
            "found president, year, speech; .* a corpus: give it with --old and --new.$",
        ):
            read(tmp_path / name)
