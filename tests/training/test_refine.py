"""What a released encoder is told to bring together."""

from types import SimpleNamespace

import numpy as np
import pytest

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
