"""Data sets for research on change of meaning, fetched from where their authors put them.

>>> from senseshift.datasets import DATASETS
>>> DATASETS["dwug-en"].record
14028531
"""

from senseshift.datasets.fetching import Fetched, fetch
from senseshift.datasets.records import DATASETS, Dataset

__all__ = ["DATASETS", "Dataset", "Fetched", "fetch"]
