"""Finding 1,000 lemmas in a Zipfian corpus: ``find`` beside a straightforward loop over ``re``.

Run as ``python benchmarks/find.py`` (200 MB; the loop takes most of the time) or, for a quick look,
``python benchmarks/find.py --megabytes 20``. Both searchers run in a process of their own, read the
same file, and must return the same usages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

VOCABULARY = 50_000
BAR_SPEED, BAR_MEMORY = 5.0, 500


def english() -> dict[str, str]:
    """Lower-case English forms and their lemmas, from simplemma's own dictionary."""
    from simplemma import lemmatize
    from simplemma.strategies import DefaultDictionaryFactory

    dictionary = DefaultDictionaryFactory().get_dictionary("en")
    forms = {*dictionary, *(dictionary[form] for form in dictionary)}
    plain = sorted(form for form in forms if form.isascii() and form.isalpha() and form.islower())
    return {form: lemmatize(form, "en") for form in plain}


def generate(path: Path, words: Path, megabytes: int, count: int, seed: int) -> None:
    """Write sentences of words with Zipfian frequencies, and the lemmas to look for."""
    import numpy as np

    rng = np.random.default_rng(seed)
    lemmas = english()
    forms = np.array(list(lemmas))[rng.permutation(len(lemmas))[:VOCABULARY]]
    share = 1.0 / np.arange(3, VOCABULARY + 3)
    total = np.cumsum(share / share.sum())
    written = 0
    with path.open("w", encoding="utf-8") as file:
        while written < megabytes * 10**6:
            ranks = np.minimum(np.searchsorted(total, rng.random(500_000)), VOCABULARY - 1)
            tokens = forms[ranks].tolist()
            ends = np.cumsum(rng.integers(5, 36, size=25_000))
            at = 0
            for end in ends[ends < len(tokens)].tolist():
                written += file.write(" ".join(tokens[at:end]) + ".\n")
                at = end
    # The commonest words are nobody's targets; all other ranks are as likely as each other.
    found = (lemmas[form] for form in forms[100:].tolist())
    known = list(dict.fromkeys(lemma for lemma in found if lemma.islower()))
    words.write_text("\n".join(sorted(rng.choice(known, size=count, replace=False).tolist())))


def by_find(path: Path, words: list[str]) -> pl.DataFrame:
    from senseshift.corpus import find

    found = find({"corpus": path}, words, language="en", layout="lines", max_usages=None)
    return found.table


def by_loop(path: Path, words: list[str]) -> pl.DataFrame:
    """One alternation of all inflected forms, sentence by sentence."""
    import polars as pl

    sought = set(words)
    forms = {form: lemma for form, lemma in english().items() if lemma in sought}
    targets: dict[str, set[str]] = {word: {word} for word in words}
    for form, lemma in forms.items():
        targets.setdefault(form, set()).add(lemma)
    longest = sorted(targets, key=len, reverse=True)
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b")
    records, seen = [], set()
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip()
            for match in pattern.finditer(text.lower()):
                start, end = match.span()
                for word in targets[match[0]]:
                    if (word, text, start) not in seen:
                        seen.add((word, text, start))
                        id_ = f"{path.name}:{number}:{start}"
                        records.append((word, "corpus", id_, text, start, end))
    columns = ["word", "period", "id", "text", "start", "end"]
    return pl.DataFrame(records, schema=columns, orient="row")


def apart(task: str, path: Path, words: Path, *numbers: int) -> dict[str, float | int | str]:
    """Do a task in a process of its own.

    Generating too: a process starts with the peak memory of the one that started it, which
    therefore must stay small.
    """
    command = [sys.executable, __file__, "--run", task, str(path), str(words), *map(str, numbers)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(result.stderr)
    measured: dict[str, float | int | str] = json.loads(result.stdout or "{}")
    return measured


def run(searcher: str, path: Path, words: list[str]) -> None:
    begin = time.perf_counter()
    table = {"find": by_find, "loop": by_loop}[searcher](path, words)
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    # Peak and time are those of the search alone; comparing its results takes memory too.
    rows = table.select("word", "id", "text", "start", "end").rows()
    digest = hashlib.sha256("\n".join(map(repr, sorted(rows))).encode()).hexdigest()
    print(json.dumps({"seconds": seconds, "peak": peak, "usages": len(rows), "digest": digest}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--words", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--run", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        task, path, words, *numbers = arguments.run
        if task == "generate":
            generate(Path(path), Path(words), *map(int, numbers))
        else:
            run(task, Path(path), Path(words).read_text().split())
        return 0
    with TemporaryDirectory() as folder:
        path, words = Path(folder, "corpus.txt"), Path(folder, "words.txt")
        apart("generate", path, words, arguments.megabytes, arguments.words, arguments.seed)
        print(f"{arguments.words:,} lemmas in {path.stat().st_size / 1e6:,.0f} MB", flush=True)
        figures = {}
        for searcher in ("find", "loop"):
            figure = figures[searcher] = apart(searcher, path, words)
            print(
                f"{searcher}: {figure['seconds']:8.1f} s  peak {figure['peak']:6.0f} MB  "
                f"{figure['usages']:,} usages",
                flush=True,
            )
    same = figures["find"]["digest"] == figures["loop"]["digest"]
    ratio = float(figures["loop"]["seconds"]) / float(figures["find"]["seconds"])
    peak = float(figures["find"]["peak"])
    print(f"same usages: {'yes' if same else 'NO'}")
    print(f"find is {ratio:.1f} times as fast (bar: {BAR_SPEED:.0f})")
    print(f"find took at most {peak:.0f} MB (bar: {BAR_MEMORY} MB)")
    return 0 if same and ratio >= BAR_SPEED and peak <= BAR_MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
