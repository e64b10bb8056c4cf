"""Fixtures of the encoders' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tiny_models import TinyGraph, write_graph


@pytest.fixture(scope="session")
def graph(tmp_path_factory: pytest.TempPathFactory) -> TinyGraph:
    return write_graph(tmp_path_factory.mktemp("onnx") / "tiny")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the cache of whoever runs it."""
    monkeypatch.setenv("SENSESHIFT_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """One thread for torch: models this small lose by more."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
