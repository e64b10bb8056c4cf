"""The study: what was found about words, as tables, printed, saved as a folder and read again."""

from senseshift.study.study import Study

__all__ = ["Study"]
