"""The paper's protocol once more, as described and without anything clever: the second computation.

Everything is read from the files again; scores come from POT and scikit-learn or, for the corrected
method, from transport solved one λ at a time.
"""

import ast
import csv
import itertools
import warnings
from collections import Counter

import numpy as np
import ot
from scipy.spatial.distance import cdist, jensenshannon
from scipy.stats import entropy, spearmanr, vonmises_fisher
from sklearn.cluster import AffinityPropagation
from sklearn.metrics.pairwise import cosine_similarity

from senseshift import transport, vectors

LAMS = [10, 20, 50, 100, 200, 500, 1000]
DAMPINGS = [0.5, 0.6, 0.7, 0.8, 0.9]
SHARES = [0.4, 0.6, 0.8]


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Data:
    """A folder: vectors, senses and statistics of the words in the order of the statistics."""

    def __init__(self, folder, vectors):
        ids = rows(vectors.with_suffix(".tsv"))
        place = {(r.get("lemma", r.get("word")), r.get("identifier", r.get("id"))): k
                 for k, r in enumerate(ids)}  # fmt: skip
        matrix = np.load(vectors).astype(np.float64)
        self.statistics = {r["lemma"]: r for r in rows(folder / "stats/opt/stats_groupings.csv")}
        self.words = list(self.statistics)
        self.vectors, self.senses = {}, {}
        for word in self.words:
            uses = rows(folder / "data" / word / "uses.csv")
            of = {
                r["identifier"]: int(r["cluster"])
                for r in rows(folder / f"clusters/opt/{word}.csv")
            }
            sides = [[r["identifier"] for r in uses if r["grouping"] == g] for g in "12"]
            self.vectors[word] = [matrix[[place[word, i] for i in side]] for side in sides]
            self.senses[word] = [[of[i] for i in side] for side in sides]

    def listed(self, word, name):
        return [np.array(ast.literal_eval(self.statistics[word][f"{name}{k}"])) for k in (1, 2)]


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def plan_of(u, v, lam, compat):
    """SUS of both sides and the cost of the transport."""
    cost = 1 - unit(u) @ unit(v).T
    if not compat:
        solved = transport.solve(np.maximum(cost, 0), lam=lam)
        return solved.sus_old, solved.sus_new, solved.cost
    a, b = np.ones(len(u)) / len(u), np.ones(len(v)) / len(v)
    plan = ot.unbalanced.mm_unbalanced(a, b, cost, lam, div="l2")
    return plan.sum(1) / a - 1, 1 - plan.sum(0) / b, (plan * cost).sum()


def ldr_of(u, v):
    def fitted(x):
        mean = x.mean(axis=0)
        length = np.linalg.norm(mean)
        kappa = length * (x.shape[1] - length**2) / (1 - length**2)
        return vonmises_fisher(mean / length, kappa), kappa

    (p, k), (q, j) = fitted(unit(u)), fitted(unit(v))
    return q.logpdf(unit(u)) - p.logpdf(unit(u)), q.logpdf(unit(v)) - p.logpdf(unit(v)), k, j


def clusters_of(u, v, damping, compat):
    def run(x):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = AffinityPropagation(
                damping=damping, affinity="precomputed", random_state=42
            ).fit(cosine_similarity(x) if compat else x @ x.T)
        if len(set(found.labels_)) > 1:
            return found.labels_, found.cluster_centers_indices_
        return np.zeros(len(x), int), [0 if compat else (x @ x.T).sum(1).argmax()]

    if not compat:  # to the last bit, on which clusters may depend
        u, v = vectors.unit(u, "old"), vectors.unit(v, "new")
    first, centres = run(u)
    both, _ = run(np.vstack((u[centres], v)))
    old = first.copy()
    if compat:
        for k in range(len(centres)):
            old[old == k] = both[k]
    else:
        old = np.array([both[k] for k in first])
    return old, both[len(centres) :]


def shares_of(old, new):
    labels = sorted({*old, *new})
    x, y = Counter(old), Counter(new)
    return (
        labels,
        np.array([x[k] / len(old) for k in labels]),
        np.array([y[k] / len(new) for k in labels]),
    )


