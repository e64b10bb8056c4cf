"""What is shown stands in the address, and an address brings it back."""

import pytest


def words_shown(page):
    return page.locator("#words tbody tr:visible th a").all_inner_texts()


def test_the_overview_survives_a_reload(reader, look, site):
    page = reader.open(site)
    page.locator("[data-sort=word]").click()
    page.locator("[data-sort=word]").click()
    page.locator("#magnitude").select_option("f_APD")
    page.locator("#find-word").fill("e")
    page.locator("#filter-word").select_option("No clear change")
    page.reload()
    assert words_shown(page) == ["stone"]
    assert page.locator("#find-word").input_value() == "e"
    assert page.locator("#magnitude").input_value() == "f_APD"
    again = reader.open(page.url)
    assert words_shown(again) == ["stone"]
    heading = again.locator("#words th", has_text="Word").first
    assert heading.get_attribute("aria-sort") == "descending"


def test_next_follows_the_list_as_it_is_sorted_and_filtered(reader, look, periods_site):
    page = reader.open(periods_site)
    page.locator("[data-sort=word]").click()
    page.locator("[data-sort=word]").click()
    order = page.evaluate(
        "senseshift.overview.order().map((row) => [row.word, row.old, row.new].join(' '))"
    )
    page.locator("#words tbody a").first.click()
    look.settled(page)
    here = "(({ word, data }) => [word, data.old, data.new].join(' '))(senseshift.shown.model)"
    seen = [page.evaluate(here)]
    while page.locator("#next").is_visible():
        page.locator("#next").click()
        look.until(page, f"{here} != {seen[-1]!r}")
        seen.append(page.evaluate(here))
    assert seen == order
    again = look.settled(reader.open(page.url))  # a copied address knows the list too
    assert again.locator("#next").is_hidden()
    again.close()  # a page behind another is drawn once a second
    page.locator("#all-words").click()
    look.until(page, "!document.getElementById('overview').hidden")
    page.locator("#find-word").fill("room")
    page.locator("#words tbody tr:visible a").first.click()
    look.until(page, "senseshift.shown && senseshift.shown.model.word == 'room'")
    page.locator("#next").click()
    look.until(page, "senseshift.shown.pair != 0 || true")
    page.wait_for_timeout(300)
    assert page.evaluate("senseshift.shown.model.word") == "room"
    assert page.locator("#next").is_hidden()


def test_links_to_one_word_in_several_periods_can_be_told_apart(reader, look, periods_site):
    page = reader.open(periods_site)
    names = page.locator("#words tbody th a").all_text_contents()
    assert len(set(names)) == len(names) == 4
    page.locator("#words tbody a").nth(1).click()
    look.settled(page)
    around = [page.locator(f"#{name}").inner_text() for name in ("previous", "next")]
    assert len({text.strip("← →") for text in around}) == 2


def test_an_unknown_word_is_told(reader, look, site):
    page = reader.open(f"{site}#word=%3Cb%3Enothing")
    assert "no word “<b>nothing”" in page.locator("#unknown").inner_text()
    assert page.locator("#words").is_visible()
    page.locator("#words a").first.click()
    look.settled(page)
    page.locator("#all-words").click()
    look.until(page, "!document.getElementById('overview').hidden")
    assert page.locator("#unknown").is_hidden()
    page = look.settled(reader.open(f"{site}#word=cell&with=nothing"))
    assert "no word “nothing” to compare with" in page.locator("#with-note").inner_text()


@pytest.mark.parametrize("name", ["site", "single_site"])
def test_two_words_stand_side_by_side_on_shared_scales(reader, look, request, name):
    page = look.settled(reader.open(f"{request.getfixturevalue(name)}#word=cell"))
    page.locator("#with").select_option("stone")
    look.until(page, "!document.getElementById('compare').hidden")
    assert "with=stone" in page.url
    assert page.title() == "cell and stone · senseshift"
    columns = page.locator("#compare-words > section")
    assert columns.count() == 2
    assert "Gained a sense" in columns.nth(0).inner_text()
    assert "No clear change" in columns.nth(1).inner_text()
    ticks = [
        page.evaluate(
            f"[...document.querySelectorAll('#compare-words > section:nth-child({k}) svg')]"
            ".map((svg) => [...svg.querySelectorAll('text')].map((text) =>"
            " [text.textContent, text.getAttribute('x')]))"
        )
        for k in (1, 2)
    ]
    change, _, sus, _ = zip(*ticks, strict=True)
    assert change[0] == change[1]
    assert sus[0] == sus[1]
    again = reader.open(page.url)
    look.until(again, "document.querySelectorAll('#compare-words svg').length == 8")
    again.locator("#compare-back").click()
    look.settled(again)
    assert again.evaluate("senseshift.shown.model.word") == "cell"
