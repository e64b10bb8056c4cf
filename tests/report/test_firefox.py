"""The same pages in Firefox: what the engines do differently is drawing, pointers and layout."""

from importlib.resources import files

import pytest
from firefox import FIREFOXES, Firefox, installed

ARROW_DOWN, ENTER = "\ue015", "\ue007"


@pytest.fixture(scope="module")
def firefox():
    pytest.importorskip("websockets", reason="websockets, which talk to Firefox, are missing")
    path = installed()
    if path is None:
        pytest.skip(f"no Firefox: none of {', '.join(FIREFOXES)} is installed")
    started = Firefox(path)
    yield started
    started.close()


@pytest.fixture(autouse=True)
def nothing_goes_wrong(firefox):
    yield
    assert firefox.wrong == []


def test_the_overview_is_drawn_and_sorts(firefox, site):
    firefox.open(site)
    firefox.until("senseshift.pictures.get('chart') && senseshift.pictures.get('chart').drawn")
    x, y, *_ = firefox.middle("[data-sort=word]")
    for _ in range(2):
        firefox.point((x, y), "down", "up")
    words = "[...document.querySelectorAll('#words tbody th a')].map((a) => a.textContent)"
    assert firefox.evaluate(words) == ["stone", "cell"]


def test_a_word_is_read_selected_and_drawn(firefox, site):
    firefox.open(f"{site}#word=cell")
    firefox.until("document.querySelectorAll('#lines .row').length")
    x, y, *_ = firefox.middle(".sense-row.rose .name")
    firefox.point((x, y), "down", "up")
    chosen = "[...senseshift.shown.state.lines].map((k) => senseshift.shown.model.text[k])"
    assert all("phone" in text for text in firefox.evaluate(chosen))
    assert len(firefox.evaluate(chosen)) == 24
    firefox.evaluate("senseshift.clear()")
    x, y, *_ = firefox.middle("[data-drag=box]")
    firefox.point((x, y), "down", "up")
    _, _, left, top = firefox.middle("#map")
    firefox.until("senseshift.shown.waiting.map === null")
    width, height = firefox.evaluate(
        "[document.getElementById('map').clientWidth, document.getElementById('map').clientHeight]"
    )
    to = (left + 0.5 * width, top + height - 3)
    firefox.point((left + 3, top + 3), "down", (left + 60, top + 60), to, "up")
    inside = firefox.evaluate(
        f"""[...senseshift.pictures.get('map').spots.x.keys()]
        .filter((k) => senseshift.pictures.get('map').spots.x[k] < {0.5 * width})"""
    )
    assert 0 < len(inside) < 80
    assert sorted(firefox.evaluate("[...senseshift.shown.state.lines]")) == inside
    firefox.evaluate("document.getElementById('lines').focus()")
    firefox.press(ARROW_DOWN, ENTER)
    assert firefox.evaluate("!document.getElementById('usage').hidden")
    assert "Usage 2 of" in firefox.evaluate("document.getElementById('live').textContent")
    colours = firefox.evaluate(
        """(() => { const map = document.querySelector('#map canvas'), seen = new Set();
        const { data } = map.getContext('2d').getImageData(0, 0, map.width, map.height);
        for (let k = 0; k < data.length; k += 4) seen.add(data.slice(k, k + 3).join());
        return seen.size; })()"""
    )
    assert colours > 20


@pytest.mark.parametrize("page_of", ["", "#word=cell&usage=3"])
def test_axe_has_nothing_to_say_here_either(firefox, site, page_of):
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core's rules are not installed")
    firefox.open("about:blank")
    firefox.open(site + page_of)
    firefox.until("document.querySelectorAll('#words tbody tr, #lines .row').length")
    source = files(axe).joinpath("axe.min.js").read_text("utf-8")
    firefox.send(
        "script.evaluate", expression=source, target={"context": firefox.context},
        awaitPromise=False,
    )  # fmt: skip
    found = firefox.evaluate("axe.run(document, { preload: false })")
    assert [rule["id"] for rule in found["violations"]] == []
