"""Evaluation: gold senses, the paper's tuning protocol and its tables.

>>> from senseshift.evaluation import reproduce
>>> result = reproduce("dwug_en", "vectors.npy")  # doctest: +SKIP
>>> result.gold.usages  # τ* of every usage  # doctest: +SKIP
>>> result.write("out")  # tables and figures  # doctest: +SKIP

Everything is computed twice, on the same splits: corrected, and with ``compat`` as in the published
scripts in all that changes a printed digit. These

* solve transport by 1,000 iterations of majorisation-minimisation;
* take f* and the shares of senses from ``stats_groupings``, shares rounded and each sense's at the
  place of its label, which in DWUG EN is another sense's for some;
* give f_2 and g_1 a threshold for each word, and try all λ with them;
* relabel WiDiD's clusters one after the other, which merges some, take labels for places among the
  sorted labels, let the first usage stand for all where there are no clusters, and replace infinite
  τ by the extremes of the words that are being evaluated;
* count a set of usages that leaves nothing to rank as a correlation of 0.

Our own methods (:mod:`senseshift.evaluation.ours`) stand below the paper's, on the same splits.
"""

from senseshift.evaluation.cells import Table
from senseshift.evaluation.gold import Gold
from senseshift.evaluation.reproduction import Reproduction, check_place
from senseshift.evaluation.running import reproduce

__all__ = ["Gold", "Reproduction", "Table", "check_place", "reproduce"]
