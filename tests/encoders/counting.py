"""An encoder that logs every text it encodes, and a process that runs it on a cache."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np

from tiny_models import random_usages

DIMENSION = 8


class Counting:
    """Vectors that follow from text and span alone; each text encoded is a line in the log."""

    name = "counting"
    dimension = DIMENSION
    fingerprint = "counting-1"

    def __init__(self, log: Path, pause: float = 0.0) -> None:
        self.log, self.pause = log, pause

    def encode(self, texts, spans):
        time.sleep(self.pause)
        lines = "".join(
            f"{os.getpid()}\t{text[a:b]}\t{text}\n"
            for text, (a, b) in zip(texts, spans, strict=True)
        )
        handle = os.open(self.log, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.write(handle, lines.encode())
        os.close(handle)
        return np.array(
            [vector(text, span) for text, span in zip(texts, spans, strict=True)], np.float32
        )

    def encoded(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


def vector(text, span):
    seed = [len(text), *span, *text[:20].encode()]
    return np.random.default_rng(seed).normal(size=DIMENSION)


if __name__ == "__main__":
    from senseshift.encoders import encode

    log, cache, count, pause, seed = sys.argv[1:]
    print("ready", flush=True)
    sys.stdin.readline()
    encoder = Counting(Path(log), float(pause))
    made = encode(random_usages(int(count), int(seed)), encoder, batch_size=10, cache=cache)
    np.save(f"{log}.{os.getpid()}.npy", made)
