import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading import read_senses, usages_of

from senseshift import Study, Usages, compare, read
from senseshift.errors import InputError
from senseshift.usages import wug
from support import DATA

TEXT = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=20)
NAME = TEXT.map(str.strip).filter(bool)


def rows(usages):
    table = usages.table if isinstance(usages, Usages) else usages
    return table.sort("word", "period", "id").select(sorted(table.columns))


@pytest.fixture(scope="module")
def study(usages):
    return compare(usages, read_senses, measures=["f_SUS"])


def test_read_again_it_is_the_same_usages(study, usages, tmp_path):
    study.to_wug(tmp_path / "wug")
    again = read(tmp_path / "wug")
    assert rows(again).equals(rows(usages))
    assert again.periods == usages.periods
    assert {path.name for path in (tmp_path / "wug" / "data").iterdir()} == {
        "bank", "cell", "stone",
    }  # fmt: skip


def test_it_has_the_columns_that_annotation_needs(study, tmp_path):
    study.to_wug(tmp_path / "wug", ["cell"])
    header, first, *_ = (tmp_path / "wug/data/cell/uses.csv").read_text("utf-8").split("\n")
    row = dict(zip(header.split("\t"), first.split("\t"), strict=True))
    assert list(row) == [
        "lemma", "pos", "date", "grouping", "identifier", "description", "context",
        "indexes_target_token", "indexes_target_sentence",
    ]  # fmt: skip
    start, end = map(int, row["indexes_target_token"].split(":"))
    assert row["context"][start:end] == row["lemma"] == "cell"
    assert row["indexes_target_sentence"] == f"0:{len(row['context'])}"
    assert [path.name for path in (tmp_path / "wug/data").iterdir()] == ["cell"]


def test_a_usage_of_two_comparisons_is_written_once(tmp_path):
    first = usages_of({"cell": (0.0, 0.5)}, periods=("1800", "1900"))
    second = usages_of({"cell": (0.6, 0.0)}, periods=("2000", "x"))
    table = pl.concat([first.table, second.table]).filter(pl.col("period") != "x")
    study = compare(
        Usages(table, ("1800", "1900", "2000")), read_senses, measures=["f_SUS"], permutations=0
    )
    assert study.instances.height == 80
    study.to_wug(tmp_path / "wug")
    assert rows(read(tmp_path / "wug")).equals(rows(table))


def test_what_else_is_known_of_usages_is_kept(usages, tmp_path):
    known = usages.table.with_columns(author=pl.lit("Gaskell"), distance=pl.col("id"))
    given = Usages.from_table(known, periods=usages.periods)
    study = compare(given, read_senses, measures=["f_SUS"], permutations=0)
    assert study.instances["author"].unique().to_list() == ["Gaskell"]
    assert study.instances["distance_given"].equals(study.instances["id"], null_equal=True)
    study.to_wug(tmp_path / "wug")
    assert rows(read(tmp_path / "wug")).equals(rows(given))


def test_what_cannot_be_written_leaves_nothing(study, tmp_path):
    with pytest.raises(InputError, match="no word 'sell'"):
        study.to_wug(tmp_path / "wug", ["sell"])
    with pytest.raises(InputError, match="no usages to write"):
        study.to_wug(tmp_path / "wug", [])
    (tmp_path / "mine").mkdir()
    with pytest.raises(InputError, match="mine exists"):
        study.to_wug(tmp_path / "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.data())
def test_any_usages_come_back_with_blanks_for_what_the_layout_cannot_hold(tmp_path_factory, data):
    words = data.draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    records = []
    for word in words:
        for period in ("1", "2"):
            text = data.draw(TEXT)
            records.append(
                {
                    "word": word, "period": period, "id": f"{period} {word}", "text": text,
                    "start": 0, "end": data.draw(st.integers(1, len(text))),
                    "date": data.draw(st.sampled_from(["1815", None])),
                    "source": data.draw(st.sampled_from(["a book", None])),
                    "sense": data.draw(st.sampled_from(["0", "a sense", None])),
                }
            )  # fmt: skip
    usages = Usages.from_records(records, skip_bad=True)
    if not len(usages):
        return
    folder = tmp_path_factory.mktemp("any") / "wug"
    wug.write(usages.table, folder)
    again = read(folder)
    blank = pl.col("text", "word", "id").str.replace_all(r"[\t\r\n]", " ")
    assert rows(again).equals(rows(usages.table.with_columns(blank)))


def test_dwug_written_and_read_is_dwug(tmp_path):
    if not (DATA / "dwug_en_vectors.npy").exists():
        pytest.skip("DWUG EN does not lie beside the repository")
    usages = read(DATA / "dwug_en")
    words = ["plane_nn", "record_nn"]
    study = compare(usages, DATA / "dwug_en_vectors.npy", words=words, measures=["f_SUS"])
    study.save(tmp_path / "study")
    Study.load(tmp_path / "study").to_wug(tmp_path / "wug")
    assert rows(read(tmp_path / "wug")).equals(rows(usages.select(word=words)))
