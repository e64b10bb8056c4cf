import pytest

from clusters import store  # noqa: F401
from senseshift.storage import Folder


@pytest.fixture(params=["disk", "store"])
def folder(request, tmp_path):
    """A folder of either kind, in which nothing is yet."""
    if request.param == "disk":
        return Folder.at(tmp_path / "study")
    return Folder.at(f"{request.getfixturevalue('store')}/{tmp_path.name}")
