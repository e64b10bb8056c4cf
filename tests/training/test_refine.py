"""What a released encoder is told to bring together."""

from types import SimpleNamespace

import numpy as np
import pytest

from senseshift.encoders import load
from senseshift.encoders.resolve import BUNDLED
from tiny_training import run

pytest.importorskip("torch")
pytest.importorskip("transformers")


def test_closely_related_senses_are_one(scripts):
    kinds = scripts("kinds")
    rows = [  # kind, sense, group, family
        (kinds.IN_TEXT, 7, 0, 0),
        (kinds.IN_TEXT, 8, 0, 0),  # closely related to the first
        (kinds.IN_TEXT, 9, 1, 0),  # related
        (kinds.IN_TEXT, 10, 2, 1),  # not related
        (kinds.IN_TEXT, 11, -1, -1),  # nobody judged it
        (kinds.WRITTEN, 12, -1, -1),  # written with one sense
        (kinds.BARE, 13, -1, -1),  # words of one sense, which may stand in for each other
        (kinds.BARE, 14, -1, -1),
    ]
    kind, sense, group, family = np.array(rows).T
    corpus = SimpleNamespace(kind=kind, sense=sense, group=group, family=family)
    close, at_all = scripts("refine").together(corpus)
    assert close.tolist() == [0, 0, 1, 2, -1, 0, 13, 14]
    assert at_all.tolist() == [0, 0, 0, 1, -1, 0, 13, 14]


def test_weights_are_read_back_however_the_graph_was_evened(folder, scripts):
    """The network of the weights gives the vectors of the graph, of one with a head too."""
    import torch

    texts = [
        "They sat on the bank of the river.",
        "The bank lent her money, at a price.",
        "A bank.",
    ]
    spans = [(text.index("bank"), text.index("bank") + 4) for text in texts]
    (folder / "lines.txt").write_text("\n".join(texts * 9))
    network, refine = scripts("network"), scripts("refine")
    refine.save(network.TargetEncoder(folder / "base"), folder / "tiny.pt")
    for name, more in (("plain", []), ("evened", ["--texts", "lines.txt"])):
        run(folder, "export.py", "base", "tiny.pt", name, *more)
    headed = network.TargetEncoder(folder / "base")
    torch.manual_seed(0)
    headed.read_by({"2": torch.randn(16, 32), "6": torch.randn(16, 32)})
    refine.save(headed, folder / "tiny_head.pt")
    run(folder, "export.py", "base", "tiny_head.pt", "with_head", "--texts", "lines.txt")
    windows = []
    for text, (start, _) in zip(texts, spans, strict=True):
        found = scripts("prepare").tokenizer_in(BUNDLED / "tokenizer.json").encode(text)
        first = next(k for k, (begin, _) in enumerate(found.offsets) if begin == start and k)
        windows.append((np.array(found.ids[1:-1]), first - 1, first))
    for graph in (folder / "plain", folder / "evened", folder / "with_head"):
        encoder = refine.released(folder / "base", refine.weights_in(graph / "model.onnx"), 0.0)
        with torch.no_grad():
            read = encoder.eval()(windows).numpy()
        given = load(f"onnx:{graph}").encode(texts, spans)
        given = given / np.linalg.norm(given, axis=1, keepdims=True)
        assert (read * given).sum(axis=1).min() > 0.98
    with pytest.raises(SystemExit, match="all in eight bits"):
        refine.weights_in(BUNDLED / "model.onnx")  # its weights have four
