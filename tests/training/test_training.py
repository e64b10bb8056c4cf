"""From texts to an encoder: every script of the training, in its order, on very little."""

import json

import numpy as np
import pytest

from senseshift.encoders import load
from senseshift.encoders.resolve import BUNDLED
from tiny_training import run

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


def test_an_encoder_comes_of_it(folder, scripts):
    given = ["usages.jsonl.gz", "dict", "webster.jsonl.gz", "webster.txt", "written"]
    run(folder, "prepare.py", *given, BUNDLED / "tokenizer.json", "dev.json.gz", "work",
        "--related", "related.txt", "--read", "read.tsv")  # fmt: skip
    corpus = np.load(folder / "work/training.npz")
    assert sorted(set(corpus["kind"])) == [0, 1, 3, 4, 5, 6]
    read = corpus["kind"] == 6
    assert (read.sum(), (read & (corpus["fold"] < 0)).sum()) == (8 * 6, 2 * 6)
    # Words of the written test are in no fold, whatever text they stand in.
    assert (corpus["fold"] < 0).sum() > 4 * 8
    # Twenty written words were judged, and both senses of every other one are one.
    of = ("lemma", "sense", "group")
    judged = {row for row in zip(*(corpus[n].tolist() for n in of), strict=True) if row[2] >= 0}
    assert (len(judged), sum(group == 1 for *_, group in judged)) == (40 + 16, 10 + 8)

    few = ["--steps", 3, "--lemmas", 8]
    others = ["--single", 1, "--disguised", 2]
    for fold, more in ((0, ["--related"]), (1, others)):
        run(folder, "train_teacher.py", "base", "work", "--fold", fold, "--name", f"t{fold}", *few,
            *more)  # fmt: skip
    teachers = ["t0", "t1", "t0", "t1"]
    run(folder, "train_student.py", "base", "work", *teachers, "--name", "s", "--bare", 2, *few,
        "--averaged", 2, "--four-bits")  # fmt: skip
    last = json.loads((folder / "work/s.jsonl").read_text().splitlines()[-1])
    sets = {"mcl_dev", "wic_dev", "held_out", "written", "read"}
    assert sets < last.keys()
    assert all(0 <= last[name] <= 1 for name in sets)

    run(folder, "export.py", "base", "work/s.pt", "made", "--name", "tiny", "--layers", 2,
        "--embeddings", 4)  # fmt: skip
    encoder = load(f"onnx:{folder / 'made'}")
    assert encoder.name == "tiny"
    assert encoder.encode(["the bank"], [(4, 8)]).shape == (1, 32)
    names = {weight.name for weight in _weights(folder / "made/model.onnx")}
    assert "encoder.layer.6.output.dense.bias" in names  # six layers, one of them twice
    line = run(folder, "evaluate.py", "dev.json.gz", "written/test.txt", f"onnx:{folder / 'made'}")
    assert [part.split()[0] for part in line.strip().split("  ")[1:]] == [
        "mcl_dev", "wic_dev", "written", "change",
    ]  # fmt: skip

    with pytest.raises(SystemExit, match="no graph of"):  # words in four bits
        scripts("refine").weights_in(folder / "made/model.onnx")
    run(folder, "export.py", "base", "work/s.pt", "eight")
    run(folder, "refine.py", "base", "work", "eight/model.onnx", "--name", "r", "--kept", 5, *few,
        *others, "--among", 0.5, "--related")  # fmt: skip
    run(folder, "export.py", "base", "work/r.pt", "refined")
    before, after = (_matrices(folder / name / "model.onnx") for name in ("eight", "refined"))
    assert before.keys() == after.keys()
    changed = {name for name in before if not np.array_equal(before[name], after[name])}
    # Words and lower layers are as they were, and something was learnt above.
    assert {name.split(".")[2] for name in changed if name.startswith("encoder.")} <= {"5", "6"}
    assert any(name.startswith("encoder.layer.6") for name in changed)
    assert "embeddings.word_embeddings.weight" not in changed

    # A batch may be of usages alone that were read, which have no old cosines to keep.
    run(folder, "refine.py", "base", "work", "eight/model.onnx", "--name", "only", *few, *others,
        "--related", "--read", 1e9)  # fmt: skip
    for line in (folder / "work/only.jsonl").read_text().splitlines():
        assert np.isfinite(json.loads(line)["loss"])

    # A head changes nothing of what it reads, and makes shorter vectors of it.
    run(folder, "train_head.py", "base", "work", "eight/model.onnx", "--name", "h", "--size", 16,
        "--layers", 7, 3, "--steps", 20)  # fmt: skip
    run(folder, "export.py", "base", "work/h.pt", "headed", "--texts", "sentences.txt")
    assert load(f"onnx:{folder / 'headed'}").encode(["the bank"], [(4, 8)]).shape == (1, 16)
    run(folder, "export.py", "base", "work/h.pt", "plain")
    headed = _matrices(folder / "plain/model.onnx")
    assert {name for name in headed if name.startswith("head.")} == {
        "head.3.weight", "head.3.scale", "head.7.weight", "head.7.scale",
    }  # fmt: skip
    for name, weight in before.items():
        if name.startswith("encoder.") and name.endswith(".weight"):
            np.testing.assert_allclose(headed[name], weight, atol=1)  # read back and rounded again
    run(folder, "export.py", "base", "work/h.pt", "whole", "--bits", "float")
    eight, whole = (
        load(f"onnx:{folder / name}").encode(["the bank"], [(4, 8)])[0]
        for name in ("headed", "whole")
    )
    assert eight @ whole > 0.98 * np.linalg.norm(eight) * np.linalg.norm(whole)
    read = scripts("refine").weights_in(folder / "headed/model.onnx")
    assert read["head.7.weight"].shape == (16, 32)

    # A student may go on from a graph, its head included.
    run(folder, "train_student.py", "base", "work", *teachers, "--name", "on", "--bare", 2, *few,
        "--start", "headed/model.onnx")  # fmt: skip
    further = torch.load(folder / "work/on.pt", weights_only=True)
    assert further["head.7.weight"].shape == (16, 32)
    moved = further["head.7.weight"].float() - read["head.7.weight"]
    assert 0 < moved.abs().max() < 0.5 * read["head.7.weight"].abs().max()


def _matrices(path):
    from onnx import numpy_helper

    return {weight.name: numpy_helper.to_array(weight) for weight in _weights(path)}


def _weights(path):
    import onnx

    return onnx.load(path).graph.initializer
