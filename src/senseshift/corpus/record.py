"""What a search reads, and how much of it, written down as it goes."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

from senseshift.corpus.files import ABOUT, File, Unread
from senseshift.corpus.lines import Source
from senseshift.corpus.sampling import Sample
from senseshift.corpus.targets import Target
from senseshift.errors import NamesWarning, UnreadWarning
from senseshift.reading import printable
from senseshift.usages.corpora import COUNTS, FILES, SIZES, UNREAD, Corpora, table
from senseshift.usages.problems import Problems

SHOWN = 5
# Of a word's matches, and how many there must be: fewer names are no reason to worry.
MANY_NAMES, LEAST = 0.2, 5


class Size:
    """Running words and documents; a document is what comes in a row from one source."""

    __slots__ = ("documents", "last", "tokens")

    def __init__(self) -> None:
        self.documents = self.tokens = 0
        self.last: str | None = None

    def add(self, source: str, tokens: int) -> None:
        """Count a block."""
        self.tokens += tokens
        if source != self.last:
            self.last = source
            self.documents += 1


class Record:
    """The record of a search: see :class:`~senseshift.usages.corpora.Corpora`."""

    def __init__(
        self, settings: dict[str, Any], order: tuple[str, ...], unread: list[Unread]
    ) -> None:
        self._settings, self._unread = settings, unread
        self._files: list[tuple[Any, ...]] = []
        self.sizes = {period: Size() for period in order}
        self.names: Counter[tuple[str, str]] = Counter()
        self.outside = 0
        self._warned: list[str] = []  # a study keeps them
        self._warn_unread()

    def _warn_unread(self) -> None:
        reasons: dict[str, list[str]] = {}
        for unread in self._unread:
            if unread.reason != ABOUT:  # which is never what was meant to be read
                reasons.setdefault(unread.reason, []).append(printable(unread.path.name))
        if reasons:
            count = sum(map(len, reasons.values()))
            told = [f"{_first(names)} ({reason})" for reason, names in reasons.items()]
            message = (
                f"{count:,} file{'s' * (count > 1)} of the corpora {'are' if count > 1 else 'is'} "
                f"not read: {'; '.join(told)}"
            )
            self._warned.append(message)
            warnings.warn(message, UnreadWarning, stacklevel=4)

    def read(self, file: File, source: Source, size: Size) -> None:
        """A file that was read to its end."""
        if file.period is not None:
            period = self.sizes[file.period]
            period.tokens += size.tokens
            period.documents += size.documents
        encoding = None if file.path.suffix.lower() == ".parquet" else source.encoding
        guessed = source.layout is not None and self._settings["layout"] is None
        path, length = printable(file.path), file.path.stat().st_size
        row = (
            path, file.name, file.period, file.kind, source.layout, guessed, encoding, length,
            size.documents, size.tokens,
        )  # fmt: skip
        self._files.append(row)

    def corpora(self, sample: Sample, targets: list[Target], kept: Counter[Any]) -> Corpora:
        """The finished record."""
        counts = []
        for word in (target.name for target in targets):
            for period, size in self.sizes.items():
                count = sample.counts.get((word, period))
                found = count.found if count else 0
                counts.append(
                    (
                        word,
                        period,
                        found,
                        kept[word, period],
                        self.names[word, period],
                        count.documents if count else 0,
                        1e6 * found / size.tokens if size.tokens else None,
                    )
                )
        return Corpora(
            self._settings,
            table(self._files, FILES),
            table([(printable(u.path), u.period, u.reason) for u in self._unread], UNREAD),
            table([(p, s.documents, s.tokens) for p, s in self.sizes.items()], SIZES),
            table(counts, COUNTS),
            tuple(self._warned),
        )

    def tell(self, sample: Sample, problems: Problems) -> None:
        """What was left out, and a warning if names are many."""
        for period, count in sample.duplicates.items():
            problems.left_out(f"{period}: {count:,} duplicates of a context were dropped.")
        if self.outside:
            problems.left_out(f"{self.outside:,} usages dated outside the periods were left out.")
        limit, each = self._settings["max_usages"], self._settings["max_per_document"]
        capped = sample.capped()
        if capped:
            most = f"at most {limit:,} a period" if limit else ""
            spread = f"at most {each:,} a document" if each else ""
            problems.left_out(
                f"Of {len(capped):,} word{'s' * (len(capped) > 1)} a random sample was kept, "
                f"{' and '.join(filter(None, (most, spread)))} (seed {self._settings['seed']}): "
                "max_usages=None (--max-usages 0) keeps all."
            )
        self._warn_names(sample)

    def _warn_names(self, sample: Sample) -> None:
        if self._settings["names"] == "in":
            return
        found: Counter[str] = Counter()
        for (word, _), count in sample.counts.items():
            found[word] += count.found
        names: Counter[str] = Counter()
        for (word, _), number in self.names.items():
            names[word] += number
        many = [
            f"{word} ({number:,} of {found[word] + number:,})"
            for word, number in names.most_common()
            if number >= LEAST and number > MANY_NAMES * (found[word] + number)
        ]
        if many:
            message = (
                "Many matches are capitalised inside a sentence, as names are, and were left out: "
                f"{_first(many)}; keep them with names='in' (--names in), "
                "or ask for a word with its capital."
            )
            self._warned.append(message)
            warnings.warn(message, NamesWarning, stacklevel=4)


def _first(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
