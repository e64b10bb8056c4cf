import pytest

from senseshift.errors import InputError
from senseshift.evaluation.methods import METHODS
from senseshift.evaluation.published import DATA_SETS, Published


@pytest.mark.parametrize(
    ("name", "data_set"),
    [("dwug_en", "dwug_en"), ("DWUG-ES-4.0.0", "dwug_es"), ("dwug_de", None), ("x", None)],
)
def test_a_folder_is_known_by_its_name(tmp_path, name, data_set):
    assert Published.for_folder(tmp_path / name).data_set == data_set


def test_numbers_of_the_paper():
    english, spanish = Published("dwug_en"), Published("dwug_es")
    assert english.number("2", "tau_WiDiD", "sense") == 0.84
    assert english.number("9", "tau_LDR", "instance_changed") == 0.34
    assert english.number("3", "f_PRT", "spearman") is None
    assert spanish.number("4", "g_1", "spearman") == 0.45
    assert english.number("6", "f_3", "lambda_10") == -0.23
    assert (english.best_share("g_1", "lambda_100"), english.best_share("f_1", "lambda_1")) == (
        0.5, None,
    )  # fmt: skip
    assert english.selected("f_2") == ((10, 0.8), 78)
    assert spanish.selected("f_2") is None
    assert "2" in english
    assert "2" not in spanish
    assert "3" not in Published()


def test_methods_are_called_as_ours():
    for tables in DATA_SETS.values():
        for rows in tables.values():
            assert set(rows) <= set(METHODS)


def test_what_was_not_published_is_told():
    with pytest.raises(InputError, match="there are those of dwug_en, dwug_es"):
        Published("dwug_sv")
