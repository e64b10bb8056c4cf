"""The encoder that comes with the package: the file itself, and what it makes of odd usages."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tokenizers import Tokenizer

import senseshift
from senseshift.encoders import load
from senseshift.encoders.resolve import BUNDLED
from senseshift.errors import LanguageWarning

FILES = {
    "model.onnx": "01342746ebd65937a7ed08fd67dea0e76c500d80fb464dd3728f90b014dbc1af",
    "tokenizer.json": "5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b",
}
RIVER = "They moored the boat at the bank of the river and waited for the flood to fall."
MONEY = "She paid the cheque in at the bank and asked for the balance of her account."
LOAN = "No bank in the county would lend them another shilling on that house."
# The first numbers of their vectors of "bank", and the cosines between them.
GOLDEN = [
    [0.1285, 0.1086, -0.1243, 0.0209, 0.1272, 0.0713, -0.2228, -0.1239],
    [-0.0260, -0.1334, 0.0231, 0.0854, -0.0556, -0.0497, 0.3306, -0.0631],
    [0.0682, 0.0405, -0.0256, 0.0993, -0.1496, -0.0982, 0.2266, -0.1338],
]
GOLDEN_COSINES = [0.1969, 0.2355, 0.8619]


@pytest.fixture(scope="module")
def encoder():
    return load("bundled")


def span_of(text, target):
    start = text.index(target)
    return start, start + len(target)


def vector(encoder, text, target):
    (made,) = encoder.encode([text], [span_of(text, target)])
    assert np.isfinite(made).all()
    assert np.linalg.norm(made) > 0
    return made


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_the_one_that_was_measured(name):
    assert hashlib.sha256((BUNDLED / name).read_bytes()).hexdigest() == FILES[name]


def test_it_fits_the_package_and_says_where_it_comes_from():
    assert (BUNDLED / "model.onnx").stat().st_size <= 25_000_000
    card = (BUNDLED / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert all(
        name in card for name in ("Apache-2.0", "SemCor", "WordNet", "Webster", FILES["model.onnx"])
    )


def test_vectors_are_those_of_the_release(encoder):
    golden = np.array(GOLDEN, dtype=np.float32)
    texts = [RIVER, MONEY, LOAN]
    made = encoder.encode(texts, [span_of(text, "bank") for text in texts])
    assert made.shape == (3, 256)
    # Another runtime may round a step of the quantisation otherwise, not more.
    assert np.abs(made[:, : golden.shape[1]] - golden).max() < 0.01
    cosines = [cosine(made[0], made[1]), cosine(made[0], made[2]), cosine(made[1], made[2])]
    assert np.abs(np.subtract(cosines, GOLDEN_COSINES)).max() < 2e-3


def test_senses_are_told_apart(encoder):
    river, money, loan = (vector(encoder, text, "bank") for text in (RIVER, MONEY, LOAN))
    assert cosine(money, loan) > cosine(river, money) + 0.2
    assert cosine(money, loan) > cosine(river, loan) + 0.2


def test_a_vector_depends_on_its_usage_alone(encoder):
    texts = [RIVER, MONEY, LOAN, "bank", "The bank " + "and the bank " * 60]
    spans = [span_of(text, "bank") for text in texts]
    together = encoder.encode(texts, spans)
    alone = [encoder.encode([text], [span])[0] for text, span in zip(texts, spans, strict=True)]
    one_thread = load("bundled", threads=1).encode(texts, spans)
    assert np.array_equal(together, alone)
    assert np.array_equal(together, one_thread)


def test_words_far_from_the_target_do_not_count(encoder):
    near = "The boat lay at the bank of the river. " * 12
    long = near + RIVER + " " + near
    longer = "Once upon a time. " * 5_000 + long + " And so on." * 5_000
    target = "bank of the river and"
    (a, b), shift = span_of(long, target), longer.index(long)
    made = encoder.encode([long, longer], [(a, a + 4), (a + shift, a + 4 + shift)])
    assert b > a
    assert np.array_equal(made[0], made[1])


def test_a_target_at_either_end_and_without_context(encoder):
    first = vector(encoder, "Mice ran over the floor.", "Mice")
    last = vector(encoder, "Over the floor ran mice", "mice")
    alone = vector(encoder, "mice", "mice")
    assert cosine(first, last) > cosine(first, alone)


def test_a_target_of_many_pieces_is_the_mean_of_them(encoder):
    text, target = "He defended antidisestablishmentarianism at length.", "antidisestablish"
    start, end = span_of(text, target)
    tokenizer = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets
    pieces = [(a, b) for a, b in offsets if a < end and b > start]
    assert len(pieces) > 2
    each = encoder.encode([text] * len(pieces), pieces)
    assert vector(encoder, text, target) == pytest.approx(each.mean(axis=0), abs=1e-5)


def test_a_target_longer_than_the_window_has_a_vector(encoder):
    whole = "the quick brown fox " * 100
    vector(encoder, whole, whole)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("She sent a 🐭 and nothing else.", "🐭"),
        ("🐭", "🐭"),
        ("猫坐在垫子上。", "猫"),
        ("جلس القط على الحصير", "القط"),
        ("ǅ\u0301 ﬁne", "ﬁne"),
        ("zero\u200bwidth", "\u200b"),
        (" the ", "the"),
    ],
)
def test_any_text_has_a_vector(encoder, text, target):
    vector(encoder, text, target)


def usages(*texts, word="dog", target="dog"):
    rows = [
        {
            "word": word,
            "period": "old" if number % 2 else "new",
            "id": str(number),
            "text": text,
            "start": text.index(target),
            "end": text.index(target) + len(target),
        }
        for number, text in enumerate(texts)
    ]
    return senseshift.Usages.from_records(rows)


ENGLISH = "The dog barked in the yard all night long and nobody slept."
GERMAN = "Der dog bellte die ganze Nacht im Hof, und niemand konnte schlafen."


def test_a_usage_in_another_language_is_told_of(tmp_path):
    with pytest.warns(
        LanguageWarning,
        match=r"^1 of 3 usages .*'en'.*'1'.*(encoder multilingual|install senseshift-xx)",
    ):
        senseshift.encode(usages(ENGLISH, GERMAN, ENGLISH + " Again."), cache=tmp_path)


def test_it_is_the_default_of_a_comparison():
    study = senseshift.compare(usages(ENGLISH, "My dog fetched the stick from the lake for me."))
    settings = json.loads((BUNDLED / "senseshift.json").read_text(encoding="utf-8"))
    assert study.about["encoder"] == settings["name"]


def test_the_command_line_warns_in_one_line(tmp_path):
    usages(ENGLISH, GERMAN).write(tmp_path / "usages.csv")
    done = subprocess.run(
        [Path(sys.executable).with_name("senseshift"), "encode", "usages.csv", "-o", "v.npy"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = [line for line in done.stderr.splitlines() if "usages are not in" in line]
    assert line.startswith("warning: 1 of 2 usages")
    assert np.load(tmp_path / "v.npy").shape == (2, 256)


def test_the_table_can_be_plain_polars(encoder):
    table = pl.DataFrame(
        {"word": ["bank"], "id": ["1"], "text": [RIVER], "start": [28], "end": [32]}
    )
    made = senseshift.encode(table, cache=False)
    assert np.array_equal(made[0], encoder.encode([RIVER], [(28, 32)])[0])


THREADS = """
import os, sys
from senseshift.encoders import load

encoder = load("bundled", threads=int(sys.argv[1]))
before = set(os.listdir("/proc/self/task"))
seen, run = set(), encoder._session.run
def watched(*given):
    seen.update(os.listdir("/proc/self/task"))
    return run(*given)
encoder._session = type("Watched", (), {"run": staticmethod(watched)})
encoder.encode(["a bank of sand"] * 50, [(2, 6)] * 50)
print(len(seen - before))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the threads of a process")
@pytest.mark.parametrize("threads", [1, 3])
def test_it_keeps_to_the_threads_it_is_given(threads):
    run = [sys.executable, "-c", THREADS, str(threads)]
    made = int(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    assert made <= (0 if threads == 1 else threads)
