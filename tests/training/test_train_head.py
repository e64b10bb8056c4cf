"""What a head learns of what an encoder knows."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

WIDTH = 8


def usages(scripts, hanging, words=80, seed=0):
    """What two layers know of usages: the lower one their senses, the upper one their eras.

    Of some words senses hang together with eras.
    """
    chance = np.random.default_rng(seed)
    known, senses, eras, rows = [], [], [], []
    for word in range(words):
        sense, era = chance.integers(2, size=(2, 20))
        if word < hanging * words:
            era = np.where(chance.random(20) < 0.9, sense, era)
        states = 0.3 * chance.normal(size=(20, 2 * WIDTH))
        states[:, 0] += 0.6 * (2 * sense - 1)
        states[:, WIDTH] += 2 * era - 1
        rows.append(np.arange(20) + 20 * word)
        known.append(states)
        senses.append(sense)
        eras.append(era)
    known = torch.tensor(np.concatenate(known), dtype=torch.float32)
    known = torch.nn.functional.normalize(known, dim=1)
    return scripts("train_head").Labelled(known, np.concatenate(senses), np.concatenate(eras), rows)


def told_apart(vectors, of, labels):
    """How much nearer usages with the same label are, in a word."""
    cosine = vectors @ vectors.T
    nearer = []
    for rows in of.words:
        same = labels[rows][:, None] == labels[rows]
        near = cosine[rows][:, rows]
        nearer.append(near[same].mean() - near[~same].mean())
    return np.mean(nearer)


def test_it_reads_senses_where_they_are_known_and_less_of_eras(scripts, monkeypatch):
    """Though most words that teach would have it that an era tells a sense."""
    script = scripts("train_head")
    taught, unseen = usages(scripts, hanging=0.8), usages(scripts, hanging=0, seed=1)

    def tells(weight):
        vectors = torch.nn.functional.normalize(unseen.known @ weight.T, dim=1).numpy()
        return [told_apart(vectors, unseen, of) for of in (unseen.sense, unseen.era)]

    def learnt():
        torch.manual_seed(0)
        return script.learn(first, {scripts("kinds").READ: taught}, 200, 1e-2, 0.1, seed=0)

    first = script.main_directions(taught.known, layers=2, size=4)
    (sense_before, era_before), (sense_after, era_after) = tells(first), tells(learnt())
    assert era_before > sense_before  # an era is what stands out most
    assert sense_after > 1.0
    assert era_after < 0.25 * sense_after
    monkeypatch.setattr(script, "as_often", lambda same, across, weight: weight)
    assert era_after < 0.75 * tells(learnt())[1]


def test_pairs_of_two_eras_share_a_sense_as_often(scripts):
    chance = np.random.default_rng(0)
    same, across = (torch.from_numpy(chance.random(500) < part) for part in (0.6, 0.4))
    same &= ~across | torch.from_numpy(chance.random(500) < 0.3)
    weight = torch.from_numpy(chance.random(500))
    even = scripts("losses").as_often(same, across, weight)
    rates = [(even[of & same].sum() / even[of].sum()).item() for of in (across, ~across)]
    overall = (weight[same].sum() / weight.sum()).item()
    assert rates == pytest.approx([overall, overall])
    assert even.sum().item() == pytest.approx(weight.sum().item())
    alike = torch.ones(3, dtype=torch.bool)  # one sense, one era
    assert torch.equal(scripts("losses").as_often(alike, ~alike, weight[:3]), weight[:3])


def test_without_usages_that_were_read_it_says_what_to_do(scripts, tmp_path, monkeypatch):
    arrays = dict.fromkeys(("tokens", "bounds"), np.zeros(2)) | {"places": np.zeros((1, 3))}
    np.savez(tmp_path / "training.npz", **arrays, era=np.array([-1]))
    monkeypatch.setattr("sys.argv", ["train_head.py", "base", str(tmp_path), "model.onnx"])
    with pytest.raises(SystemExit, match=r"prepare\.py --read"):
        scripts("train_head").main()


def test_words_of_which_there_are_few_usages_teach_nothing(scripts, folder, tmp_path):
    script, kinds = scripts("train_head"), scripts("kinds")
    arrays = {
        "tokens": np.full(4, 7, dtype=np.uint16), "bounds": np.array([0, 4]),
        "places": np.array([[0, 1, 2]] * 9, dtype=np.int32),
        "lemma": np.array([0] * 6 + [1] * 3), "sense": np.arange(9), "group": np.arange(9),
        "family": np.arange(9), "fold": np.zeros(9), "kind": np.full(9, kinds.READ),
        "era": np.zeros(9, dtype=np.int8),
    }  # fmt: skip
    np.savez(tmp_path / "training.npz", **arrays)
    corpus = scripts("batches").Corpus(tmp_path / "training.npz")
    encoder = scripts("network").TargetEncoder(folder / "base", dropout=0.0)
    script.read_all(encoder, [2, 6])
    found = script.Labelled.of(encoder, corpus, kinds.READ)
    assert [rows.tolist() for rows in found.words] == [list(range(6))]
    assert found.known.shape == (9, 64)
    assert script.Labelled.of(encoder, corpus, kinds.WRITTEN) is None
