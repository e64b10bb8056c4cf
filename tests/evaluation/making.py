"""Small folders of word usage graphs, with vectors that know the sense of each usage."""

import numpy as np

from senseshift.encoders import write_vectors

HEADER = "lemma\tpos\tdate\tgrouping\tidentifier\tdescription\tcontext\tindexes_target_token"
COLUMNS = (
    "lemma", "grouping", "cluster_freq_dist1", "cluster_freq_dist2", "cluster_prob_dist1",
    "cluster_prob_dist2", "change_binary", "change_graded",
)  # fmt: skip


def made_words(count=11, seed=1):
    """Words with two or three senses whose numbers change, more in some than in others."""
    rng = np.random.default_rng(seed)
    words = {}
    for k in range(count):
        senses = 2 + k % 2
        old = rng.multinomial(12, rng.dirichlet(np.ones(senses) * 2))
        new = rng.multinomial(14, rng.dirichlet(np.ones(senses) * 2))
        words[f"word{k:02}_nn"] = (old.tolist(), new.tolist())
    return words


def make_wug(folder, words, *, clusters=True, statistics=True, unknown=(), seed=0):
    """Write data, senses, statistics and ``vectors.npy``; returns the path of the vectors.

    ``words`` has the numbers of old and new usages in each sense; every fifth usage of the words
    in ``unknown`` has no sense.
    """
    rng = np.random.default_rng(seed)
    ids, lemmas, vectors, rows = [], [], [], []
    for number, (word, (old, new)) in enumerate(words.items()):
        uses, senses = [HEADER], ["identifier\tcluster"]
        counts = [[0] * len(old), [0] * len(new)]
        for period, numbers in enumerate((old, new)):
            for k, sense in enumerate(np.repeat(np.arange(len(numbers)), numbers).tolist()):
                known = not (word in unknown and k % 5 == 0)
                name = f"{word}-{period}-{k}"
                text = f"sense {sense}: the word {k}."
                uses.append(f"{word}\tnn\t1800\t{period + 1}\t{name}\t \t{text}\t13:17")
                senses.append(f"{name}\t{sense if known else -1}")
                counts[period][sense] += known
                ids.append(name)
                lemmas.append(word)
                direction = np.zeros(8)
                direction[sense], direction[4 + number % 3] = 1.0, 0.6
                vectors.append(direction + 0.5 * rng.normal(size=8))
        _write(folder / "data" / word / "uses.csv", uses)
        if clusters:
            _write(folder / "clusters" / "opt" / f"{word}.csv", senses)
        rows.append(_statistics(word, *counts))
    if statistics:
        _write(folder / "stats" / "opt" / "stats_groupings.csv", ["\t".join(COLUMNS), *rows])
    write_vectors(folder / "vectors.npy", np.array(vectors, np.float32), ids, lemmas)
    return folder / "vectors.npy"


def _statistics(word, old, new):
    """A row as in DWUG: shares rounded to three decimals; changed if a sense was won or lost."""
    p, q = (np.array(side) / max(sum(side), 1) for side in (old, new))
    middle = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        divergence = sum(np.nansum(side * np.log2(side / middle)) / 2 for side in (p, q))
    changed = int(any((x == 0) != (y == 0) for x, y in zip(old, new, strict=True)))
    shares = [[round(float(share), 3) for share in side] for side in (p, q)]
    cells = (word, "1_2", old, new, *shares, changed, float(np.sqrt(divergence)))
    return "\t".join(map(str, cells))


def _write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
