from studies import small_study

from senseshift import Study


def test_what_chance_makes_is_kept_with_the_study(tmp_path):
    study = small_study()
    rows = study.chance.filter(word="cell")
    assert rows.height == 41
    assert rows["old_sus"].is_sorted()
    assert rows["new_sus"].is_sorted()
    found = study.words.filter(word="cell").row(0, named=True)
    assert rows["change"].min() <= found["change_by_chance"] <= rows["change"].max()
    study.save(tmp_path / "study")
    (tmp_path / "study" / "SHA256SUMS").unlink()
    (tmp_path / "study" / "chance.parquet").unlink()  # as an earlier version left it
    assert Study.load(tmp_path / "study").chance.height == 0
