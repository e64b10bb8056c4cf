"""A small discovery, as a module that drivers and workers of their own processes can run."""

import hashlib
import json
import sys
from pathlib import Path

from planted import PERIODS, ContextVectors, Planted, Sizes
from senseshift import discover


def made(folder):
    """Corpora with planted changes."""
    Planted(Sizes.of(1)).write(folder)
    return folder


def run(corpus, output, **settings):
    """All units of a discovery, of few words and permutations each."""
    return discover(
        {period: corpus / period for period in PERIODS}, output, encoder=ContextVectors(),
        top=6, permutations=9, usages=24, **settings,
    )  # fmt: skip


def tables(output):
    """What a study holds, by the digests of its files."""
    files = [*output.glob("*.parquet"), *output.glob("*.npy")]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def units(log):
    """The units that a log says were done; the last line of a killed driver may be broken."""
    done = []
    for line in log.read_text("utf-8").splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if found["event"] == "unit":
            done.append(found["key"])
    return done


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]), json_log=sys.argv[3])
