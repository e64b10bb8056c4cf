import sys

import pytest

from senseshift.places import cache_folder


def test_the_users_choice_comes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SENSESHIFT_CACHE", "~/chosen")
    assert cache_folder() == tmp_path / "chosen"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
def test_else_it_is_where_the_system_keeps_caches(tmp_path, monkeypatch):
    monkeypatch.delenv("SENSESHIFT_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "senseshift"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "given"))
    assert cache_folder() == tmp_path / "given" / "senseshift"
