import pytest

from tiny_training import write_sources


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """What the scripts read; needs torch and transformers."""
    folder = tmp_path_factory.mktemp("training")
    write_sources(folder)
    return folder
