"""Usages: the occurrences of words in context that everything else is computed from.

>>> from senseshift.usages import Usages
>>> usages = Usages.from_records([
...     dict(word="cell", period="old", id="a", text="A monk's cell.", start=9, end=13),
...     dict(word="cell", period="new", id="b", text="The cells divide.", start=4, end=9),
... ])
>>> usages.target(1)
'cells'
>>> usages.periods
('old', 'new')
"""

from senseshift.usages.files import read
from senseshift.usages.table import Usages

__all__ = ["Usages", "read"]
