"""Where on this machine things are kept that can be made or fetched again."""

from __future__ import annotations

import os
from pathlib import Path

CHOSEN = "SENSESHIFT_CACHE"  # environment variable: the folder instead of the system's


def cache_folder() -> Path:
    """Where caches belong on this machine; ``SENSESHIFT_CACHE`` overrides it."""
    if chosen := os.environ.get(CHOSEN):
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    # On Windows a folder of that name beside others would be put around it and in it.
    return user_cache_path("senseshift", appauthor=False, opinion=False)
