"""Fixtures of the encoders' tests."""

from __future__ import annotations

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
