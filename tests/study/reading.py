"""Usages whose sense stands in their text, and an encoder that reads it there."""

import numpy as np

from senseshift import Usages

SENSES = {"bank": ("of the river", "of England"), "cell": ("of a monk", "of a phone")}


def usages_of(shares, seed=0, periods=("old", "new")):
    """Usages whose sense stands in their text: the share of the second sense in each period."""
    rng = np.random.default_rng(seed)
    records = []
    for word, per_period in shares.items():
        first, second = SENSES.get(word, ("here", "there"))
        for period, share in zip(periods, per_period, strict=True):
            for k in range(20):
                new_sense = k < round(20 * share)
                text = f"{rng.integers(10**6)}: the {word} {second if new_sense else first}"
                start = text.index(word)
                records.append(
                    {
                        "word": word,
                        "period": period,
                        "id": f"{period}-{k}",
                        "text": text,
                        "start": start,
                        "end": start + len(word),
                        "sense": str(int(new_sense)),
                    }
                )
    return Usages.from_records(records, periods=periods)


def read_senses(texts, spans):
    """An encoder that can read: one direction a sense, a little noise by the text."""
    vectors = []
    for text, (_, end) in zip(texts, spans, strict=True):
        rng = np.random.default_rng(sum(map(ord, text)))
        second = (
            any(text[end:].strip() == senses[1] for senses in SENSES.values()) or "there" in text
        )
        vectors.append(np.eye(6)[int(second)] + 0.05 * rng.normal(size=6))
    return np.array(vectors)
