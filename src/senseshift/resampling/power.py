"""What samples of a size can show at all."""

from __future__ import annotations

from functools import lru_cache
from math import lgamma, log

from scipy.special import betaincinv

LEVEL = 0.05
POWER = 0.8
HALF = 0.5  # a sense of half a side's usages that would be missed: then nothing can be said
# Of induced senses, by held-out words with planted changes (training/choose.py): the part of a
# sense's usages that one induced sense has, beyond what it has of the others, and the smallest
# share that is told however many usages there are.
AGREEMENT, LEAST = 0.6, 0.15


def detectable(old: int, new: int, *, induced: bool = True) -> float:
    """The smallest share of a sense that came or went and would be told, four times of five.

    For so many old and new usages, or documents where usages of one hang together.  Induced senses
    hold only a part of what they should, so a change must be so much larger than where senses are
    known; 1 where not even a sense of all usages would be found.
    """
    best = at_best(old, new)
    return min(1.0, max(best / AGREEMENT, LEAST)) if induced else best


@lru_cache(maxsize=4096)
def at_best(old: int, new: int, *, power: float = POWER, level: float = LEVEL) -> float:
    """The same by Fisher's exact test where all senses are known: no method detects less."""
    return max(_share(old, new, power, level), _share(new, old, power, level))


def few(old: int, new: int) -> bool:
    """Whether the usages are too few to say anything: even half of a side would be missed."""
    return at_best(old, new) > HALF


def _share(without: int, having: int, power: float, level: float) -> float:
    """The share that a sense needs on one side to be found, where the other side has none of it."""
    if without < 1 or having < 1:
        return 1.0
    needed = next(
        (k for k in range(1, having + 1) if _log_p(k, without, having) <= log(level / 2)), None
    )
    if needed is None:
        return 1.0
    # At this share a sample has so many usages of the sense or more with the wanted chance.
    return float(betaincinv(needed, having - needed + 1, power))


def _log_p(k: int, without: int, having: int) -> float:
    """Log of the chance that k usages dealt to both sides at random all come to the one."""
    total = without + having
    return lgamma(having + 1) - lgamma(having - k + 1) - lgamma(total + 1) + lgamma(total - k + 1)
