"""Two small corpora of made-up words, three of which changed, and an encoder that sees it."""

import json
import random
import zlib

import numpy as np

SYLLABLES = ("ba", "de", "ki", "lo", "mu", "po", "ru", "ta")
WORDS = [a + b + "nto" for a in SYLLABLES for b in SYLLABLES]  # 64 of them
CHANGED = ("bakinto", "lodento", "tarunto")


def encoder(texts, spans):
    """The word right after the target tells the sense; the rest is noise that the text gives."""
    rows = []
    for text, (_, end) in zip(texts, spans, strict=True):
        cue = text[end:].split()[0].strip(".")
        random_ = np.random.default_rng(zlib.crc32(text.encode()))
        rows.append(direction(cue) + 0.4 * random_.normal(size=24))
    return np.array(rows)


def direction(cue):
    return np.random.default_rng(zlib.crc32(cue.encode())).normal(size=24)


def sentence(word, cue, chance):
    return f"Onto {chance.choice(SYLLABLES)}{chance.randrange(10**6)} {word} {cue} went."


def write(folder, period, changed=CHANGED, seed=0):
    chance = random.Random(f"{seed}{period}")
    folder.mkdir(parents=True, exist_ok=True)
    slots = [word for word in WORDS for _ in range(36)]
    chance.shuffle(slots)
    with (folder / f"{period}.jsonl").open("w") as file:
        for number in range(36):
            said = [
                sentence(word, _cue(word, period, changed, chance), chance)
                for word in slots[number::36]
            ]
            said.append("There Rivera met Rivera in 1815 and in 1815.")
            row = {"text": " ".join(said), "source": f"{period}{number}"}
            file.write(json.dumps(row) + "\n")
    return folder / f"{period}.jsonl"


def _cue(word, period, changed, chance):
    share = 0.9 if word in changed and period == "new" else 0.2
    return ("zun" if chance.random() < share else "yam") + word[:2]
