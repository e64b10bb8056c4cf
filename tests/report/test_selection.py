"""Selecting and searching, in a real browser: the bar, the keys that add and take away."""

import csv
import io

import pytest
from studies import read_contexts

from senseshift import Usages, compare, read, report

CELL = "#word=cell"
EMU = "=cmd|' /C calc'!A0"


def selected(page):
    return page.evaluate(
        "senseshift.shown.state.selection && "
        "senseshift.mask.members(senseshift.shown.state.selection, senseshift.shown.model.size)"
    )


def drag(page, start, end, *keys):
    """Draw a box on the map between two places that are shares of its width and height."""
    page.locator("#map").scroll_into_view_if_needed()
    area = page.locator("#map").bounding_box()
    (x0, y0), (x1, y1) = (
        (area["x"] + x * area["width"], area["y"] + y * area["height"]) for x, y in (start, end)
    )
    for key in keys:
        page.keyboard.down(key)
    page.mouse.move(x0, y0)
    page.mouse.down()
    for step in (0.4, 0.7, 1.0):
        page.mouse.move(x0 + step * (x1 - x0), y0 + step * (y1 - y0))
    page.mouse.up()
    for key in keys:
        page.keyboard.up(key)


def test_shift_adds_and_alt_takes_away_on_the_map(cell):
    page = cell
    page.get_by_role("button", name="Box").click()
    left, right = ((0.01, 0.01), (0.5, 0.99)), ((0.5, 0.01), (0.99, 0.99))
    drag(page, *left)
    one = selected(page)
    drag(page, *right)
    other = selected(page)
    assert one
    assert other
    assert not set(one) & set(other)
    drag(page, *left, "Shift")
    assert selected(page) == sorted(one + other)
    drag(page, *right, "Alt")
    assert selected(page) == one
    drag(page, *left, "Alt")
    assert selected(page) is None


def test_shift_adds_and_alt_takes_away_in_lines_and_senses(cell, look):
    page = cell
    order = look.lines(page)
    page.locator("#line-1").click(modifiers=["Control"])
    page.locator("#line-3").click(modifiers=["Shift"])
    assert selected(page) == sorted(order[1:4])
    page.locator("#line-2").click(modifiers=["Alt"])
    assert selected(page) == sorted([order[1], order[3]])
    page.locator("#lines").focus()
    page.keyboard.press("Shift+ArrowDown")
    assert set(selected(page)) == {order[1], order[2], order[3]}
    senses = page.locator("#senses .name")
    senses.nth(0).click()
    first = selected(page)
    senses.nth(1).click(modifiers=["Shift"])
    assert set(first) < set(selected(page))
    senses.nth(0).click(modifiers=["Alt"])
    assert not set(first) & set(selected(page))


def test_the_choice_of_a_line_is_announced(cell):
    page = cell
    page.locator("#line-2").click()
    said = page.locator("#live").text_content()
    assert said.startswith("Usage 3 of 80 chosen: ")
    assert "cell" in said
    page.locator("#lines").focus()
    page.keyboard.press("Enter")
    assert page.locator("#live").text_content() == "No usage is chosen."


def test_count_and_clear_are_always_in_sight(another, look, site):
    height = 600
    page = another(viewport={"width": 1300, "height": height}).open(site + CELL)
    look.until(page, "document.querySelectorAll('#lines .row').length")
    page.locator("#senses .name").first.click()
    for place in (0, 900, 1800):
        page.evaluate(f"scrollTo({{ top: {place}, behavior: 'instant' }})")
        for name in ("#count", "#clear", "[data-download=csv]"):
            area = page.locator(name).bounding_box()
            assert 0 < area["y"] < height - area["height"] + 1
    assert page.locator("#count").inner_text() == "24 of 80 usages selected"
    page.get_by_role("button", name="Clear selection").click()
    assert selected(page) is None


def test_a_pressed_button_under_the_pointer_can_be_read(cell):
    page = cell
    button = page.locator("[data-drag=box]")
    button.click()
    button.hover()
    page.wait_for_timeout(100)
    ink, ground = button.evaluate(
        """(one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]
          .map((text) => text.match(/\\d+/g).slice(0, 3).map(Number)
          .map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
          .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0))"""
    )
    high, low = max(ink, ground), min(ink, ground)
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_enter_in_a_field_of_the_range_selects(cell, look):
    page = cell
    page.locator("#sus-from").fill("0")
    page.locator("#sus-from").press("Enter")
    sus = page.evaluate("senseshift.shown.model.sus")
    assert look.active(page) == [k for k, value in enumerate(sus) if value >= 0]


