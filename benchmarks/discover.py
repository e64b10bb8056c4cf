"""Discovery where the truth is known: what is found, how fast, in how much memory, what survives.

``python benchmarks/discover.py`` makes corpora of 200 MB with planted changes and traps (see
``planted.py``) and prints what is found at q ≤ .1, with and without the words of the corpora as
their own controls, and the rates of every step. Other parts by name, as ``--part scaling``:

- ``scaling``: one worker process against two;
- ``growth``: time and memory against corpus size and vocabulary, as exponents;
- ``large``: 1 GB in bounded memory;
- ``kills``: the driver killed at 20 random moments, its tables in the end byte for byte the same.

``--megabytes 20`` is a quick look. Every run is a process of its own, whose memory is that of it
and of all its workers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from planted import PERIODS, ContextVectors, Planted, Sizes

if TYPE_CHECKING:
    import polars as pl

Q = 0.1
BAR_FOUND, BAR_FALSE, BAR_SCALING, BAR_GROWTH = 0.9, 0.15, 1.7, 1.1
KILLS, MOST_KILLS = 20, 4  # in all, and of one discovery
LARGE = 40  # points of a change that must be found


@dataclass
class Run:
    """One discovery: what it took, and units with their seconds by stage.

    On a machine with other work the clock says little: rates are by seconds of a processor.
    """

    seconds: float  # by the clock
    computed: float  # of a processor, driver and workers
    serial: float  # of these the driver's own, where workers do the units
    peak: float  # MB, driver and workers
    driver: float  # MB
    units: Counter[str] = field(default_factory=Counter)
    work: Counter[str] = field(default_factory=Counter)  # seconds that units of a stage computed


def discover(corpus: Path, output: Path, workers: int | None, log: Path) -> None:
    """What every measurement runs, in a process of its own."""
    import senseshift

    senseshift.discover(
        {period: corpus / period for period in PERIODS}, output,
        encoder=ContextVectors(), workers=workers, json_log=log,
    )  # fmt: skip


def started(corpus: Path, output: Path, workers: int | None, log: Path) -> subprocess.Popen[bytes]:
    script = [sys.executable, __file__, "--run", str(corpus), str(output), str(log)]
    chosen = [] if workers is None else ["--workers", str(workers)]
    return subprocess.Popen([*script, *chosen], start_new_session=True)


def measured(corpus: Path, output: Path, workers: int | None) -> Run:
    """Run it and watch it."""
    log = output.with_suffix(".log")
    begun = time.perf_counter()
    process = started(corpus, output, workers, log)
    peak = driver = 0.0
    computed: dict[int, float] = {}
    while process.poll() is None:
        found = tree(process.pid)
        peak = max(peak, sum(size for size, _ in found.values()))
        driver = max(driver, found.get(process.pid, (0.0, 0.0))[0])
        computed |= {pid: seconds for pid, (_, seconds) in found.items()}
        time.sleep(0.5)
    if process.returncode:
        raise SystemExit(f"discover ended with {process.returncode}")
    total, own = sum(computed.values()), computed.get(process.pid, 0.0)
    run = Run(time.perf_counter() - begun, total, own, peak, driver)
    for unit in logged(log):
        run.units[unit["stage"]] += 1
        run.work[unit["stage"]] += unit["computed"]
    return run


def logged(log: Path) -> list[dict[str, object]]:
    """The units in a JSON log."""
    if not log.exists():
        return []
    lines = []
    for line in log.read_text("utf-8").splitlines():
        with suppress(ValueError):  # the last one of a driver that was killed may be broken
            lines.append(json.loads(line))
    return [line for line in lines if line["event"] == "unit"]


def tree(root: int) -> dict[int, tuple[float, float]]:
    """MB and seconds of a process and all below it; what they share is divided among them."""
    parents: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(status.parent.name)
        parents[pid] = int(fields[1])
        seconds[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    found: dict[int, tuple[float, float]] = {}
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            found[pid] = int(rollup.split("Pss:")[1].split()[0]) / 1e3, seconds.get(pid, 0.0)
        except (OSError, IndexError):
            continue
        waiting += [child for child, parent in parents.items() if parent == pid]
    return found


def made(folder: Path, sizes: Sizes, seed: int = 0) -> Path:
    begun = time.perf_counter()
    Planted(sizes, seed).write(folder)
    print(f"  {megabytes(folder):,.0f} MB made in {time.perf_counter() - begun:.1f} s", flush=True)
    return folder


def megabytes(corpus: Path) -> float:
    return sum(path.stat().st_size for path in corpus.rglob("*.jsonl")) / 1e6


def quality(corpus: Path, output: Path) -> bool:
    """What was found, against what was planted; with the controls, and by chance alone."""
    from senseshift import Study
    from senseshift.resampling import q_values

    truth = json.loads((corpus / "truth.json").read_text("utf-8"))
    words = Study.load(output).words
    looked = words.filter(words["p"].is_not_null() & words["p"].is_not_nan())
    print(f"  {looked.height:,} candidates of {words.height:,} words")
    found = set(looked.filter(looked["q"] <= Q)["word"])
    good = report("with the corpora's own words as controls", found, looked, truth)
    # Words that only had a first look count as explained by chance: there are at least so many.
    chance = q_values(looked["chance_p"].fill_null(1.0).to_numpy())
    report("by chance alone", set(looked["word"].to_numpy()[chance <= Q]), looked, truth)
    return good


def report(
    name: str, found: set[str], looked: pl.DataFrame, truth: dict[str, list[object]]
) -> bool:
    """A table of kinds: how many of how many were found."""
    kinds: dict[tuple[str, int], list[bool]] = {}
    for word in looked["word"]:
        kind, points = truth.get(word, ["unplanted", 0])
        kinds.setdefault((str(kind), int(str(points))), []).append(word in found)
    large = [hit for (_, points), hits in kinds.items() if points >= LARGE for hit in hits]
    false = sum(sum(hits) for (_, points), hits in kinds.items() if not points)
    share = false / max(1, len(found))
    print(
        f"  {name}: {len(found):,} found, of changes ≥ {LARGE} points "
        f"{np.mean(large):.1%} (bar {BAR_FOUND:.0%}), false {share:.1%} (bar {BAR_FALSE:.0%})"
    )
    for (kind, points), hits in sorted(kinds.items()):
        print(f"    {kind:>10} {points or '':>3}  {sum(hits):>5,} of {len(hits):,}")
    return bool(np.mean(large) >= BAR_FOUND and share <= BAR_FALSE)


def rates(run: Run, corpus: Path, output: Path) -> None:
    import polars as pl

    size = megabytes(corpus)
    print(
        f"  {run.seconds:.1f} s by the clock, {run.computed:.1f} s of a core, "
        f"peak {run.peak:,.0f} MB (driver {run.driver:,.0f} MB)"
    )
    words = pl.read_parquet(output / "words.parquet").filter(pl.col("p").is_not_null())
    usages = int(words.select(pl.col("old_usages") + pl.col("new_usages")).sum().item())
    per = {"count": (size, "MB"), "sample": (size, "MB"), "first": (usages, "usages"),
           "second": (words["second_p"].count(), "words")}  # fmt: skip
    for stage, seconds in run.work.items():
        amount, unit = per.get(stage, (words["chance_p"].count(), "words"))
        rate = f"{amount / max(seconds, 1e-3):,.1f} {unit}/s per core"
        print(f"    {stage:>7}: {run.units[stage]:,} units, {seconds:.1f} s of a core, {rate}")
    print(f"    all: {words.height / run.computed:,.1f} words/s, {size / run.computed:.2f} MB/s")


def part_quality(folder: Path, options: argparse.Namespace) -> bool:
    corpus = made(folder / "corpus", Sizes.of(options.megabytes), options.seed)
    run = measured(corpus, folder / "study", options.workers)
    rates(run, corpus, folder / "study")
    return quality(corpus, folder / "study")


def part_scaling(folder: Path, options: argparse.Namespace) -> bool:
    corpus = made(folder / "corpus", Sizes.of(options.megabytes), options.seed)
    runs = {workers: measured(corpus, folder / f"study-{workers}", workers) for workers in (1, 2)}
    for workers, run in runs.items():
        print(
            f"  {workers} worker(s): {run.seconds:.1f} s by the clock, {run.computed:.1f} s of a "
            f"core (driver {run.serial:.1f} s), peak {run.peak:,.0f} MB"
        )
    clock = runs[1].seconds / runs[2].seconds
    # Where nothing else runs: the driver's part, and that of the workers shared between them.
    alone = [run.serial + (run.computed - run.serial) / workers for workers, run in runs.items()]
    print(f"  scaling {clock:.2f} by the clock, {alone[0] / alone[1]:.2f} by what was computed "
          f"(bar {BAR_SCALING})")  # fmt: skip
    return max(clock, alone[0] / alone[1]) >= BAR_SCALING


def part_growth(folder: Path, options: argparse.Namespace) -> bool:
    whole = options.megabytes
    by_size = [(whole * part, 1_000) for part in (1 / 8, 1 / 4, 1 / 2, 1)]
    by_words = [(whole / 2, targets) for targets in (500, 1_000, 2_000, 4_000)]
    good = True
    for what, steps in (("corpus size", by_size), ("vocabulary", by_words)):
        rows = []
        for size, targets in steps:
            place = folder / f"{what[:3]}-{size:g}-{targets}"
            corpus = made(place / "corpus", Sizes.of(size, targets), options.seed)
            run = measured(corpus, place / "study", options.workers)
            rows.append((megabytes(corpus) if what == "corpus size" else targets, run))
            print(
                f"    {size:,.0f} MB, {targets:,} words: {run.computed:.1f} s of a core, "
                f"{run.peak:,.0f} MB"
            )
        at = np.log([row[0] for row in rows])
        for name in ("computed", "peak"):
            slope = np.polyfit(at, np.log([getattr(run, name) for _, run in rows]), 1)[0]
            said = {"computed": "seconds of a core", "peak": "memory"}[name]
            print(f"  {said} to the power {slope:.2f} of the {what} (bar {BAR_GROWTH})")
            good &= bool(slope <= BAR_GROWTH)
    return good


def part_large(folder: Path, options: argparse.Namespace) -> bool:
    peaks = []
    for size in (options.megabytes, 5 * options.megabytes):
        corpus = made(folder / f"corpus-{size:g}", Sizes.of(size, 4_500), options.seed)
        run = measured(corpus, folder / f"study-{size:g}", options.workers)
        rates(run, corpus, folder / f"study-{size:g}")
        peaks.append(run.peak)
    print(f"  five times the text needs {peaks[1] / peaks[0]:.2f} times the memory")
    return peaks[1] < 1.5 * peaks[0]


def part_kills(folder: Path, options: argparse.Namespace) -> bool:
    """Drivers are killed at random moments, 20 times in all; every discovery goes on to its end.

    Moments are told by the files that there are by then, so that a busy machine changes nothing.
    """
    corpus = made(folder / "corpus", Sizes.of(min(options.megabytes, 20)), options.seed)
    measured(corpus, folder / "whole", options.workers)
    wanted, chance = digests(folder / "whole"), random.Random(options.seed)
    files = written(folder / "whole")
    kills = ends = again = 0
    good = True
    while kills < KILLS:
        output, done = folder / f"killed-{ends}", []
        moments = sorted(chance.choices(range(files), k=min(MOST_KILLS, KILLS - kills)))
        for moment in (*moments, None):
            log = folder / f"killed-{ends}-{moment}-{kills}.log"
            process = started(corpus, output, options.workers, log)
            while process.poll() is None and (moment is None or written(output) < moment):
                time.sleep(0.001)
            time.sleep(chance.uniform(0.0, 0.2) if moment is not None else 0.0)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
            done += [str(unit["key"]) for unit in logged(log)]
        good &= process.returncode == 0 and digests(output) == wanted
        again += len(done) - len(set(done))
        ends += 1
    said = "the same" if good else "DIFFER"
    print(f"  {kills} kills, {ends} discoveries: tables {said}, {again} units done twice")
    return good and not again


def written(output: Path) -> int:
    """How many files of units there are."""
    return sum(1 for _ in os.scandir(output / "units")) if (output / "units").is_dir() else 0


def digests(study: Path) -> dict[str, str]:
    """The tables of a study."""
    tables = sorted(study.glob("*.parquet"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in tables}


PARTS = {
    "quality": part_quality, "scaling": part_scaling, "growth": part_growth,
    "large": part_large, "kills": part_kills,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="quality by default")
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--workers", type=int, help="processes; threads of one by default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="keep corpora and studies there")
    parser.add_argument("--run", nargs=3, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        corpus, output, log = options.run
        discover(corpus, output, options.workers, log)
        return
    failed = []
    for part in options.part or ["quality"]:
        print(part, flush=True)
        with TemporaryDirectory() as scratch:
            folder = (options.folder or Path(scratch)) / part
            folder.mkdir(parents=True)
            if not PARTS[part](folder, options):
                failed.append(part)
    if failed:
        raise SystemExit(f"below the bar: {', '.join(failed)}")


if __name__ == "__main__":
    main()
