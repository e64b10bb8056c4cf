"""Small studies whose reports have everything in them, and one of a hostile corpus."""

import dataclasses
from importlib.resources import files
from zlib import crc32

import numpy as np
import polars as pl
import pytest

from senseshift import Usages, compare
from senseshift.calibration import Calibration

MONK = ("The monk prayed in his bare {} of stone", "A narrow {} for each monk and his prayers")
CALIBRATION = Calibration(0.44, 0.11, 0.38)
PHONE = ("She left her {} phone on the bus", "The {} tower had no signal for her phone")
STONE = ("They carried a heavy {} to the wall", "The {} lay beside the old road")


def small_study():
    """``cell`` gained a sense, ``stone`` did not change, ``unicorn`` was never found."""
    rng = np.random.default_rng(0)
    records = []
    for period, year, share in (("1800s", 1800, 0.0), ("2000s", 1990, 0.6)):
        for k in range(40):
            new_sense = k < 40 * share
            records.append(_usage(rng, "cell", period, k, year, PHONE if new_sense else MONK))
            records.append(_usage(rng, "stone", period, k, year, STONE))
    records.append(_usage(rng, "unicorn", "1800s", 0, 1800, STONE))
    usages = Usages.from_records(records, periods=("1800s", "2000s"))
    return compare(usages, read_contexts, cost="cosine", calibration=CALIBRATION)


def _usage(rng, word, period, k, year, sentences):
    noise = " ".join(f"x{n}" for n in rng.integers(0, 99, size=3))
    text = f"{sentences[k % 2]}, {noise}.".format(word)
    start = text.index(word)
    return {
        "word": word, "period": period, "id": f"{period}-{k}", "text": text,
        "start": start, "end": start + len(word), "date": str(year + k),
        "source": f"{period} book {k // 2}", "author": "Anna\u00a0Writer",
        "sense": None if k == 39 else "phone" if sentences is PHONE else "first",
    }  # fmt: skip


def read_contexts(texts, spans):
    """An encoder that knows phones from monks, and tells usages apart by their noise."""
    vectors = []
    for text in texts:
        rng = np.random.default_rng(crc32(text.encode()))
        vectors.append(np.eye(32)[1 if "phone" in text else 0] + 0.06 * rng.normal(size=32))
    return np.array(vectors)


def three_periods():
    """Each period compared with the next; with p-values of either kind."""
    rng = np.random.default_rng(1)
    periods = ("1800s", "1900s", "2000s")
    records = [
        _usage(rng, word, period, k, 1800 + 100 * at, PHONE if k < 6 * at else MONK)
        for word in ("cell", "room")
        for at, period in enumerate(periods)
        for k in range(12)
    ]
    study = compare(
        Usages.from_records(records, periods=periods), read_contexts, measures=["f_SUS", "g_SUS"],
        calibration=CALIBRATION,
    )  # fmt: skip
    words = study.words.with_columns(p=pl.Series([0.01, 0.2, 0.0004, 0.5]))
    return dataclasses.replace(study, words=words)


ATTACK = "<script>window.hacked = 1</script>"
WORDS = (
    "<img src=x onerror=window.hacked=1>", f"</script>{ATTACK}", "AC/DC", "ac/dc", "../../up",
    "con", "a b\u2028c", "שלום", "{{ 7*7 }}", "100 % sure & 'quoted' \"twice\"",
)  # fmt: skip


def hostile_study():
    """Every text field tries to get out of its place; two words differ by case only."""
    rng = np.random.default_rng(2)
    records = []
    for word in WORDS:
        for period in ("<b>old</b>", "new</script>"):
            for k in range(6):
                before = (
                    f"{ATTACK} </style> ${{x}} \u2028 𝔘𝔫𝔦 <a href='javascript:window.hacked=1'>"
                )
                text = f"{before} {word} شكرا <svg onload=window.hacked=1> {rng.integers(10**6)}"
                start = len(before) + 1
                records.append(
                    {
                        "word": word, "period": period, "id": f"<i>{period}{k}", "text": text,
                        "start": start, "end": start + len(word), "date": "<u>1900",
                        "source": ATTACK, "sense": f'"><b onclick=window.hacked=1>{k % 2}',
                    }
                )  # fmt: skip
    usages = Usages.from_records(records, periods=("<b>old</b>", "new</script>"))
    return compare(usages, read_contexts)


def axe_violations(page):
    """What axe-core finds wrong with a page, in words."""
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core's rules are not installed")
    page.evaluate(files(axe).joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run(document, { preload: false })")  # files are not asked for again
    return [
        f"{rule['id']}: {node['html'][:120]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
