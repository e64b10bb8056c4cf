"""Findings: what may be said of words; saved with the study, and shown everywhere alike."""

from senseshift.findings.finding import SenseFinding, WordFinding, statement_of, word_finding
from senseshift.findings.statement import CHANGED, VERDICTS, Change, said

__all__ = [
    "CHANGED",
    "VERDICTS",
    "Change",
    "SenseFinding",
    "WordFinding",
    "said",
    "statement_of",
    "word_finding",
]
