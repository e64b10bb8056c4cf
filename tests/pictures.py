"""A small made study, and every kind of figure of it."""

from functools import cache

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.text import Text
from reading import read_senses, usages_of

from senseshift import compare, figures
from senseshift.figures.style import house_style

WORDS = ["cell", "bank"]


def less_clearly(texts, spans):
    """Senses read from the text, with more noise than the reading of other tests has."""
    noise = np.random.default_rng(0).normal(size=(len(texts), 6))
    return read_senses(texts, spans) + 0.3 * noise


@cache
def made_study(rho=0.5):
    """Three words of two senses; their maps are given, as t-SNE's differ between machines."""
    usages = usages_of({"bank": (0.3, 0.6), "cell": (0.0, 0.6), "stone": (0.0, 0.0)})
    study = compare(usages, less_clearly, rho=rho, permutations=50)
    for word in ("bank", "cell", "stone"):
        view = study.view(word)
        senses = np.array(view.senses, dtype=float)
        drawn = np.random.default_rng(3).normal(size=(senses.size, 2))
        number = np.argsort(np.argsort(view.usages["usage"]))  # whatever their order in the view
        view.__dict__["places"] = drawn[number] + 5 * senses[:, None] * [1.0, -0.5]
    return study


PICTURES = {
    "map-sus": lambda: figures.word_map(made_study(), "cell"),
    "map-ldr": lambda: figures.word_map(made_study(), "cell", colour="ldr"),
    "map-sense": lambda: figures.word_map(made_study(), "cell", colour="sense"),
    "plans": lambda: figures.plans(made_study(), "bank"),
    "histogram": lambda: figures.histograms(made_study(), "cell"),
    "histograms": lambda: figures.histograms(made_study(), WORDS, width="page"),
    "path": lambda: figures.path_figure(made_study(), "bank"),
    "gold": lambda: figures.against_gold(made_study()),
    "method": lambda: figures.method_figure(),
    "maps": lambda: figures.maps(made_study(), WORDS, colours=("sus", "ldr", "sense")),
    "maps-grid": lambda: figures.maps(made_study(), ["bank", "cell", "stone"]),
}


class Recorder(RendererAgg):
    """Draws and remembers which texts it drew."""

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        self.__dict__.setdefault("texts", []).append(mtext)
        super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)


def overlaps(figure):
    """Texts that are cut off by the edge of a figure or cover one another."""
    with house_style():
        page = figure.bbox
        recorder = Recorder(int(page.width), int(page.height), figure.dpi)
        figure.draw(recorder)
        texts = [text for text in recorder.texts if text is not None]
        texts += [text for text in figure.findobj(Text) if "\n" in text.get_text()]
        boxes = [(text.get_text(), text.get_window_extent(recorder)) for text in texts]
    assert len(boxes) > 4
    found = []
    for k, (words, box) in enumerate(boxes):
        if box.x0 < page.x0 or box.y0 < page.y0 or box.x1 > page.x1 or box.y1 > page.y1:
            found.append(f"{words!r} is cut off")
        for other_words, other in boxes[k + 1 :]:
            wide = min(box.x1, other.x1) - max(box.x0, other.x0)
            high = min(box.y1, other.y1) - max(box.y0, other.y0)
            if wide > 1 and high > 1:
                found.append(f"{words!r} covers {other_words!r}")
    return found
