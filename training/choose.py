"""Everything that is chosen by held-out words, for an encoder: what its card and settings say.

    python training/choose.py training/written/test.txt [bundled] [--lemmas usages.jsonl.gz] \\
        [--addresses sotu.jsonl.gz] [--texts novels.txt …]

Prints the forms of the calibration, the ways to induce senses over their cuts, the rules by which
a word is said to have changed, the log ratio of a usage, and what samples of a size can show.  The
last line is the calibration for the encoder's ``senseshift.json``; a table says where every other
figure goes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from choose_rules import RULES, balance, found_at, judged, log_ratios, outcome
from choose_rules import agreement as agreement_of_senses
from choose_senses import (
    ADDRESSES,
    CONCEPTS,
    CUTS,
    READ,
    WAYS,
    Sides,
    Word,
    agreements,
    best,
    calibration_of,
    calibrations,
    concepts_of,
    held_lemmas,
    leaning,
    main_shares,
    read_words,
    real_words,
    skewed,
    words_of,
)
from planted_words import Held, Maker, as_they_are, dealt
from senseshift.calibration import Calibration
from senseshift.encoders import load
from senseshift.resampling.power import detectable
from senseshift.senses.induction import CUTS as FINE_CUTS
from senseshift.senses.induction import SMALLEST, agreement, choose_cut
from senseshift.senses.manner import Manner

# Texts by which the cut is chosen, each counting the same, with closely related senses as one.
CHOOSE = ("written, concepts", ADDRESSES, CONCEPTS, READ)
# Cuts that agree nearly as well with these are told apart by verdicts on real words.
NEARLY = 0.01
# Of how far apart words lie: the cut at which real texts, the last three, agree best with them.
PART = 0.46
DRIFTS = (1.0, 2.0, 3.0)  # how much further apart than the written manners two periods are
LARGE = (90, 110)  # usages a side of words in natural shares, as data sets have them
SIDES = (12, 20, 30, 50, 100)  # usages a side, to see what is found
GOES = {
    "middle, width, cut, apart": "calibration in the encoder's senseshift.json: the last line",
    "groups that join": "senses/induction.py: SMALLEST",
    "q of a sense": "senses/verdict.py: MARKED, findings/statement.py: CLEAR, MOVED",
    "usages in an induced sense, less others'": "resampling/power.py: AGREEMENT",
    "smallest share with 100 a side": "resampling/power.py: LEAST",
}


def of_senses(
    held: Held, others: Mapping[str, list[Word]], sides: Mapping[str, Sides]
) -> Calibration:
    """The calibration by the held-out words, the cut by these and real ones; others are shown.

    Of some of the others it is known which usages are of new texts.
    """
    words = concepts_of(held)
    found = calibration_of(words)
    print("\nCalibration: log loss and Brier score, ten-fold over words")
    for name, loss, brier in calibrations(words):
        print(f"  {name:24} {loss:.4f}  {brier:.4f}")
    print(f"  middle {found.middle:.4f}, width {found.width:.4f}")
    sets = {
        "written, concepts": words,
        "written": words_of(held),
        "skewed": [word for seed in range(5) for word in skewed(held, seed)],
        **others,
    }  # no made words: usages that share what they are made from lie nearer than real ones
    print("\nAdjusted Rand index, best cut in brackets; ± is the error of the gain over the first")
    print(f"  {'':34} " + "  ".join(f"{name:>22}" for name in sets))
    first: dict[str, np.ndarray] = {}
    for way, induce in WAYS.items():
        cells = []
        for name, of in sets.items():
            every = agreements(of, induce)
            column = best(every)
            gain = every[:, column] - first.setdefault(name, every[:, column])
            error = gain.std(ddof=1) / np.sqrt(len(of)) if len(of) > 1 else np.nan
            cells.append(f"{every[:, column].mean():.3f} [{CUTS[column]:.2f}] ± {error:.3f}")
        print(f"  {way:34} " + "  ".join(f"{cell:>22}" for cell in cells), flush=True)
    curve = {name: agreements(of, leaning(SMALLEST)).mean(axis=0) for name, of in sets.items()}
    print("\nThe way that is used, by its cut")
    for column, cut in enumerate(CUTS):
        print(f"  {cut:.2f}  " + "  ".join(f"{name} {c[column]:.3f}" for name, c in curve.items()))
    print(
        "\nThe cut that is best for each, how far apart usages of different words lie, their ratio"
    )
    for name, of in sets.items():
        cut, apart = choose_cut(of), Manner.of(units for units, _ in of).apart
        print(f"  {name:20} {cut:.2f}  {apart:.3f}  {cut / apart:.2f}", flush=True)
    curve = np.mean([agreement(sets[name]) for name in CHOOSE if name in sets], axis=0).round(12)
    cut = float(FINE_CUTS[int(curve.argmax())])
    if sides:
        studies = [as_they_are(others[name], side) for name, side in sides.items()]
        print("\nVerdicts on real words as they are, at cuts that agree nearly as well")
        scores = {}
        for near in FINE_CUTS[curve >= curve.max() - NEARLY].tolist():
            words = [word for of in studies for word in judged(of, replace(found, cut=near))]
            scores[near] = balance(words)
            print(f"  {near:.2f}  {outcome(words, next(iter(RULES.values())))}", flush=True)
        cut = max(scores, key=scores.__getitem__)
    return replace(found, cut=cut, apart=round(cut / PART, 3))


def of_rules(
    held: Held,
    calibration: Calibration,
    studies: int,
    lemmas: Mapping[str, list[Word]],
    mains: np.ndarray,
) -> None:
    """Rules, and log ratios."""
    assert calibration.cut is not None
    for of, real in lemmas.items():
        words = [w for k in range(studies) for w in judged(dealt(real, k), calibration)]
        print(f"\nReal usages ({of}), no drift: {len(words):,} words in {studies} studies")
        for name, rule in RULES.items():
            print(f"  {name:30} {outcome(words, rule)}", flush=True)
    for drift in DRIFTS:
        of_planted(Maker(held, drift), f"Drift {drift:g} × the manners'", calibration, studies)
    for drift in DRIFTS if mains.size else ():
        natural = Maker(held, drift, mains=mains, counts=LARGE)
        title = f"Natural shares, {LARGE[0]}–{LARGE[1]} a side, drift {drift:g}"
        of_planted(natural, title, calibration, studies)


def of_planted(maker: Maker, title: str, calibration: Calibration, studies: int) -> None:
    """Rules and log ratios of planted words."""
    assert calibration.cut is not None
    every = [judged(maker.study(seed), calibration) for seed in range(studies)]
    words = [word for study in every for word in study]
    changed = np.mean([word.word.kind != "none" for word in words])
    print(
        f"\n{title}: {len(words):,} planted words in {studies} studies, {changed:.0%} changed; "
        f"{maker.manner:.3f} of the manners' distance is not chance"
    )
    for name, rule in RULES.items():
        print(f"  {name:30} {outcome(words, rule)}")
    ratios = np.array([[x[1:] for x in log_ratios(study, calibration.cut)] for study in every])
    for side, name in enumerate(("old", "new")):
        whole, part = ratios[:, side].T
        error = (part - whole).std(ddof=1) / np.sqrt(studies) if studies > 1 else np.nan
        print(
            f"  log ratio, {name}: whole senses {whole.mean():.3f}, membership "
            f"{part.mean():.3f} (± {error:.3f})"
        )
    hit, false = agreement_of_senses(words)
    print(f"  a sense has {hit:.2f} of its usages in one induced sense, others {false:.2f}",
          flush=True)  # fmt: skip


def of_power(held: Held, calibration: Calibration, repeats: int) -> None:
    """The smallest share that is found, beside what ``detectable`` says of it."""
    print("\nSmallest share of a gained sense that is found four times of five, and `detectable`")
    maker = Maker(held)
    for count in SIDES:
        found = found_at(maker, calibration, count, repeats)
        print(f"  {count:3} a side: {found:.2f}  {detectable(count, count):.2f}", flush=True)


def main() -> None:
    """Print every table, then the settings."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("written", type=Path, help="usages that were held out of all training")
    arguments.add_argument("encoder", nargs="?", default="bundled")
    arguments.add_argument("--studies", type=int, default=10, help="of planted words")
    arguments.add_argument("--repeats", type=int, default=60, help="words for each share and size")
    arguments.add_argument("--lemmas", type=Path, help="usages.jsonl.gz of extract.py")
    arguments.add_argument("--addresses", type=Path, help="of annotated/addresses.tsv, JSON lines")
    arguments.add_argument("--json", type=Path, help="write the calibration there")
    arguments.add_argument(
        "--texts",
        type=Path,
        nargs="*",
        default=[],
        help="of annotated/texts.tsv: sentences, usages",
    )
    given = arguments.parse_args()
    encoder = load(given.encoder)
    held = Held.read(given.written, encoder)
    lemmas = held_lemmas(given.lemmas, encoder) if given.lemmas else {}
    others, sides = dict(lemmas), {}
    if given.addresses:
        found, sides[ADDRESSES] = real_words(given.addresses, encoder)
        others |= found
    if given.texts:
        found, sides[READ] = read_words(given.texts, encoder)
        others |= found
    calibration = of_senses(held, others, sides)
    mains = main_shares(given.lemmas) if given.lemmas else np.empty(0)
    of_rules(held, calibration, given.studies, lemmas, mains)
    of_power(held, calibration, given.repeats)
    chosen = {k: round(v, 4) if k != "form" else v for k, v in calibration.to_dict().items()}
    print("\nWhere it goes")
    for what, where in GOES.items():
        print(f"  {what:40} {where}")
    print(json.dumps(chosen))
    if given.json:
        given.json.write_text(json.dumps(chosen) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
