"""The study: usages in, a table of words and a table of usages out, saved as a folder.

>>> from senseshift import Usages, compare
>>> records = [
...     dict(word="cell", period=p, id=f"{p}{k}", text=f"{k} cell", start=2, end=6)
...     for p in ("old", "new") for k in range(4)
... ]
>>> study = compare(
...     Usages.from_records(records),
...     lambda texts, spans: [[1.0, float(text[0])] for text in texts],
...     measures=["f_SUS", "g_SUS"],
... )
>>> study.words["f_SUS"].round(6).to_list()
[0.0]
"""

from senseshift.study.compare import Interrupted, compare
from senseshift.study.study import Study

__all__ = ["Interrupted", "Study", "compare"]