def test_a_swipe_on_the_map_scrolls_the_page(another, look, site):
    reader = another(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = reader.open(site + CELL)
    look.until(page, "document.querySelectorAll('#lines .row').length")
    page.evaluate(
        "scrollBy({ top: document.getElementById('map').getBoundingClientRect().top - 250,"
        " behavior: 'instant' })"
    )
    page.wait_for_timeout(300)
    before, area = page.evaluate("scrollY"), page.locator("#map").bounding_box()
    x, y = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
    touch = page.context.new_cdp_session(page)
    send = lambda kind, points: touch.send(  # noqa: E731
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
    )
    send("touchStart", [{"x": x, "y": y}])
    for step in range(1, 11):
        send("touchMove", [{"x": x + step, "y": y - 20 * step}])
        page.wait_for_timeout(16)
    send("touchEnd", [])
    look.until(page, f"scrollY > {before + 100}")
    assert selected(page) is None


def test_whole_words_and_expressions_are_found(cell, look):
    page = cell

    def found(text, how):
        page.locator("#find-how").select_option(how)
        page.locator("#find").fill(text)
        page.wait_for_timeout(400)
        texts = page.evaluate("senseshift.shown.model.text")
        return [texts[k] for k in look.active(page)]

    assert len(found("phon", "")) == 24
    page.locator("#find").fill("phon")
    page.locator("#find-how").select_option("word")
    assert page.locator("#no-lines").is_visible()
    assert len(found("PHONE", "word")) == 24
    towers = found("^the .* no (signal|light)\\b", "expression")
    assert len(towers) == 12
    assert all("tower" in text for text in towers)
    assert "how=expression" in page.url


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("(a", "nterminated group"), ("a**", "othing to repeat"), ("(?=a)", "look-around"),
     ("(a)\\1", "reference back"), ("((a{99}){99}){99}", "too long")],
)  # fmt: skip
def test_a_wrong_expression_is_told(cell, look, wrong, said):
    page = cell
    page.locator("#find-how").select_option("expression")
    page.locator("#find").fill(wrong)
    look.until(page, "document.getElementById('find-says').textContent")
    assert said in page.locator("#find-says").inner_text()
    assert page.locator("#find").get_attribute("aria-invalid") == "true"
    assert len(look.lines(page)) == 80
    page.locator("#find").fill("cell")
    look.until(page, "!document.getElementById('find-says').textContent")


def test_no_expression_hangs_the_page(cell, look):
    page = cell
    taken = page.evaluate(
        """(() => {
          const began = performance.now();
          const finds = senseshift.expression('(a+)+(b*)*(a|a)*(.*.*.*=)+$');
          finds('a'.repeat(3000) + '!');
          return performance.now() - began;
        })()"""
    )
    assert taken < 5000  # a browser's own takes longer than there are atoms


def test_expressions_mean_what_they_mean_elsewhere(cell):
    """Where both are defined alike ours says what the browser's says."""
    patterns = [
        "ab", "a|b", "^a", "b$", "a*b", "a+b?", "(ab)+", "(a|b){2,3}c", "[^a]b", "[a-c]+$", "a.c",
        "(a|)b", "a{2}", "a{2,}", "(?:ab|c)*$", r"\d+", r"\w\s\w", r"\.", r"[\]x]", r"\ba", r"\Bb",
    ]  # fmt: skip
    texts = ["", "a", "b", "ab", "aab", "abab", "abc", "a c", "a.c", "]", "x1", "bb", "cab", "AB"]
    wrong = cell.evaluate(
        """([patterns, texts]) => patterns.flatMap((p) => texts
          .filter((t) => senseshift.expression(p)(t) !== new RegExp(p, 'ius').test(t))
          .map((t) => [p, t]))""",
        [patterns, texts],
    )
    assert wrong == []


def test_a_table_runs_no_formula_and_is_usages_again(reader, look, tmp_path):
    records = [
        {
            "word": "cell", "period": p, "id": f"{p}{k}", "text": f"{EMU} cell {k}",
            "start": len(EMU) + 1, "end": len(EMU) + 5, "source": "@SUM(A1)", "sense": "+1",
        }
        for p in ("old", "new") for k in range(8)
    ]  # fmt: skip
    study = compare(Usages.from_records(records), read_contexts, measures=["f_SUS"])
    page = look.settled(reader.open(report.write(study, tmp_path / "r").as_uri() + CELL))
    with page.expect_download() as download:
        page.locator("[data-download=csv]").click()
    download.value.save_as(tmp_path / "cell.csv")
    text = (tmp_path / "cell.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    dangerous = tuple("=+-@\t\r")
    numbers = {"sus", "ldr", "excess", "representativeness"}
    for row in rows:
        assert not [v for k, v in row.items() if k not in numbers and v.startswith(dangerous)]
        assert row["text"][int(row["start"]) : int(row["end"])] == "cell"
        float(row["sus"])
    again = read(tmp_path / "cell.csv")
    assert {again.target(row) for row in range(len(again))} == {"cell"}


def test_a_table_has_the_names_of_the_senses(cell, look, tmp_path):
    page = cell
    page.locator("#senses .name").first.click()
    with page.expect_download() as download:
        page.locator("[data-download=csv]").click()
    download.value.save_as(tmp_path / "cell.csv")
    text = (tmp_path / "cell.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    name = page.evaluate("senseshift.shown.model.senses[0].name")
    assert {row["sense_name"] for row in rows} == {name}
    assert len(rows) == 24


def test_on_paper_bars_and_scale_have_their_colours(reader, look, site):
    page = look.settled(reader.open(site + CELL))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for part in (".gradient", ".axis .length", ".lines .sus", ".swatch"):
        how = "(one) => getComputedStyle(one).printColorAdjust"
        assert page.locator(part).first.evaluate(how) == "exact", part
    assert page.locator("#legend").is_visible()
    assert page.locator("#bar").is_hidden()
    assert page.locator("#workbench").is_hidden()
    texts = [one["text"] for one in look.picture(page, "map") if one["kind"] == "text"]
    assert texts  # the names of the senses
