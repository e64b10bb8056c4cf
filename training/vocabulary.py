"""The base of the multilingual encoder with the words of some scripts only.

    python training/vocabulary.py e5-small-q4.bin base/

Writes the tokenizer, the configuration and the weights. Of the 250,000 pieces those stay that are
written in Latin, Greek or Cyrillic letters as European languages use them, or in no letters.
"""

from __future__ import annotations

import argparse
import json
import unicodedata
from pathlib import Path

import numpy as np
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from e5 import SPECIAL, WORDS, Packed, Table, save

SCRIPTS = {"LATIN", "GREEK", "CYRILLIC", "COMBINING", "MODIFIER"}
# Latin letters with dots below and the like belong to Vietnamese and West Africa, but these to
# Welsh, Irish and German.
ELSEWHERE = set(map(chr, range(0x1E00, 0x1F00))) - set("ẀẁẂẃẄẅỲỳḂḃḊḋḞḟṀṁṖṗṠṡṪṫẞ")
SPACE = "▁"


def european(piece: str) -> bool:
    """Whether a piece may occur in a language that is claimed."""
    for letter in piece.replace(SPACE, ""):
        if unicodedata.category(letter)[0] in "LM":
            script = unicodedata.name(letter, "?").split()[0]
            if script not in SCRIPTS or letter in ELSEWHERE:
                return False
        elif ord(letter) > 0x2FFF:  # Punctuation of East Asia, pictures.
            return False
    return True


def kept(pieces: list[str]) -> np.ndarray:
    """The numbers of the pieces that stay, special ones first."""
    last = len(pieces) - 1  # A mask, which nothing here needs.
    return np.array(
        [n for n, piece in enumerate(pieces[:last]) if n < len(SPECIAL) or european(piece)]
    )


def tokenizer_of(pieces: list[str], scores: np.ndarray) -> Tokenizer:
    """A unigram tokenizer as the original's, sentence marks included."""
    vocabulary = [(piece, float(score)) for piece, score in zip(pieces, scores, strict=True)]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=SPECIAL.index("<unk>")))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(SPACE, "always")]
    )
    tokenizer.decoder = decoders.Metaspace(SPACE, "always")
    begin, end = "<s>", "</s>"
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} {end} $B {end}",
        special_tokens=[(name, SPECIAL.index(name)) for name in (begin, end)],
    )
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer


def main() -> None:
    """Write the folder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("packed", type=Path)
    arguments.add_argument("output", type=Path)
    given = arguments.parse_args()
    packed = Packed.read(given.packed)
    rows = kept(packed.pieces)
    words = packed.weights[WORDS]
    assert isinstance(words, Table)
    given.output.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of([packed.pieces[row] for row in rows], packed.scores[rows])
    tokenizer.save(str(given.output / "tokenizer.json"), pretty=False)
    config = packed.config | {"vocab_size": len(rows)}
    (given.output / "config.json").write_text(json.dumps(config) + "\n")
    save(packed.weights | {WORDS: words[rows]}, given.output / "base.npz")
    print(f"{len(rows):,} of {len(packed.pieces):,} pieces stay")


if __name__ == "__main__":
    main()