def tau_of(old, new, compat):
    labels, p, q = shares_of(old, new)
    with np.errstate(divide="ignore"):
        values = np.log(q / p)
    if not compat:  # equal quotients of counts are equal, however shares were rounded
        values = np.round(values, 12)
    of = dict(zip(range(len(labels)) if compat else labels, values, strict=True))
    return [of[k] for k in [*old, *new]]


def gold_of(data, compat):
    """f*, g* of every word, and τ* of every usage (None without a sense)."""
    f, g, tau = [], [], []
    for word in data.words:
        old, new = ([k for k in side if k != -1] for side in data.senses[word])
        if compat:
            p, q = data.listed(word, "cluster_prob_dist")
            f.append(float(data.statistics[word]["change_graded"]))
            labels = range(len(p))
        else:
            labels, p, q = shares_of(old, new)
            f.append(jensenshannon(p, q, 2))
        g.append(entropy(q) - entropy(p))
        with np.errstate(divide="ignore"):
            of = dict(zip(labels, np.log(q / p).tolist(), strict=True))
        if not compat:
            of = {k: round(x, 12) for k, x in of.items()}
        tau.append([of.get(k) for side in data.senses[word] for k in side])
    finite = [x for word in tau for x in word if x is not None and np.isfinite(x)]
    high, low = max(finite), min(finite)
    tau = [[high if x == np.inf else low if x == -np.inf else x for x in word] for word in tau]
    return f, g, tau


def correlation(gold, scores):
    """Spearman's; NaN where all are alike."""
    gold, scores = list(gold), list(scores)
    same = len(set(gold)) < 2 or len(set(scores)) < 2
    return np.nan if same else spearmanr(gold, scores)[0]


def splits_of(count, number):
    np.random.seed(42)  # noqa: NPY002
    for _ in range(number):
        chosen = np.random.choice(count, int(count * 0.8), replace=False)  # noqa: NPY002
        yield list(chosen), [k for k in range(count) if k not in chosen]


def beyond(pair, theta, sign):
    old, new = pair
    return sign * sum(x for x in old if x < -theta) + sum(x for x in new if x > theta)


def scope(old, new):
    """log(V_T/V_S); 0 where neither side varies."""
    x, y = (np.log(side.var()) if side.std() > 1e-12 else -np.inf for side in (old, new))
    return 0.0 if x == y else y - x


