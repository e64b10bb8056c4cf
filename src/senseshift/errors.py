"""What can go wrong, by name.

Every error that a wrong input can cause is a :class:`SenseshiftError`; its message is one sentence
that says what was expected, what was found and what to do.
"""


class SenseshiftError(Exception):
    """Base of all errors raised on purpose by senseshift."""


class InputError(SenseshiftError, ValueError):
    """An argument or a file cannot be used as it is."""


class MissingExtraError(SenseshiftError, ImportError):
    """A part of senseshift that is installed only on request is needed and not there."""


class UncertifiedWarning(UserWarning):
    """A transport whose error could not be bounded by what we promise; it says by how much."""


class LanguageWarning(UserWarning):
    """Usages in a language that the encoder does not know; it says how many and what to do."""


class UnreadWarning(UserWarning):
    """Files of a corpus that were not read; it says how many, which and why."""


class NamesWarning(UserWarning):
    """Words of whose matches many look like names; it says which, and what to do."""


class ClusterWarning(UserWarning):
    """A cluster that lacks what units need; it says what, and what to do."""


def shortened(text: str, width: int = 80) -> str:
    """What an error quotes from input: on one line, and no more than a reader wants of it.

    >>> shortened("a line of fifty megabytes", width=10), shortened("a column\\nof two lines")
    ('a line of…', 'a column of two lines')
    """
    kept = text if len(text) <= width else text[: width - 1] + "…"
    return " ".join(kept.splitlines())
