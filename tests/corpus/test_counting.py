import polars as pl
import pytest

from senseshift.corpus import draw_controls, vocabulary


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """Two small corpora in which the words of a series are each half as frequent as the last."""
    folder = tmp_path_factory.mktemp("corpora")
    common = [f"zq{chr(97 + k)}" for k in range(17)]
    series = ["houses", "river", "stone", "garden", "winter", "horse", "letter"]
    texts = {}
    for period in ("old", "new"):
        lines = []
        for k in range(2_000):
            words = [common[k % 17], common[(k + 5) % 17]]
            words += [word for power, word in enumerate(series) if k % 2**power == 0]
            lines.append(f"Then {' '.join(words)} and Rivers came to London natuq.")
        texts[period] = folder / f"{period}.txt"
        texts[period].write_text("\n".join(lines))
    return texts


def test_forms_are_counted_by_lemma_and_names_apart(corpora):
    counts = vocabulary(corpora)
    assert set(counts["period"]) == {"old", "new"}
    of = {(word, period): (count, names) for word, period, count, names in counts.iter_rows()}
    assert of["house", "old"] == (2_000, 0)
    assert of["stone", "new"] == (500, 0)
    assert of["river", "old"] == (1_000 + 2_000, 2_000)  # Rivers, inside a sentence
    assert of["london", "old"] == (2_000, 2_000)


def test_controls_are_as_frequent_as_the_targets_and_none_of_them(corpora, monkeypatch):
    monkeypatch.setattr("senseshift.corpus.counting.COMMONEST", 0)
    counts = vocabulary(corpora)
    drawn = draw_controls(counts, ["garden"], 2)
    assert set(drawn) == {"stone", "winter"}
    assert "garden" not in draw_controls(counts, ["garden", "stone"], 50)
    assert not {"london", "natuq", "river"} & set(draw_controls(counts, ["garden"], 50))
    assert draw_controls(counts, ["garden"], 3, seed=1) == draw_controls(
        counts.sample(fraction=1.0, shuffle=True, seed=4), ["garden"], 3, seed=1
    )


def test_nothing_to_draw_from():
    empty = pl.DataFrame(
        {"word": ["a", "a"], "period": ["old", "new"], "count": [1, 1], "names": [0, 0]}
    )
    assert draw_controls(empty, ["a"], 5) == []
