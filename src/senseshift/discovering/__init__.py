"""Discovering: two corpora in, a study of the words that changed out."""

from senseshift.discovering.driver import discover

__all__ = ["discover"]
