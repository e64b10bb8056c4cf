"""Usages with and without sense labels, as the token arrays that training reads.

    python training/prepare.py USAGES.jsonl.gz WORDNET/dict WEBSTER.jsonl.gz WEBSTER.txt \\
        training/written tokenizer.json DEV.json.gz work/ [--sentences SENTENCES.txt …]

All sentences are tokenised once; a usage is a sentence and the place of its target in it. A second
version of every sentence is spelt as an old print might be. Beside its sense a usage has the group
of closely related senses that this is one of, and the family of groups that are related at all, as
far as somebody has judged them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import simplemma
from tokenizers import Tokenizer

import texts as real_texts
from kinds import BARE, EXAMPLE, GLOSS, IN_TEXT, READ, WEBSTER, WRITTEN

# A lemma is held out of all training, to measure by, if its checksum says so: about 4 %.
HELD_OUT, FOLDS = 25, 4
# Words of definitions, without labels: only lemmas with a few contexts, and not too many of each.
FEWEST, MOST = 4, 60

RELATED = Path(__file__).parent / "related.txt"
PARTS = ("train", CHOOSE := "choose")  # of the usages that were read

# Letters by which copies of WordNet differ in where a sense begins.
MENDED = 18

# Nouns to WordNet, in texts something else.
FUNCTIONAL = {"aught", "bade", "might", "nobody", "rugged", "shook", "somebody", "someone", "thou"}
FUNCTIONAL |= {"ness", "while", "who", "why", "wont"}

# Running text comes first, then the examples, of which this is the first.
FIRST_EXAMPLE = "it was full of rackets"

Row = tuple[str, str, str, int, int]  # lemma, sense, text, start, end


def labelled(path: Path) -> Iterator[Row]:
    """Usages of SemCor, in the order of its texts, and the examples of WordNet."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            lemma, sense, text, start, end = json.loads(line)
            yield lemma, sense, text, start, end


def one_name(rows: Iterable[Row], known: Iterable[tuple[str, str]]) -> Iterator[Row]:
    """The same usages, their senses named as the known ones, lemma and sense, of a copy of WordNet.

    A sense is named by where it begins in a file, and copies in which a letter was mended differ
    from there on: a sense of a lemma that begins a few letters further is the same one.
    """
    begins = defaultdict(set)
    for lemma, name in known:
        if name.startswith("eng30-"):
            begins[lemma].add(int(name[6:-2]))
    for lemma, sense, *rest in rows:
        if sense.startswith("eng30-"):
            here = int(sense[6:-2])
            near = [begin for begin in begins[lemma] if abs(begin - here) <= MENDED]
            if here not in near and len(near) == 1:
                sense = f"eng30-{near[0]:08d}-{sense[-1]}"
        yield lemma, sense, *rest


