"""Which words of two sentences translate each other.

    python training/align.py base/ work/

Two words are a pair if tokens of theirs are each other's nearest by the states of a middle layer of
the base, and neither has such a token in common with another word. Writes for every pair its two
usages, aligned row by row: in English as the student and as the teacher reads it, and in the other
language.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from network import MultilingualEncoder, precision

HEIGHT = 2 / 3  # of the layers, where translations lie closest
SIZE = 1024  # pairs of sentences at a time
LONGEST = 126


def states(encoder: MultilingualEncoder, sentences: list[np.ndarray]) -> tuple[Tensor, Tensor]:
    """Unit states of the tokens of sentences, and which are tokens."""
    device = next(encoder.parameters()).device
    length = 2 + max(map(len, sentences))
    ids = np.full((len(sentences), length), encoder.pad)
    for row, tokens in enumerate(sentences):
        ids[row, : len(tokens) + 2] = [encoder.begin, *tokens, encoder.end]
    given = torch.from_numpy(ids).to(device)
    mask = (given != encoder.pad).long()
    with torch.inference_mode(), precision():
        found = encoder.base(given, attention_mask=mask, output_hidden_states=True)
    inner = (given > 3)[:, 1:]
    layer = round(HEIGHT * (len(found.hidden_states) - 1))
    return torch.nn.functional.normalize(found.hidden_states[layer].float()[:, 1:], dim=2), inner


def nearest(one: tuple[Tensor, Tensor], other: tuple[Tensor, Tensor]) -> np.ndarray:
    """Rows, tokens of the one and tokens of the other that are each other's nearest."""
    cosine = one[0] @ other[0].transpose(1, 2)
    cosine = cosine.masked_fill(~(one[1][:, :, None] & other[1][:, None, :]), -2)
    there = cosine.argmax(dim=2)
    back = cosine.argmax(dim=1).gather(1, there)
    mutual = (back == torch.arange(back.shape[1], device=back.device)) & one[1]
    rows, first = mutual.nonzero(as_tuple=True)
    return torch.stack([rows, first, there[rows, first]], dim=1).cpu().numpy()


class Side:
    """One language's sentences, their tokens and their words."""

    def __init__(self, path: Path) -> None:
        self.arrays = dict(np.load(path))
        self.tokens, self.bounds = self.arrays["tokens"], self.arrays["bounds"]
        # Which word a token belongs to; places count from the sentence's first token.
        self.word = np.full(len(self.tokens), -1, dtype=np.int64)
        for number, (sentence, first, last) in enumerate(self.arrays["places"]):
            start = self.bounds[sentence]
            self.word[start + first : start + last] = number

    def sentence(self, number: int) -> np.ndarray:
        """Its first tokens."""
        low = self.bounds[number]
        return self.tokens[low : min(self.bounds[number + 1], low + LONGEST)].astype(np.int64)


def aligned(encoder: MultilingualEncoder, one: Side, other: Side, pairs: np.ndarray) -> np.ndarray:
    """Pairs of words, each by its number on its side."""
    order = np.argsort([len(one.sentence(pair[0])) for pair in pairs], kind="stable")
    found = []
    for start in range(0, len(order), SIZE):
        chosen = pairs[order[start : start + SIZE]]
        both = [
            states(encoder, [side.sentence(pair[column]) for pair in chosen])
            for column, side in ((0, one), (1, other))
        ]
        links = nearest(both[0], both[1])
        first = one.word[one.bounds[chosen[links[:, 0], 0]] + links[:, 1]]
        second = other.word[other.bounds[chosen[links[:, 0], 1]] + links[:, 2]]
        words = np.unique(np.stack([links[:, 0], first, second], axis=1), axis=0)
        # A word that is linked to two others, or to a function word as well, is not clear.
        for column in (1, 2):
            _, back, times = np.unique(
                words[:, [0, column]], axis=0, return_inverse=True, return_counts=True
            )
            words = words[times[back.ravel()] == 1]
        found.append(words[(words[:, 1] >= 0) & (words[:, 2] >= 0), 1:])
    return np.unique(np.concatenate(found), axis=0)


def main() -> None:
    """Write the usages."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("base", type=Path)
    arguments.add_argument("work", type=Path)
    given = arguments.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = MultilingualEncoder(given.base).to(device).eval()
    one, other = Side(given.work / "english.npz"), Side(given.work / "other.npz")
    words = aligned(encoder, one, other, other.arrays["pairs"])
    parts = {
        "pairs_english": (one, 0, ""),
        "pairs_taught": (one, 0, "taught_"),
        "pairs_other": (other, 1, ""),
    }
    for name, (side, column, prefix) in parts.items():
        chosen, arrays = words[:, column], side.arrays
        made = {key: arrays[f"{prefix}{key}"] for key in ("tokens", "bounds")}
        made["places"] = arrays[f"{prefix}places"][chosen]
        np.savez(given.work / f"{name}.npz", **made, lemma=arrays["lemma"][chosen])
    print(f"{len(words):,} pairs of words", flush=True)


if __name__ == "__main__":
    main()
