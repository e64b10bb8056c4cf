"""A transport that moves nothing: old and new usages are so far apart that matching costs more."""

import numpy as np
import pytest

from senseshift import Study, Usages, compare, figures, report


@pytest.fixture(scope="module")
def study():
    records = [
        {"word": word, "period": period, "id": f"{period}{k}", "text": f"{word} {period} {k}",
         "start": 0, "end": 4, "sense": period}
        for word in ("cell", "ball") for period in ("old", "new") for k in range(8)
    ]  # fmt: skip

    def apart(texts, spans):
        noise = np.random.default_rng(0).normal(size=(len(texts), 4))
        return np.eye(4)[[int("new" in text) for text in texts]] + 0.01 * noise

    return compare(Usages.from_records(records, periods=("old", "new")), apart, rho=0.3)


def test_every_usage_is_without_a_partner(study):
    assert study.arcs.height == 0
    assert study.arcs.columns == ["word", "old", "new", "old_id", "new_id", "mass"]
    assert study.instances["partner"].null_count() == 32
    assert study.instances["partner_share"].to_list() == [0.0] * 32
    sides = dict(study.instances.group_by("period").agg("sus").iter_rows())
    assert sides["old"] == pytest.approx([-1.0] * 16)
    assert sides["new"] == pytest.approx([1.0] * 16)
    assert study.words["certified"].all()


def test_it_is_saved_printed_shown_and_drawn(study, tmp_path):
    study.save(tmp_path / "study")
    loaded = Study.load(tmp_path / "study")
    assert loaded.arcs.equals(study.arcs)
    assert "cell" in str(loaded)
    assert len(loaded.top("cell", 3)) == 3
    assert report.write(loaded, tmp_path / "pages").is_file()
    drawn = figures.draw(loaded, ["cell"], tmp_path / "figures", formats=["svg"])
    assert any("plans" in file.name for file in drawn.files)
    for made in (loaded.map("cell"), loaded.plan("cell"), loaded.histogram("cell")):
        assert len(made.data)
    assert "cell" in loaded.concordance("cell")._repr_html_()
