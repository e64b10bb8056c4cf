"""Usages by which two encoders are compared: short and long, in many languages and scripts."""

from __future__ import annotations

from senseshift.encoders.protocol import Span

# The target of each stands in brackets, which are taken away.
MARKED = (
    "They sat on the [bank] and watched the river go by.",
    "The [bank] raised its rates again on Thursday.",
    "She clicked the [mouse] twice, and nothing happened.",
    "A [mouse] had been at the cheese.",
    "Das [Schloss] liegt hoch über dem Tal.",
    "Der Schlüssel brach im [Schloss] ab.",
    "Il a payé en [pièces] de deux euros.",
    "L'appartement a trois [pièces] et un balcon.",
    "Se sentó en el [banco] de la plaza a leer.",
    "Ключ от старого [замка] потерялся ещё зимой.",
    "Туристы поднялись к [замку] на холме.",
    "Hon köpte en [krona] till drottningen i pjäsen.",
    "Gallia est omnis divisa in [partes] tres.",
    "Ο [ήλιος] έδυε πίσω από τα βουνά.",
    "他在河[岸]上走了很久。",
    "هذا [الكتاب] جديد.",
    "[Zug]",
    "1848: “[press] freedom!” — said Dr. O’Hara, Esq.…",
)
LONG = 8  # repetitions that are longer than any model reads at once


def probes() -> tuple[list[str], list[Span]]:
    """Texts and the spans of their targets, the last one long with its target in the middle."""
    texts, spans = [], []
    for marked in MARKED:
        start, end = marked.index("["), marked.index("]") - 1
        texts.append(marked.replace("[", "").replace("]", ""))
        spans.append((start, end))
    around = " ".join(texts[:12] * LONG)
    texts.append(f"{around} {texts[0]} {around}")
    shift = len(around) + 1
    spans.append((spans[0][0] + shift, spans[0][1] + shift))
    return texts, spans
