"""Evaluation: gold senses, the paper's tuning protocol and its tables.

>>> from senseshift.evaluation import reproduce
>>> result = reproduce("dwug_en", "vectors.npy")  # doctest: +SKIP
>>> result.gold.usages  # τ* of every usage  # doctest: +SKIP
>>> result.write("out")  # doctest: +SKIP
"""

from senseshift.evaluation.gold import Gold
from senseshift.evaluation.reproduce import Reproduction, reproduce
from senseshift.evaluation.table import Table

__all__ = ["Gold", "Reproduction", "Table", "reproduce"]
