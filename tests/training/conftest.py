import importlib
import sys

import pytest

from tiny_training import TRAINING, write_sources


@pytest.fixture(scope="session")
def scripts():
    """Imports a script of training by its name."""

    def imported(name):
        sys.path.insert(0, str(TRAINING))
        try:
            return importlib.import_module(name)
        finally:
            sys.path.remove(str(TRAINING))

    return imported


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """What the scripts read; needs torch and transformers."""
    folder = tmp_path_factory.mktemp("training")
    write_sources(folder)
    return folder