def word_methods(data, compat):
    """By name: the grid, and a function from hyper-parameter and set of words to their scores."""
    pairs = [data.vectors[word] for word in data.words]
    solved = {lam: [plan_of(*pair, lam, compat) for pair in pairs] for lam in LAMS}
    ldr = [ldr_of(*pair) for pair in pairs]
    found = {d: [clusters_of(*pair, d, compat) for pair in pairs] for d in DAMPINGS}
    costs = [1 - unit(u) @ unit(v).T for u, v in pairs]

    def kept(scores):
        """What only rounding tells apart is equal; not so as published."""
        return scores if compat else np.round(scores, 12)

    def chosen_from(of):
        """Scores that do not depend on which words are looked at, each computed once."""
        return list(of), lambda parameter, words: kept([of[parameter][k] for k in words])

    def fixed(score):
        return chosen_from({None: [score(k) for k in range(len(pairs))]})

    def by_lam(score):
        return chosen_from({lam: [score(*s) for s in solved[lam]] for lam in LAMS})

    def by_damping(score):
        return chosen_from(
            {
                d: [score(*labels, *pair) for labels, pair in zip(found[d], pairs, strict=True)]
                for d in DAMPINGS
            }
        )

    def by_threshold(sign):
        def scores(parameter, words):
            lam, r = parameter
            largest = {k: max(np.abs(np.concatenate(solved[lam][k][:2]))) for k in words}
            shared = max(largest.values())
            thetas = {k: r * (largest[k] if compat else shared) for k in words}
            return kept([beyond(solved[lam][k][:2], thetas[k], sign) for k in words])

        return list(itertools.product(LAMS if compat else [10, 100, 1000], SHARES)), scores

    def prototypes(old, new, u, v):
        mu = [u[old == k].mean(0) for k in sorted(set(old))]
        nu = [v[new == k].mean(0) for k in sorted(set(new))]
        return cdist(mu, nu, "canberra").mean()

    def cosine(u, v):
        return 1 - u @ v / np.linalg.norm(u) / np.linalg.norm(v)

    methods = {
        "f_SUS": by_lam(lambda a, b, _: abs(a.mean() - b.mean())),
        "f_1": by_lam(lambda a, b, _: abs(a).sum() + abs(b).sum()),
        "f_2": by_threshold(-1),
        "f_3": by_lam(lambda a, b, cost: cost),
        "f_OT": fixed(lambda k: ot.emd2([], [], costs[k])),
        "f_APD": fixed(lambda k: costs[k].mean()),
        "f_LDR": fixed(lambda k: abs(ldr[k][0].mean() - ldr[k][1].mean())),
        "f_WiDiD": by_damping(lambda a, b, *_: jensenshannon(*shares_of(a, b)[1:])),
        "f_APDP": by_damping(prototypes),
        "f_PRT": fixed(lambda k: cosine(pairs[k][0].mean(0), pairs[k][1].mean(0))),
        "g_SUS": by_lam(lambda a, b, _: scope(a, b)),
        "g_1": by_threshold(1),
        "g_vMF": fixed(lambda k: np.log(ldr[k][2] / ldr[k][3])),
        "g_LDR": fixed(lambda k: np.log(ldr[k][1].var() / ldr[k][0].var())),
        "g_WiDiD": by_damping(
            lambda a, b, *_: entropy(shares_of(a, b)[2]) - entropy(shares_of(a, b)[1])
        ),
    }
    usages = {
        "tau_SUS": {lam: [np.concatenate(s[:2]) for s in solved[lam]] for lam in LAMS},
        "tau_LDR": {None: [np.concatenate(s[:2]) for s in ldr]},
        "tau_WiDiD": {d: [tau_of(*pair, compat) for pair in found[d]] for d in DAMPINGS},
    }
    return methods, usages


def first_best(grid, correlate):
    best, at = -np.inf, None
    for parameter in grid:
        found = round(correlate(parameter), 12)
        if found > best:
            best, at = found, parameter
    return at


def tuned_words(grid, scores, gold, splits):
    """The correlation of every split, and what was chosen for it."""
    values, chosen = [], []
    for valid, test in splits:
        of_valid = [gold[k] for k in valid]
        at = first_best(grid, lambda p, g=of_valid, w=valid: correlation(g, scores(p, w)))
        chosen.append(at)
        values.append(correlation([gold[k] for k in test], scores(at, test)))
    return values, chosen


def pooled(scores, tau, words, impute):
    """τ* and scores of the usages of some words that have τ*."""
    scores = {k: list(scores[k]) for k in range(len(tau))}
    if impute:
        everywhere = impute == "over all words"
        reach = [
            x
            for k in (scores if everywhere else words)
            for x, t in zip(scores[k], tau[k], strict=True)
            if np.isfinite(x) and (everywhere or t is not None)
        ]
        high, low = max(reach, default=0.0), min(reach, default=0.0)
        for k in words:
            scores[k] = [high if x == np.inf else low if x == -np.inf else x for x in scores[k]]
    pairs = [(t, x) for k in words for t, x in zip(tau[k], scores[k], strict=True)]
    known = [pair for pair in pairs if pair[0] is not None]
    return [t for t, _ in known], [x for _, x in known]


def levels(gold, scores, undefined):
    """Instance level and sense level."""
    of = {t: [x for g, x in zip(gold, scores, strict=True) if g == t] for t in set(gold)}
    means = {t: round(np.mean(some), 12) for t, some in of.items()}
    found = correlation(gold, scores), correlation(means, means.values())
    return [undefined if np.isnan(level) else level for level in found]


