"""How numbers read, in a terminal, a picture, a page and a table alike."""

from __future__ import annotations

import math

NOTHING = "–"  # what is not known
MINUS = "−"  # a minus that is one
NARROW = "\u00a0"  # between a number and its per cent sign, where no line may break


def number(value: float | None, *, sign: bool = False, minus: str = "-") -> str:
    """A measure, in four decimals or three figures; a dash for what can't be known.

    >>> number(0.25), number(-1234.5), number(None), number(float("inf"), sign=True)
    ('0.2500', '-1.23e+03', '–', '+∞')
    """
    if value is None or math.isnan(value):
        return NOTHING
    size = abs(value)
    if math.isinf(value):
        text = "∞"
    else:
        text = f"{size:.4f}" if size == 0.0 or 5e-5 <= size < 1000 else f"{size:.3g}"
    negative = value < 0 and text.strip("0.") != ""
    return (minus if negative else "+" if sign else "") + text


def signed(value: float, digits: int = 3, minus: str = MINUS) -> str:
    """A score of so many decimals with its sign.

    >>> signed(-0.0371)
    '−0.037'
    """
    return f"{value:+.{digits}f}".replace("-", minus)


def correlation(value: float) -> str:
    """A correlation in two decimals; a dash where there was nothing to rank."""
    return NOTHING if math.isnan(value) else f"{value:.2f}".replace("-", MINUS)


def error_bound(value: float) -> str:
    """A bound on an error, to one figure.

    >>> error_bound(2.7e-15)
    '3e-15'
    """
    return f"{value:.0e}"


def p_value(value: float | None, permutations: int) -> str:
    """A p-value; the least that so many permutations can give is told as such.

    >>> p_value(1 / 1001, 1000), p_value(0.25, 1000), p_value(None, 0)
    ('≤ 1/1001', '0.2500', '–')
    """
    if value is not None and permutations and value <= 1.000001 / (permutations + 1):
        return f"≤ 1/{permutations + 1}"
    return number(value)


def percent(share: float) -> str:
    """A share in whole per cent, never rounded to nothing or to all.

    >>> percent(0.306), percent(0.001), percent(0.999), percent(1.0)
    ('31\\xa0%', '< 1\\xa0%', '> 99\\xa0%', '100\\xa0%')
    """
    if 0.0 < share < 0.01:
        return f"< 1{NARROW}%"
    if 0.99 < share < 1.0:
        return f"> 99{NARROW}%"
    return f"{share:.0%}".replace("%", f"{NARROW}%")


def plural(count: int, noun: str) -> str:
    """So many of something.

    >>> plural(1, "word"), plural(1120, "usage")
    ('1 word', '1,120 usages')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"