def related(path: Path) -> Iterator[tuple[str, str, int, int]]:
    """Lemma, sense, group and family of ``lemma: sense sense / sense // sense``."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        lemma, _, families = line.partition(": ")
        group = 0
        for family, groups in enumerate(families.split("//")):
            for members in groups.split("/"):
                for member in members.split():
                    offset = f"eng30-{member}-{lemma[-1]}"
                    yield lemma, offset if len(member) == 8 else f"{lemma}-{member}", group, family
                group += 1


def definitions(wordnet: Path) -> Iterator[tuple[str, list[str], str]]:
    """Every synset's name, lemmas and definition."""
    for part, pos in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in (wordnet / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields, _, gloss = line.partition(" | ")
            offset, _, _, count, *rest = fields.split(" ")
            words = [re.sub(r"\(\w+\)$", "", word) for word in rest[: 2 * int(count, 16) : 2]]
            definition = re.split(r'; "', gloss)[0].strip()
            yield f"eng30-{offset}-{pos}", [f"{word.lower()}.{pos}" for word in words], definition


def of_glosses(wordnet: Path, senses: set[tuple[str, str]]) -> Iterator[Row]:
    """A usage for each labelled sense: the lemma with its definition."""
    for name, lemmas, definition in definitions(wordnet):
        for lemma in lemmas:
            if (lemma, name) in senses:
                word = lemma[:-2].replace("_", " ")
                yield lemma, name, f"{word}: {definition}", 0, len(word)


def single(wordnet: Path) -> set[str]:
    """Nouns that WordNet gives one sense in all, so that all their usages share it."""
    every = [lemma for _, lemmas, _ in definitions(wordnet) for lemma in set(lemmas)]
    senses = Counter(lemma[:-2] for lemma in every)
    nouns = {lemma[:-2] for lemma in every if lemma.endswith(".n")}
    return {word for word in nouns if senses[word] == 1} - FUNCTIONAL


def bare(texts: Iterable[str], known: set[str], single: set[str]) -> Iterator[Row]:
    """Words of texts such as definitions: without labels, unless they have but one sense."""
    for text in texts:
        for found in re.finditer(r"\b[a-z]{3,}", text):
            lemma = simplemma.lemmatize(found.group(), "en")
            if lemma in known:
                sense = lemma if lemma in single else ""
                yield f"{lemma}.?", sense, text, found.start(), found.end()


def written(path: Path) -> Iterator[Row]:
    """Usages written for training: ``lemma.pos|sense|manner|text with its [target]``."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            lemma, sense, _, marked = line.strip().split("|")
            before, target, after = re.split(r"[\[\]]", marked)
            start = len(before)
            text = before + target + after
            # Writers number senses each in their own way.
            name = f"{lemma}.{path.stem}"
            yield name, f"{name}-{sense}", text, start, start + len(target)


def read(path: Path, texts: Iterable[str], part: str) -> Iterator[Row]:
    """Usages of texts whose senses were told by reading: of a part, to train or to choose by."""
    for word, sense, *usage, _ in real_texts.labelled(path, texts, part):
        yield f"{word}.read.{part}", f"{word}.read.{part}-{sense}", *usage


def eras(kinds: np.ndarray, path: Path | None, texts: Iterable[str]) -> np.ndarray:
    """Whether usages that were read are of an old text (0) or a new one (1); −1 of the others."""
    found = np.full(len(kinds), -1, dtype=np.int8)
    if path:
        known = (real_texts.labelled(path, texts, part) for part in PARTS)
        found[kinds == READ] = [not old for rows in known for *_, old in rows]
    return found


def levels(rows: Iterable[Row], known: Path) -> np.ndarray:
    """The group and the family of every usage's sense, or −1 where nobody judged it.

    The senses told by reading are groups already, and their first letters say the families.
    """
    found = {row[:2]: row[2:] for row in related(known)}
    names = defaultdict(dict)
    judged = []
    for lemma, sense, *_ in rows:
        level = found.get((lemma, sense), (-1, -1))
        if ".read." in lemma:
            label = sense.rpartition("-")[2]
            level = tuple(
                names[lemma, kind].setdefault(name, len(names[lemma, kind]))
                for kind, name in (("group", label), ("family", label[0]))
            )
        judged.append(level)
    return np.array(judged, dtype=np.int8)


def words_of(path: Path) -> Iterator[str]:
    """The words of written usages."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            yield line.removeprefix("#").partition(".")[0].strip()


def rare_enough(rows: list[Row], seed: int) -> list[Row]:
    """A sample of at most MOST usages of every lemma that has FEWEST or more."""
    rng = np.random.default_rng(seed)
    by_lemma = defaultdict(list)
    for number, row in enumerate(rows):
        by_lemma[row[0]].append(number)
    kept = [
        number
        for numbers in by_lemma.values()
        if len(numbers) >= FEWEST
        for number in rng.permutation(numbers)[:MOST]
    ]
    return [rows[number] for number in sorted(kept)]


def group_of(lemma: str, tested: set[str]) -> int:
    """The fold of a lemma, or −1 if it is held out; words with one spelling go together."""
    word, _, kind = lemma.partition(".")
    checksum = zlib.crc32(word.encode())
    held = checksum % HELD_OUT == 0 or word in tested or kind == f"read.{CHOOSE}"
    return -1 if held else checksum // HELD_OUT % FOLDS


OLD_SPELLINGS = [
    (r"\bto(day|morrow|night)\b", r"to-\1"),
    (r"\b(any|every|some)(one|body|thing)\b", r"\1 \2"),
    (r"\bshow(s|ed|n|ing)?\b", r"shew\1"),
    (r"nnection(s?)\b", r"nnexion\1"),
    (r"\b(music|public|logic|critic|physic|topic)\b", r"\1k"),
    (r"(?<=[a-z][^aeiou])or\b", "our"),
    (r"iz(e[sd]?|ing)\b", r"is\1"),
    (r"(?<=[^e\W])ed\b", "'d"),
    (r"\b(chosen|until|although|through)\b", lambda m: OLD_WORDS[m.group()]),
]
OLD_WORDS = {"chosen": "chose", "until": "till", "although": "altho'", "through": "thro'"}


def aged(text: str, rng: np.random.Generator) -> tuple[str, list[int]]:
    """The text in older spelling with a few misprints, and where each character's word begins."""
    written, starts = "", []
    for piece in re.findall(r"\w+|\W", text):
        changed = piece
        for pattern, old in OLD_SPELLINGS:
            if rng.random() < 0.5:
                changed = re.sub(pattern, old, changed)
        if len(piece) > 3 and rng.random() < 0.03:
            place = int(rng.integers(len(changed)))
            changed = changed[:place] + "sfclieo"[rng.integers(7)] + changed[place + 1 :]
        starts += [len(written)] * len(piece)
        written += changed
    return written, [*starts, len(written)]


def in_old_spelling(rows: list[Row], seed: int) -> list[Row]:
    """The same usages with all but their targets in older spelling."""
    rng = np.random.default_rng(seed)
    known: dict[str, tuple[str, list[int]]] = {}
    old = []
    for lemma, sense, text, start, end in rows:
        if text not in known:
            known[text] = aged(text, rng)
        written, starts = known[text]
        old.append((lemma, sense, written, starts[start], max(starts[end], starts[start] + 1)))
    return old


def tokenised(rows: list[Row], tokenizer: Tokenizer) -> dict[str, np.ndarray]:
    """Sentences as token ids one after the other, usages as places in them."""
    number: dict[str, int] = {}
    for row in rows:
        number.setdefault(row[2], len(number))
    encodings = tokenizer.encode_batch(list(number), add_special_tokens=False)
    lengths = [len(encoding.ids) for encoding in encodings]
    kind = np.uint16 if tokenizer.get_vocab_size() < 1 << 16 else np.uint32
    places = []
    for _, _, text, start, end in rows:
        offsets = encodings[number[text]].offsets
        touched = [i for i, (a, b) in enumerate(offsets) if max(a, start) < min(b, end)]
        places.append((number[text], touched[0], touched[-1] + 1) if touched else (-1, 0, 0))
    return {
        "tokens": np.concatenate([np.array(e.ids, dtype=kind) for e in encodings]),
        "bounds": np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        "places": np.array(places, dtype=np.int32),
    }


def tokenizer_in(path: Path) -> Tokenizer:
    """A tokenizer that leaves texts whole."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def write_pairs(pairs: list[list[object]], tokenizer: Tokenizer, path: Path) -> None:
    """Pairs of usages, two rows each, and whether they share a sense."""
    sides = [("", "", *pair[i : i + 3]) for pair in pairs for i in (0, 3)]
    same = np.array([pair[6] for pair in pairs], dtype=bool)
    np.savez_compressed(path, **tokenised(sides, tokenizer), same=same)


def main() -> None:
    """Write the arrays."""
    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ("usages", "wordnet", "webster", "webster_text", "written", "tokenizer"):
        arguments.add_argument(name, type=Path)
    arguments.add_argument("development", type=Path)
    arguments.add_argument("output", type=Path)
    arguments.add_argument(
        "--sentences", type=Path, nargs="*", default=[], help="more text, one sentence a line"
    )
    arguments.add_argument("--read", type=Path, help="labels of usages in those, as texts.py has")
    arguments.add_argument(
        "--more", type=Path, nargs="*", default=[], help="sentences for these labels alone"
    )
    arguments.add_argument("--related", type=Path, default=RELATED, help="senses that go together")
    arguments.add_argument("--without", nargs="*", default=[], help="words to measure by")
    given = arguments.parse_args()
    tokenizer = tokenizer_in(given.tokenizer)

    named = ((lemma, sense) for sense, of, _ in definitions(given.wordnet) for lemma in of)
    rows = list(one_name(labelled(given.usages), named))
    running = next(i for i, row in enumerate(rows) if row[2].startswith(FIRST_EXAMPLE))
    known = {lemma[:-2] for _, lemmas, _ in definitions(given.wordnet) for lemma in lemmas}
    senses = {(lemma, sense) for lemma, sense, *_ in rows}
    tests = sorted(given.written.glob("test*.txt"))
    test = [row for path in tests for row in written(path)]
    own = [row for path in sorted(given.written.glob("train*.txt")) for row in written(path)]
    old = [(f"{lemma}.webster", *rest) for lemma, *rest in labelled(given.webster)]
    running_text, quoted = ({row[2]: None for row in part} for part in (rows, old))
    plain = given.webster_text.read_text("utf-8").splitlines()
    dictionaries = [
        (text for *_, text in definitions(given.wordnet)),
        (text for text in plain if text not in quoted),
    ]
    more = [path.read_text("utf-8").splitlines() for path in given.sentences]
    texts = [quoted, running_text, *more, {row[2]: None for row in own}]
    alone = [path.read_text("utf-8").splitlines() for path in given.more]
    found = [text for part in (quoted, running_text, *more, *alone) for text in part]
    by_reading = [list(read(given.read, found, part)) if given.read else [] for part in PARTS]
    # A word is used about all kinds of things in texts, but not where words are defined.
    of_words = [
        *(bare(each, known, set()) for each in dictionaries),
        *(bare(each, known, single(given.wordnet)) for each in texts),
    ]
    parts = [
        (IN_TEXT, rows[:running]),
        (EXAMPLE, rows[running:]),
        (GLOSS, list(of_glosses(given.wordnet, senses))),
        (WEBSTER, old),
        (WRITTEN, own),
        (WRITTEN, test),
        *((READ, part) for part in by_reading),
        *((BARE, rare_enough(list(each), seed=0)) for each in of_words),
    ]
    sizes = [len(part) for _, part in parts]
    kinds = np.repeat([kind for kind, _ in parts], sizes)
    rows = [row for _, part in parts for row in part]
    tested = {*given.without, *(word for path in tests for word in words_of(path))}

    arrays = tokenised(rows, tokenizer)
    aged = tokenised(in_old_spelling(rows, seed=0), tokenizer)
    arrays |= {f"old_{name}": array for name, array in aged.items()}
    lemmas = {lemma: i for i, lemma in enumerate(sorted({row[0] for row in rows}))}
    names = {sense: i for i, sense in enumerate(sorted({row[1] for row in rows}))}
    arrays["lemma"] = np.array([lemmas[row[0]] for row in rows], dtype=np.int32)
    arrays["sense"] = np.array([names[row[1]] for row in rows], dtype=np.int32)
    arrays["group"], arrays["family"] = levels(rows, given.related).T
    arrays["fold"] = np.array([group_of(row[0], tested) for row in rows], dtype=np.int8)
    arrays["kind"] = kinds.astype(np.int8)
    arrays["source"] = np.repeat(np.arange(len(parts), dtype=np.int8), sizes)
    arrays["era"] = eras(kinds, given.read, found)
    whole = (arrays["places"][:, 0] >= 0) & (arrays["old_places"][:, 0] >= 0)
    # The same usage has the same number whatever the tokenizer.
    arrays["number"] = np.arange(len(rows), dtype=np.int32)
    for name in ("places", "old_places", "number", "lemma", "sense", "group", "family"):
        arrays[name] = arrays[name][whole]
    for name in ("fold", "kind", "source", "era"):
        arrays[name] = arrays[name][whole]
    given.output.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(given.output / "training.npz", **arrays)
    with gzip.open(given.development, "rt", encoding="utf-8") as file:
        development = json.load(file)
    for name, pairs in development.items():
        write_pairs(pairs, tokenizer, given.output / f"{name}.npz")
    print({name: array.shape for name, array in arrays.items()}, Counter(arrays["kind"].tolist()))


if __name__ == "__main__":
    main()
