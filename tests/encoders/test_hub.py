from __future__ import annotations

import logging

import pytest

hub = pytest.importorskip("huggingface_hub")

from senseshift.encoders.hub import model_folder  # noqa: E402
from senseshift.errors import InputError  # noqa: E402

NAME = "someone/model"


class FakeHub:
    """The hub with a model that is on the network, and perhaps on this machine."""

    def __init__(self, folder, *, local):
        self.folder, self.local, self.calls = folder, local, []

    def snapshot_download(self, name, local_files_only=False, **patterns):
        self.calls.append("local" if local_files_only else patterns)
        if local_files_only and not self.local:
            raise hub.errors.LocalEntryNotFoundError("not here")
        return str(self.folder)

    def list_repo_files(self, name):
        return [path.name for path in self.folder.iterdir()]


@pytest.fixture
def use(monkeypatch, tmp_path):
    def use(*, local, files=("config.json", "model.safetensors")):
        for name in files:
            (tmp_path / name).write_text("{}")
        fake = FakeHub(tmp_path, local=local)
        monkeypatch.setattr(hub, "snapshot_download", fake.snapshot_download)
        monkeypatch.setattr(hub, "list_repo_files", fake.list_repo_files)
        return fake

    return use


def test_what_is_on_this_machine_is_taken_silently(use, caplog):
    fake = use(local=True)
    with caplog.at_level(logging.WARNING, "senseshift"):
        assert model_folder(NAME) == fake.folder
    assert fake.calls == ["local"]
    assert caplog.records == []


def test_a_download_is_announced(use, caplog):
    fake = use(local=False)
    with caplog.at_level(logging.WARNING, "senseshift"):
        assert model_folder(NAME) == fake.folder
    assert [record.message for record in caplog.records] == [
        f"The model {NAME} is not on this machine: downloading it from the Hugging Face hub."
    ]
    assert fake.calls[0] == "local"
    assert "*.safetensors" in fake.calls[1]["allow_patterns"]
    # Weights once, and not as a pickle where there is a choice.
    assert not any("bin" in pattern for pattern in fake.calls[1]["allow_patterns"])


def test_pickled_weights_are_fetched_where_there_are_no_others(use):
    fake = use(local=False, files=("config.json", "pytorch_model.bin"))
    model_folder(NAME)
    assert "pytorch_model*.bin" in fake.calls[1]["allow_patterns"]


@pytest.mark.parametrize("files", [("config.json",), ("model.safetensors",)])
def test_half_a_model_on_this_machine_is_completed(use, files):
    fake = use(local=True, files=files)
    model_folder(NAME)
    assert len(fake.calls) == 2


def test_files_that_are_needed_besides_are_completed(use):
    fake = use(local=True)
    model_folder(NAME, needs=["modules.json"])
    assert len(fake.calls) == 2


def test_offline_never_downloads(use):
    fake = use(local=False)
    with pytest.raises(InputError, match="someone/model is not on this machine"):
        model_folder(NAME, offline=True)
    assert fake.calls == ["local"]


def test_a_download_that_fails_is_explained(use, monkeypatch):
    use(local=False)

    def fail(name):
        raise RuntimeError("no route to host\nmore")

    monkeypatch.setattr(hub, "list_repo_files", fail)
    with pytest.raises(InputError, match=r"could not be downloaded.*\(no route to host\): check"):
        model_folder(NAME)


def test_a_name_that_cannot_be_one_is_not_looked_up(tmp_path):
    with pytest.raises(InputError, match="There is no folder"):
        model_folder(str(tmp_path / "nothing"))


def test_the_real_hub_library_knows_what_is_not_here(tmp_path, monkeypatch):
    monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="is not on this machine"):
        model_folder(NAME, offline=True)
