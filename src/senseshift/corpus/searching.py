"""One search: its files one after the other, and what is found in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from senseshift.corpus.blocks import Block
from senseshift.corpus.contexts import contexts, neighbours, splitter
from senseshift.corpus.encodings import fitting
from senseshift.corpus.files import File, blocks_of
from senseshift.corpus.lines import Advance, Source
from senseshift.corpus.matching import Match, Matcher
from senseshift.corpus.names import NameFinder
from senseshift.corpus.record import Record, Size
from senseshift.corpus.rows import Columns
from senseshift.corpus.sampling import Sample
from senseshift.corpus.targets import Target
from senseshift.corpus.text import Layout
from senseshift.errors import shortened
from senseshift.usages.check import check
from senseshift.usages.periods import Spans, year_in
from senseshift.usages.problems import Problems
from senseshift.usages.schema import Origin
from senseshift.usages.table import Usages

Hit = tuple[Block, list[Match], str, str]


@dataclass
class Search:
    """All that a search needs, and what it has found so far."""

    targets: list[Target]
    matcher: Matcher
    names: NameFinder
    sample: Sample
    record: Record
    problems: Problems
    columns: Columns
    context: int
    layout: Layout | None
    spans: Spans | None
    encodings: Sequence[str]

    def __post_init__(self) -> None:
        self._split = splitter(self.matcher.language)

    def read(self, file: File, advance: Advance) -> None:
        """Find all usages in a file."""
        source, size = Source(file.path, file.name, self.problems, advance), Size()
        if file.path.suffix.lower() != ".parquet":
            source.encoding = fitting(file.path, self.encodings)
        blocks = self.names.watched(blocks_of(file, source, self.columns, self.layout))
        name, add = file.name, self.sample.add
        for block, matches, before, after in self._hits(blocks, file, size):
            period = file.period or self._period(block, source, len(matches))
            if period is None:
                continue
            kept = self._but_names(block, matches, period)
            around = contexts(block, kept, before, after, self.context, self._split)
            for match, text, start in around:
                usage = (
                    self.targets[match.target].name,
                    period,
                    f"{name}:{block.line}:{block.offset + match.start}",
                    text,
                    start,
                    start + match.end - match.start,
                    block.date,
                    block.source or name,
                )
                add(usage, block.extra() if block.extra else None)
        self.record.read(file, source, size)

    def _hits(self, blocks: Iterator[Block], file: File, size: Size) -> Iterator[Hit]:
        """Blocks that hold matches, with what stands around them if it is asked for."""
        matched = self._matched(blocks, file, size)
        if self.context:
            yield from neighbours(matched, self.context)
        else:
            for block, matches in matched:
                if matches:
                    yield block, matches, "", ""

    def _matched(
        self, blocks: Iterator[Block], file: File, size: Size
    ) -> Iterator[tuple[Block, list[Match]]]:
        matcher, spans, name = self.matcher, self.spans, file.name
        for block in blocks:
            matches = list(matcher.match(block))
            document = block.source or name
            size.add(document, matcher.tokens)
            if spans is not None:
                year = year_in(block.date or "")
                period = None if year is None else spans.of(year)
                if period is not None:
                    self.record.sizes[period].add(document, matcher.tokens)
            yield block, matches

    def _period(self, block: Block, source: Source, count: int) -> str | None:
        """The period of a block by its date; None outside all, or where there is no date."""
        assert self.spans is not None
        year = year_in(block.date or "")
        if year is None:
            found = shortened(repr(block.date or "nothing"))
            what = f"expected a year such as 1815 or 1815-03-02, found {found}"
            self.problems.broken(source.at(block.line, self.columns.date), what)
            return None
        period = self.spans.of(year)
        self.record.outside += count if period is None else 0
        return period

    def _but_names(self, block: Block, matches: list[Match], period: str) -> list[Match]:
        """The matches without those that are names; names are counted in any case."""
        text = block.text
        capital = [match for match in matches if text[match.start].isupper()]
        for match in capital:
            target = self.targets[match.target]
            if not target.may_be_name and self.names.is_name(block, match.start, match.end):
                self.record.names[target.name, period] += 1
                if not self.names.kept:
                    matches.remove(match)
        return matches

    def usages(self, order: tuple[str, ...]) -> Usages:
        """What was found, in the end."""
        names = [target.name for target in self.targets]
        table = check(self.sample.table(names, order), Origin("usages found"), Problems())
        self.record.tell(self.sample, self.problems)
        found = {word for word, _ in self.sample.counts}
        self.problems.missing |= {
            t.name: self._reason(t) for t in self.targets if t.name not in found
        }
        kept = Counter(table.select("word", "period").iter_rows())
        usages = Usages._of(table, order, self.problems)
        return replace(usages, corpora=self.record.corpora(self.sample, self.targets, kept))

    def _reason(self, target: Target) -> str:
        """Why a word may never have been found."""
        matcher = self.matcher
        reason = f"never found by {matcher.by} in any period"
        left_out = sum(n for (word, _), n in self.record.names.items() if word == target.name)
        if left_out:
            spelt = target.words[0][:1].upper() + " ".join(target.words)[1:]
            reason += (
                f" but {left_out:,} times capitalised as names are; ask for {shortened(spelt)!r}, "
                "or for names='in' (--names in)"
            )
        elif matcher.by == "lemma" and len(target.words) == 1 and matcher.lemmatizes:
            lemma = matcher.lemma(target.words[0])
            if lemma.casefold() != target.words[0].casefold():
                reason += f"; it is a form of {lemma!r}, which can be looked for"
        return reason