def tuned_usages(by_parameter, tau, splits, groups, periods, impute, undefined):
    """By column the correlation of every split, and what was chosen for it."""
    values, chosen = {}, []
    for valid, test in splits:
        at = first_best(
            by_parameter,
            lambda p, w=valid: correlation(*pooled(by_parameter[p], tau, w, impute)),
        )
        chosen.append(at)
        for name, group in {"": set(test), **groups}.items():
            words = [k for k in test if k in group]
            instance = sense = np.nan
            if words:
                of_words = pooled(by_parameter[at], tau, words, impute)
                instance, sense = levels(*of_words, undefined)
            values.setdefault(f"instance{name}", []).append(instance)
            values.setdefault(f"sense{name}", []).append(sense)
        for name, of_period in periods.items():
            within = pooled(by_parameter[at], of_period, test, impute)
            values.setdefault(f"instance{name}", []).append(levels(*within, undefined)[0])
    return values, chosen


def everything(folder, vectors, *, compat, number):
    """By method and column the correlation of every split, and by method what was chosen."""
    data = Data(folder, vectors)
    f, g, tau = gold_of(data, compat)
    if not compat:
        f, g = np.round(f, 12), np.round(g, 12)
    splits = list(splits_of(len(data.words), number))
    methods, usages = word_methods(data, compat)
    values, chosen = {}, {}
    for name, (grid, scores) in methods.items():
        gold = f if name[0] == "f" else g
        values[name, "spearman"], chosen[name] = tuned_words(grid, scores, gold, splits)
    judged = [data.statistics[word]["change_binary"] for word in data.words]
    groups = {
        name: {k for k, judgement in enumerate(judged) if judgement == which}
        for name, which in (("_stable", "0"), ("_changed", "1"))
    }
    olds = [len(data.senses[word][0]) for word in data.words]
    periods = {
        name: [
            [t if (k >= old) == new else None for k, t in enumerate(of)]
            for of, old in zip(tau, olds, strict=True)
        ]
        for name, new in (("_old", False), ("_new", True))
    }
    for name, by_parameter in usages.items():
        impute = ("within" if compat else "over all words") if name == "tau_WiDiD" else None
        undefined = 0.0 if compat else np.nan
        found, chosen[name] = tuned_usages(
            by_parameter, tau, splits, groups, periods, impute, undefined
        )
        values |= {(name, column): column_values for column, column_values in found.items()}
    return {key: np.array(of) for key, of in values.items()}, chosen


def without_splits(folder, vectors, *, compat):
    """Table 6: by method and λ the correlation over all words, and the best r."""
    data = Data(folder, vectors)
    f, g, tau = gold_of(data, compat)
    found = {}
    for lam in (1, 10, 100, 1000):
        solved = [plan_of(*data.vectors[word], lam, compat) for word in data.words]
        sus = [np.concatenate(s[:2]) for s in solved]
        found["tau_SUS", lam] = correlation(*pooled(sus, tau, range(len(tau)), None)), None
        largest = [max(abs(scores)) for scores in sus]
        for name, gold, sign in (("f_2", f, -1), ("g_1", g, 1)):
            tried = [-np.inf]
            for k in range(1, 10):
                thetas = [k / 10 * (m if compat else max(largest)) for m in largest]
                scores = [
                    beyond(s[:2], theta, sign) for s, theta in zip(solved, thetas, strict=True)
                ]
                same = len({round(x, 12) for x in scores}) == 1
                tried.append(-np.inf if same else round(spearmanr(gold, scores)[0], 12))
            found[name, lam] = max(tried), tried.index(max(tried)) / 10
        for name, gold, score in (
            ("f_SUS", f, lambda a, b, _: abs(a.mean() - b.mean())),
            ("f_1", f, lambda a, b, _: abs(a).sum() + abs(b).sum()),
            ("f_3", f, lambda a, b, cost: cost),
            ("g_SUS", g, lambda a, b, _: scope(a, b)),
        ):
            found[name, lam] = spearmanr(gold, [score(*s) for s in solved])[0], None
    return found
