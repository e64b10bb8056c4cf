import pytest
from making import COLUMNS

from senseshift.errors import InputError
from senseshift.evaluation.groupings import find_groupings, read_groupings

ROW = {
    "lemma": "cell_nn", "grouping": "1_2", "cluster_freq_dist1": "[3, 1]",
    "cluster_freq_dist2": "[2, 2]", "cluster_prob_dist1": "[0.75, 0.25]",
    "cluster_prob_dist2": "[0.5, 0.5]", "change_binary": "0", "change_graded": "0.18",
}  # fmt: skip


def written(folder, *rows, columns=COLUMNS, name="stats/opt/stats_groupings.csv"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(columns), *("\t".join(row.get(c, "") for c in columns) for row in rows)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def test_a_row_is_read_for_the_two_periods_only(tmp_path):
    path = written(tmp_path, {**ROW, "grouping": "1_3"}, ROW, {**ROW, "lemma": "be\u0301e_nn"})
    found = read_groupings(path, "1", "2")
    assert list(found) == ["cell_nn", "bée_nn"]
    cell = found["cell_nn"]
    assert (cell.old_counts, cell.new_shares) == ([3, 1], [0.5, 0.5])
    assert (cell.graded, cell.changed, cell.counted) == (0.18, False, True)


def test_what_a_file_does_not_say_is_not_known(tmp_path):
    path = written(tmp_path, {"lemma": "cell_nn"}, columns=("lemma", "change_binary"))
    cell = read_groupings(path, "1", "2")["cell_nn"]
    assert (cell.old_counts, cell.graded, cell.changed, cell.counted) == (None, None, None, False)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("cluster_freq_dist1", "3, 1", r"line 2, cluster_freq_dist1: expected a list"),
        ("cluster_freq_dist2", "[3, x]", r"line 2, cluster_freq_dist2: expected a list"),
        ("cluster_prob_dist1", "__import__('os')", r"expected a list of numbers"),
        ("cluster_prob_dist1", "[-1]", r"expected a list of numbers"),
        ("change_graded", "much", r"change_graded: expected a number, found 'much'"),
        ("change_binary", "2", r"change_binary: expected 0 or 1, found 2"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, column, value, message):
    path = written(tmp_path, {**ROW, column: value})
    with pytest.raises(InputError, match=message):
        read_groupings(path, "1", "2")


def test_a_file_without_lemmas_is_told(tmp_path):
    path = written(tmp_path, ROW, columns=("grouping", "change_binary"))
    with pytest.raises(InputError, match="expected the column lemma"):
        read_groupings(path, "1", "2")


def test_another_encoding_is_told(tmp_path):
    path = written(tmp_path, ROW)
    path.write_bytes(path.read_bytes().replace(b"cell", b"c\xe9ll"))
    with pytest.raises(InputError, match="expected UTF-8, found the byte 0xe9"):
        read_groupings(path, "1", "2")


def test_the_file_is_found_by_its_clustering(tmp_path):
    assert find_groupings(tmp_path, "opt") is None
    outside = written(tmp_path, ROW, name="stats/stats_groupings.tsv")
    assert find_groupings(tmp_path, "opt") == outside
    inside = written(tmp_path, ROW)
    assert find_groupings(tmp_path, "opt") == inside
    assert find_groupings(tmp_path, "other") == outside
