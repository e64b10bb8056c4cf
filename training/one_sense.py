"""Words of one sense: whatever they are used about, in whatever manner, it is that one."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np

EACH = 2  # usages of a word from a text, at the least
FEWEST = 20  # words that two texts must share


class OneSense:
    """Usages of words that have but one sense and stand in several texts.

    Texts differ in manner, and words in the texts they stand in.  Groups are drawn so that a
    manner tells nothing of a sense: all their words come from the same two texts, equally often.
    """

    def __init__(self, usages: np.ndarray, lemma: np.ndarray, text: np.ndarray) -> None:
        of_words: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for usage in usages.tolist():
            of_words[int(lemma[usage])][int(text[usage])].append(usage)
        shared: dict[tuple[int, int], list[tuple[np.ndarray, np.ndarray]]] = defaultdict(list)
        for texts in of_words.values():
            enough = sorted(text for text, found in texts.items() if len(found) >= EACH)
            for pair in combinations(enough, 2):
                shared[pair].append(tuple(np.array(texts[text]) for text in pair))
        self.words = [words for words in shared.values() if len(words) >= FEWEST]
        if not self.words:
            raise SystemExit(f"No two texts that share {FEWEST} words of one sense were prepared.")

    def group(self, words: int, usages: int, rng: np.random.Generator) -> np.ndarray:
        """So many usages of so many words of two texts."""
        texts = self.words[rng.integers(len(self.words))]
        chosen = rng.choice(len(texts), size=words, replace=False)
        each = usages // words // 2
        return np.concatenate(
            [rng.permutation(part)[:each] for word in chosen for part in texts[word]]
        )
