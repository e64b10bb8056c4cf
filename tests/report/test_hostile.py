"""A corpus may hold anything: it is shown, and never run."""

import pytest
from studies import ATTACK, WORDS

FOUND = """window.hacked !== undefined || document.querySelector(
  'img, [onerror], [onload], [onclick], a[href^=javascript]')"""


def test_a_hostile_corpus_injects_nothing(reader, look, hostile_site):
    page = reader.open(hostile_site)
    shown = page.locator("#words tbody th a").all_text_contents()
    assert sorted(shown) == sorted(WORDS)
    look.until(page, "senseshift.pictures.get('chart')")
    assert not page.evaluate(FOUND)
    page.mouse.move(*look.place(page, "chart", 0))
    page.wait_for_timeout(200)
    assert not page.evaluate(FOUND)


@pytest.mark.parametrize("word", WORDS[:2])
def test_texts_are_shown_as_they_are(reader, look, hostile_site, word):
    page = reader.open(hostile_site)
    page.locator("#words tbody th a").filter(has_text=word).first.click()
    look.settled(page)
    assert page.locator("#word-name").text_content() == word
    page.locator("#lines .row").first.click()
    assert ATTACK in page.locator("#usage .full").text_content()
    assert page.locator("#usage .full mark").text_content() == word
    page.locator("#colour").select_option("sense")
    page.mouse.move(*look.place(page, "map", 0))
    page.wait_for_timeout(300)
    assert "onload" in page.locator(".tip").text_content()
    page.locator("#transport").scroll_into_view_if_needed()
    texts = [mark["text"] for mark in look.picture(page, "transport")]
    assert any("<b>old</b>" in text for text in texts)
    assert any('"><b onc' in text for text in texts)
    assert not page.evaluate(FOUND)


def test_text_from_right_to_left_stays_in_its_place(reader, look, tmp_path):
    from studies import read_contexts

    from senseshift import Usages, compare, report

    records = [
        {
            "word": "سلام", "period": p, "id": f"{p}{k}", "text": f"قال الرجل {k} سلام عليكم",
            "start": 12, "end": 16,
        }
        for p in ("old", "new") for k in range(8)
    ]  # fmt: skip
    study = compare(Usages.from_records(records), read_contexts, measures=["f_SUS"])
    page = look.settled(reader.open(report.write(study, tmp_path / "r").as_uri() + "#word=سلام"))
    line = page.locator("#lines .row").first
    before, target, after = (
        line.locator(part).bounding_box()["x"] for part in (".before", "mark", ".after")
    )
    assert before > target > after  # what is read first stands on the right
    assert line.locator("mark").text_content() == "سلام"
