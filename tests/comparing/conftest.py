import pytest
from reading import usages_of


@pytest.fixture(scope="session")
def usages():
    return usages_of({"bank": (0.5, 0.5), "cell": (0.0, 0.6), "stone": (0.0, 0.0)})
