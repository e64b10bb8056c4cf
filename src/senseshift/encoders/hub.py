"""Models by name: on this machine if they are here, else from the Hugging Face hub, announced."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from senseshift.errors import InputError, MissingExtraError

# What a model needs, and not its copies for other frameworks.
WANTED = ["*.json", "*.txt", "*.model", "*.safetensors"]
PICKLED = "pytorch_model*.bin"
UNWANTED = ["onnx/*", "openvino/*", "coreml/*", "original/*"]


def extra(module: str, encoder: str) -> Any:
    """A module of the extra ``hf``; typed loosely, as it need not be installed to check types."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"The encoder {encoder} needs {error.name}, which is not installed: run "
            "pip install 'senseshift[hf]'."
        ) from None


def model_folder(name: str, *, offline: bool = False, needs: Sequence[str] = ()) -> Path:
    """The folder of a model, given itself or by the model's name on the hub.

    A model that is on this machine, whole, is taken without a look at the network. One that is not
    is downloaded, and a warning of the logger ``senseshift`` says so.

    Parameters
    ----------
    name
        A folder, or a name on the hub.
    offline
        Make it an error if the model is not on this machine.
    needs
        Files beside configuration and weights without which a model from the hub is not whole.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if name.startswith((".", "/", "~")) or "\\" in name or name.count("/") > 1:
        raise InputError(f"There is no folder {name}: give one, or a model's name on the hub.")
    hub = extra("huggingface_hub", name)
    try:
        local = Path(hub.snapshot_download(name, local_files_only=True))
        if _weights(local) and all((local / need).is_file() for need in ("config.json", *needs)):
            return local
    except (OSError, ValueError):
        pass  # It is not on this machine: to be downloaded.
    if offline:
        raise InputError(
            f"The model {name} is not on this machine (or not whole), and the network is not to be "
            "used: give the folder of a copy, or download it first."
        )
    return _download(hub, name)


def _download(hub: Any, name: str) -> Path:
    logging.getLogger("senseshift").warning(
        "The model %s is not on this machine: downloading it from the Hugging Face hub.", name
    )
    try:
        safe = any(file.endswith(".safetensors") for file in hub.list_repo_files(name))
        wanted = WANTED if safe else [*WANTED, PICKLED]
        folder = hub.snapshot_download(name, allow_patterns=wanted, ignore_patterns=UNWANTED)
    except Exception as error:  # Of the network, the hub or the disk: no common base.
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(
            f"The model {name} could not be downloaded from the Hugging Face hub ({reason}): check "
            "its name and the network, or give the folder of a copy."
        ) from error
    return Path(folder)


def _weights(folder: Path) -> bool:
    return any(folder.glob("*.safetensors")) or any(folder.glob(PICKLED))


def check_folder(folder: Path) -> None:
    """A folder must hold a configuration and weights to be a model's."""
    if not (folder / "config.json").is_file():
        raise InputError(f"The folder {folder} has no config.json: give one of a whole model.")
    if not _weights(folder):
        raise InputError(
            f"The folder {folder} has no weights (.safetensors or pytorch_model.bin): give one of "
            "a whole model."
        )


def called(kind: str, model: str) -> str:
    """An encoder's name: by the hub's name, or a folder's own, not by where it lies.

    >>> called("hf", "someone/model"), called("hf", "/home/me/models/mine")
    ('hf:someone/model', 'hf:mine')
    """
    path = Path(model).expanduser()
    return f"{kind}:{path.resolve().name if path.is_absolute() or path.is_dir() else model}"
