"""Every measure of the paper, from vectors or from a cost matrix.

>>> import numpy as np
>>> from senseshift import measures
>>> rng = np.random.default_rng(0)
>>> old, new = rng.normal(size=(30, 8)), rng.normal(size=(40, 8)) + 1.0
>>> word = measures.Comparison(old, new, rho=1.0)
>>> sorted(measures.measure(word, ["f_SUS", "f_APD"]))
['f_APD', 'f_SUS']
"""

from senseshift.measures.comparison import Comparison, share_threshold
from senseshift.measures.form import f_apd, f_prt
from senseshift.measures.frequencies import (
    SenseFrequencies,
    entropy_difference,
    impute,
    jsd,
    sense_frequencies,
    tau,
    usage_tau,
)
from senseshift.measures.registry import (
    EXCESS,
    INSTANCE,
    WORD,
    Measure,
    UsageMeasure,
    WordMeasure,
    every_measure,
    measure,
    measure_usages,
)
from senseshift.measures.scores import f_1, f_2, g_1, log_variance_ratio, mean_difference, threshold
from senseshift.measures.vmf import VonMisesFisher, g_vmf, ldr, representativeness
from senseshift.measures.widid import cluster_periods, f_apdp, f_widid, g_widid

__all__ = [
    "EXCESS",
    "INSTANCE",
    "WORD",
    "Comparison",
    "Measure",
    "SenseFrequencies",
    "UsageMeasure",
    "VonMisesFisher",
    "WordMeasure",
    "cluster_periods",
    "entropy_difference",
    "every_measure",
    "f_1",
    "f_2",
    "f_apd",
    "f_apdp",
    "f_prt",
    "f_widid",
    "g_1",
    "g_vmf",
    "g_widid",
    "impute",
    "jsd",
    "ldr",
    "log_variance_ratio",
    "mean_difference",
    "measure",
    "measure_usages",
    "representativeness",
    "sense_frequencies",
    "share_threshold",
    "tau",
    "threshold",
    "usage_tau",
]
