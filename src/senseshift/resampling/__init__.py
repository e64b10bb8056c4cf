"""Resampling of one word's usages: what chance explains, and how far figures can be trusted.

It knows costs, sides and whole numbers for documents, and no words, texts or files.  Everything
about a word comes from one draw of permutations (:func:`permute`) and one of parts of the usages
(:func:`standard_errors`).
"""

from senseshift.resampling.bootstrap import interval, standard_errors
from senseshift.resampling.conformal import conformal_p, exceeds, q_values
from senseshift.resampling.deals import Dealer, pair
from senseshift.resampling.discrete import attainable, discrete_q_values
from senseshift.resampling.dispersion import Dispersion, disperse
from senseshift.resampling.permutation import Null, Permuted, permute
from senseshift.resampling.power import detectable, few

__all__ = [
    "Dealer",
    "Dispersion",
    "Null",
    "Permuted",
    "attainable",
    "conformal_p",
    "detectable",
    "discrete_q_values",
    "disperse",
    "exceeds",
    "few",
    "interval",
    "pair",
    "permute",
    "q_values",
    "standard_errors",
]
