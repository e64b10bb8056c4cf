"""Finding usages of words in raw corpora.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from senseshift.corpus import find
>>> with TemporaryDirectory() as folder:
...     old, new = Path(folder, "old.txt"), Path(folder, "new.txt")
...     _ = old.write_text("The monk sat in his cell.")
...     _ = new.write_text("Cells divide.")
...     usages = find({"old": old, "new": new}, ["cell"])
>>> [usages.target(row) for row in range(len(usages))]
['cell', 'Cells']
"""

from senseshift.corpus.finding import find
from senseshift.corpus.sampling import MAX_USAGES
from senseshift.corpus.targets import word_list
from senseshift.corpus.vocabulary import draw_controls, vocabulary

__all__ = ["MAX_USAGES", "draw_controls", "find", "vocabulary", "word_list"]
