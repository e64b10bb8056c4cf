"""The foot of the pages: what made the study, whose data it shows, and how to cite it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from senseshift._version import __version__
from senseshift.formats import error_bound, plural

if TYPE_CHECKING:
    from senseshift.study.study import Study

PAPER = (
    "Ryo Kishino, Hiroaki Yamagiwa, Ryo Nagata, Sho Yokoi and Hidetoshi Shimodaira (2025). "
    "Quantifying Lexical Semantic Shift via Unbalanced Optimal Transport. Proceedings of the 63rd "
    "Annual Meeting of the Association for Computational Linguistics."
)

BIBTEX = """@inproceedings{kishino2025quantifying,
  title     = {Quantifying Lexical Semantic Shift via Unbalanced Optimal Transport},
  author    = {Kishino, Ryo and Yamagiwa, Hiroaki and Nagata, Ryo and Yokoi, Sho
               and Shimodaira, Hidetoshi},
  booktitle = {Proceedings of the 63rd Annual Meeting of the Association for
               Computational Linguistics},
  year      = {2025},
}
@software{senseshift,
  title   = {senseshift: how a word's meaning shifted, down to the single usage},
  author  = {{The senseshift developers}},
  version = {VERSION},
}"""

CITATION = (
    f"senseshift {__version__}; method: Kishino et al. (2025), Quantifying Lexical Semantic Shift "
    "via Unbalanced Optimal Transport, ACL."
)

FILES = 5  # that are named
WORDS = 100

UNKNOWN_LICENCE = (
    "The study does not record one. The texts quoted here remain under the licence of the corpora "
    "they were taken from; see to it before you pass this report on."
)


def about(study: Study, licence: str | None) -> dict[str, Any]:
    """What the template of the foot is given."""
    made, settings = study.about, study.about["settings"]
    libraries = made.get("libraries", {})
    facts = {
        "Periods": " → ".join(made["periods"]),
        **({"Words": _words(made["words"])} if made.get("words") else {}),
        "Usages": f"{made['usages']:,}" + _dropped(made),
        **_corpora(made),
        "Language": made.get("language") or "not known",
        "Encoder": _with(made.get("encoder"), made.get("encoder_fingerprint")),
        "Cost": _cost(made),
        "Penalty": _penalty(settings),
        "Weights of usages": settings.get("weights", "uniform"),
        "Permutations": f"{settings.get('permutations', 0):,}, seed {settings.get('seed', 0)}",
        "Senses": _senses(study),
        "Reference words": f"{study.controls.height:,}"
        if study.controls.height
        else "none: drift is not controlled for",
        "Solver": f"{settings.get('method', 'exact')}; {_certified(study)}",
        "Usages fingerprint": made.get("usages_fingerprint", "–"),
        "Study made": made.get("created", "–"),
        **({"Command": made["command"]} if made.get("command") else {}),
        **({"Mind": " ".join(made["warnings"])} if made.get("warnings") else {}),
        "Versions": ", ".join(
            f"{name} {version}"
            for name, version in {
                "senseshift": made.get("senseshift", "–"),
                "Python": made.get("python", "–"),
                **libraries,
            }.items()
        ),
    }
    return {
        "facts": facts,
        "licence": licence or made.get("licence") or UNKNOWN_LICENCE,
        "paper": PAPER,
        "software": f"The senseshift developers. senseshift, version {__version__}.",
        "bibtex": BIBTEX.replace("VERSION", __version__),
    }


def _with(name: str | None, fingerprint: str | None) -> str:
    return (name or "–") + (f" (fingerprint {fingerprint})" if fingerprint else "")


def _dropped(made: dict[str, Any]) -> str:
    count = len(made.get("dropped", ()))
    return f", {plural(count, 'note')} on what was left out" if count else ""


def _words(words: list[str]) -> str:
    more = len(words) - WORDS
    return ", ".join(words[:WORDS]) + (f" and {more:,} more, see study.json" if more > 0 else "")


def _corpora(made: dict[str, Any]) -> dict[str, str]:
    """What was read, and how words were looked for in it."""
    corpora = made.get("corpora")
    if not corpora:
        return {}
    asked = corpora["settings"]
    sizes = (
        f"{size['period']}: {plural(size['tokens'], 'word')} in "
        f"{plural(size['documents'], 'document')}"
        for size in corpora["sizes"]
    )
    files = [str(file["path"]) for file in corpora["files"]]
    shown = ", ".join(files[:FILES]) + (", …" if len(files) > FILES else "")
    cap = asked.get("max_usages")
    return {
        "Corpora": f"{plural(len(files), 'file')} ({shown}); {'; '.join(sizes)}",
        "Not read": plural(len(corpora["unread"]), "file"),
        "Words looked for": f"by {asked.get('by')} in the language {asked.get('language')}, names "
        f"{asked.get('names')}; {'all usages' if cap is None else f'at most {cap:,} usages'} a "
        f"word and period, seed {asked.get('seed')}",
    }


def _cost(made: dict[str, Any]) -> str:
    curve = made.get("calibration")
    if curve is None or made["settings"].get("cost") == "cosine":
        return "cosine distance"
    return (
        f"chance that two usages differ in sense, one half at the cosine distance "
        f"{curve['middle']:g} (logistic, width {curve['width']:g})"
    )


def _senses(study: Study) -> str:
    kind = str(study.about["settings"].get("senses", "none"))
    curve = study.calibration
    if kind != "induced" or curve is None or curve.cut is None:
        return kind
    return f"{kind}, kept apart at the cosine distance {curve.cut:g}"


def _penalty(settings: dict[str, Any]) -> str:
    if settings.get("lam") is not None:
        return f"λ = {settings['lam']}"
    return f"ρ = {settings.get('rho') or 1.0:g}, in units of the cost"


def _certified(study: Study) -> str:
    words = study.ranked
    if not words.height:
        return "nothing was measured"
    if not words["certified"].all():
        return f"{words.height - int(words['certified'].sum())} of {words.height} not certified"
    return f"every word certified, error of SUS at most {error_bound(max(words['sus_error']))}"
