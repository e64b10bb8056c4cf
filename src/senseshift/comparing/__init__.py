"""Comparing: usages and an encoder in, a study out."""

from senseshift.comparing.driver import Interrupted, compare

__all__ = ["Interrupted", "compare"]
