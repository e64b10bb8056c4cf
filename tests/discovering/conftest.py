import pytest
from made_up import write

from clusters import crew, store  # noqa: F401


@pytest.fixture(scope="session")
def corpora(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora")
    return {period: write(folder, period) for period in ("old", "new")}
