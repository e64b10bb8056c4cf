"""Names, headings and contrast of every page, light and dark."""

from pathlib import Path

import pytest
from studies import axe_violations

CHECKS = Path(__file__).with_name("accessibility.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page_of", ["", "#word=cell&colour=sense&usage=50"])
def test_every_control_has_a_name_and_every_text_contrast(another, look, site, scheme, page_of):
    page = another(color_scheme=scheme).open(site + page_of)
    if page_of:
        look.settled(page)
        page.locator("#transport").scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    assert page.evaluate(CHECKS) == []
    assert axe_violations(page) == []


def test_axe_finds_what_is_wrong(reader, site):
    page = reader.open(site)
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<button/>')")
    assert any(found.startswith("button-name") for found in axe_violations(page))


@pytest.mark.parametrize("page_of", ["", "#word=cell&usage=3"])
def test_a_narrow_phone_is_no_worse(another, look, site, page_of):
    page = another(viewport={"width": 320, "height": 700}).open(site + page_of)
    if page_of:
        look.until(page, "document.querySelectorAll('#lines .row').length")
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert axe_violations(page) == []


def test_the_checks_find_what_is_wrong(reader, site):
    page = reader.open(site)
    page.evaluate(
        """document.querySelector('main').insertAdjacentHTML('beforeend',
        '<button></button><h5>deep</h5><p style="color:#bbb">faint</p><p id="words">again</p>')"""
    )
    wrong = "\n".join(page.evaluate(CHECKS))
    for part in ("no name: <button", "level 5", "contrast", "twice: #words"):
        assert part in wrong


def test_focus_is_visible_and_goes_to_the_word(reader, look, site):
    page = reader.open(site)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    page.locator("#words a").first.focus()
    page.keyboard.press("Enter")
    look.settled(page)
    assert page.evaluate("document.activeElement.id") == "word-name"
    page.locator("#find").focus()
    page.keyboard.press("Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"
