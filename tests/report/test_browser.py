"""What a reader does, in a real browser, from a folder, with the network cut."""

import csv
import io
import re

import pytest

import senseshift

CELL = "#word=cell"


def box(page, id):
    page.locator(f"#{id}").scroll_into_view_if_needed()
    return page.locator(f"#{id}").bounding_box()


def drag(page, area, start, end):
    """Drag between two places that are shares of an area's width and height."""
    (x0, y0), (x1, y1) = (
        (area["x"] + x * area["width"], area["y"] + y * area["height"]) for x, y in (start, end)
    )
    page.mouse.move(x0, y0)
    page.mouse.down()
    for step in (0.3, 0.6, 1.0):
        page.mouse.move(x0 + step * (x1 - x0), y0 + step * (y1 - y0))
    page.mouse.up()


def words_shown(page):
    return page.locator("#words tbody tr:visible th a").all_inner_texts()


@pytest.mark.parametrize("name", ["site", "single_site"])
def test_the_overview_sorts_finds_and_filters(reader, look, request, name):
    page = reader.open(request.getfixturevalue(name))
    assert words_shown(page) == ["cell", "stone"]
    page.locator("[data-sort=word]").click()
    assert words_shown(page) == ["cell", "stone"]
    page.locator("[data-sort=word]").click()
    assert words_shown(page) == ["stone", "cell"]
    heading = page.locator("#words th", has_text="Word")
    assert heading.get_attribute("aria-sort") == "descending"
    page.locator("#find-word").fill("CEL")
    assert words_shown(page) == ["cell"]
    assert page.locator("#found-words").inner_text() == "1 of 2"
    page.locator("#find-word").fill("")
    page.locator("#filter-word").select_option("No clear change")
    assert words_shown(page) == ["stone"]
    gone = page.locator(".untold.gone").inner_text()
    assert "unicorn 1 in 1800s, none in 2000s" in gone


def test_other_measures_can_be_chosen(reader, site):
    page = reader.open(site)
    before = page.locator("#words tbody .magnitude").all_inner_texts()
    page.locator("#magnitude").select_option("f_APD")
    after = page.locator("#words tbody .magnitude").all_inner_texts()
    assert before != after
    assert [float(text) for text in after] == sorted(map(float, after), reverse=True)


def test_a_point_of_the_chart_opens_its_word(reader, look, site):
    page = reader.open(site)
    look.until(page, "senseshift.pictures.get('chart')")
    place = look.place(page, "chart", 0)
    page.mouse.move(*place)
    assert "Gained a sense" in page.locator(".tip").inner_text()
    page.mouse.click(*place)
    look.settled(page)
    assert page.locator("#word-name").inner_text() == "cell"
    page.go_back()
    look.until(page, "!document.getElementById('overview').hidden")


def test_a_word_is_told_in_plain_language(cell, look):
    page = cell
    summary = page.locator("#summary").inner_text()
    assert summary.startswith("Gained a sense: ")
    assert "phone" in summary
    assert "rose from 0\u00a0% to 60\u00a0%" in summary
    assert "broadened" in summary
    row = page.locator(".sense-row.rose")
    assert "phone" in row.locator("h3").inner_text()
    assert row.locator(".bar").all_inner_texts()[0].replace("\u00a0", " ").split()[:3] == [
        "1800s",
        "0",
        "%",
    ]
    row.locator(".name").click()
    senses = page.evaluate(
        "senseshift.shown.state.lines.map((k) => senseshift.shown.model.text[k])"
    )
    assert len(senses) >= 20
    assert all("phone" in text for text in senses)


def test_selecting_on_the_map_filters_the_concordance(cell, look):
    page = cell
    page.get_by_role("button", name="Box").click()
    drag(page, box(page, "map"), (0.02, 0.02), (0.5, 0.98))
    look.until(page, "senseshift.shown.state.selection")
    inside = page.evaluate(
        """(() => {
          const { model } = senseshift.shown;
          const { width } = document.getElementById('map').getBoundingClientRect();
          const { spots } = senseshift.pictures.get('map');
          return model.x.map((_, k) => k).filter((k) => spots.x[k] < 0.5 * width);
        })()"""
    )
    assert 0 < len(inside) < 80
    assert sorted(look.lines(page)) == inside
    assert look.active(page) == inside
    assert f"{len(inside)} of 80 usages selected" in page.locator("#count").inner_text()

    def faint():
        return sum(mark["opacity"] == 0.1 for mark in look.picture(page, "map"))

    assert faint() == 80 - len(inside)
    page.get_by_role("button", name="Clear selection").click()
    assert len(look.lines(page)) == 80
    assert faint() == 0


def test_a_lasso_selects_too(cell, look):
    page = cell
    page.get_by_role("button", name="Lasso").click()
    area = box(page, "map")
    corners = [(0.03, 0.03), (0.97, 0.03), (0.97, 0.97), (0.03, 0.97), (0.03, 0.05)]
    points = [(area["x"] + x * area["width"], area["y"] + y * area["height"]) for x, y in corners]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=4)
    page.mouse.up()
    look.until(page, "senseshift.shown.state.selection")
    assert len(look.lines(page)) == 80


def test_the_concordance_leads_back_to_the_map(cell, look):
    page = cell
    page.locator("#find").fill("tower")
    found = look.active(page)
    assert 0 < len(found) < 40
    assert sorted(look.lines(page)) == found
    faint = [mark for mark in look.picture(page, "map") if mark["opacity"] == 0.1]
    assert len(faint) == 80 - len(found)
    page.locator("#find").fill("")
    page.locator("#lines .row").first.click()
    first = look.lines(page)[0]
    lines = [mark for mark in look.picture(page, "map") if mark["kind"] == "polyline"]
    assert len(lines) == len(page.evaluate(f"senseshift.shown.model.partners({first}, 'uot')"))
    assert page.locator("#usage mark").first.inner_text() == "cell"
    page.locator("#usage li button").first.click()  # a partner is a usage of the other period
    assert page.evaluate("senseshift.shown.model.isNew(senseshift.shown.state.usage)") is False


def test_a_line_tells_its_source_and_a_usage_all_that_is_known_of_it(cell, look):
    page = cell
    sources = page.evaluate("senseshift.shown.model.source")
    first = page.locator("#lines .row").first
    assert first.locator(".source").inner_text() == sources[look.lines(page)[0]]
    first.click()
    told = page.locator("#usage").inner_text()
    assert sources[look.lines(page)[0]] in told
    assert "author Anna\u00a0Writer" in told


def test_lines_are_sorted_by_every_column(cell, look):
    page = cell
    names = page.evaluate("senseshift.shown.model.sortings.map(([name]) => name)")
    assert {"sus", "ldr", "sense", "date"} <= set(names)
    for name in names:
        if name != names[0]:
            page.locator("#sort").select_option(name)
        page.evaluate("senseshift.change({ descending: false })")
        keys = page.evaluate(
            f"(() => {{ const keys = senseshift.shown.model.keys({name!r});"
            "return senseshift.shown.state.lines.map((k) => keys[k]) })()"
        )
        assert keys == sorted(keys), name
    page.locator("#concordance .head .sus").click()
    assert "↓" in page.locator("#concordance .head .sus").inner_text()


def test_the_keyboard_is_enough(cell, look):
    page = cell
    page.locator("#lines").focus()
    for key in ("ArrowDown", "ArrowDown", " ", "End", " "):
        page.keyboard.press(key)
    order = look.lines(page)
    assert look.active(page) == sorted([order[2], order[-1]])
    at_end = page.locator("#lines").get_attribute("aria-activedescendant")
    assert at_end == "line-79"
    assert page.locator("#line-79").get_attribute("aria-selected") == "true"
    page.keyboard.press("Enter")
    assert page.locator("#usage").is_visible()
    page.get_by_role("button", name="List only these").click()
    assert look.lines(page) == [order[2], order[-1]]
    page.locator("#lines").focus()
    page.keyboard.press("Escape")
    assert look.lines(page) == order


def test_a_range_of_the_histogram_selects(cell, look):
    page = cell
    box(page, "histogram")
    look.until(page, "senseshift.pictures.get('histogram').drawn")
    drag(page, box(page, "histogram"), (0.6, 0.5), (0.95, 0.6))
    look.until(page, "senseshift.shown.state.selection")
    chosen = look.active(page)
    low, high = page.evaluate(
        """(() => {
          const plot = document.getElementById('histogram');
          const { width } = plot.getBoundingClientRect();
          const scale = senseshift.views.histogram.scale();
          return [0.6, 0.95].map((share) => scale.value(share * width));
        })()"""
    )
    sus = page.evaluate("senseshift.shown.model.sus")
    assert chosen == [k for k, value in enumerate(sus) if low <= value <= high]
    assert chosen
    page.locator("#sus-from").fill("0")
    page.locator("#sus-select").click()
    assert look.active(page) == [k for k, value in enumerate(sus) if value >= 0]


def test_colours_say_what_was_asked(cell, look):
    page = cell

    def colours():
        marks = look.picture(page, "map")[1:]  # after the ground
        return [mark["fill"] for mark in marks if mark["kind"] in ("circle", "rect")]

    by_sus = colours()
    page.locator("#colour").select_option("sense")
    look.until(page, "document.getElementById('legend').textContent.includes('phone')")
    look.until(page, "document.querySelectorAll('#legend .swatch').length == 3")
    by_sense = colours()
    assert by_sus != by_sense
    assert len(set(by_sense)) == 3  # two senses, and none
    page.locator("#legend button", has_text="phone").click()
    senses = page.evaluate("senseshift.shown.model.sense")
    assert look.active(page) == [k for k, sense in enumerate(senses) if sense == "phone"]
    for name in ("ldr", "cluster"):
        page.locator("#colour").select_option(name)
        page.wait_for_timeout(300)
        assert colours() not in (by_sus, by_sense)


def test_both_transports_in_any_order(cell, look):
    page = cell
    box(page, "transport")
    look.until(page, "senseshift.pictures.get('transport').drawn")
    spots = "JSON.stringify(senseshift.pictures.get('transport').spots)"
    unbalanced = page.evaluate(spots)
    page.get_by_role("button", name="Balanced", exact=True).click()
    look.until(page, "document.getElementById('plan-says').textContent.startsWith('Every')")
    look.until(page, f"{spots} != {unbalanced!r}")
    page.locator("#order").select_option("along")
    look.until(page, "senseshift.shown.waiting.transport === null")
    assert any("place on the map" in mark["text"] for mark in look.picture(page, "transport"))
    # in balanced transport every usage gives away all of its weight
    given = page.evaluate(
        """senseshift.shown.model.sus.map((_, k) =>
          senseshift.shown.model.partners(k, 'ot').reduce((sum, { share }) => sum + share, 0))"""
    )
    assert min(given) > 0.97


def test_the_table_that_is_saved_is_the_selection(cell, look, tmp_path):
    page = cell
    page.locator("#find").fill("tower")
    expected = look.active(page)
    with page.expect_download() as download:
        page.locator("[data-download=csv]").click()
    assert download.value.suggested_filename == "cell.csv"
    download.value.save_as(tmp_path / "cell.csv")
    text = (tmp_path / "cell.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    ids = page.evaluate("senseshift.shown.model.id")
    assert [row["id"] for row in rows] == [ids[k] for k in expected]
    assert 0 < len(rows) < 80
    assert all("tower" in row["text"] for row in rows)
    assert all(row["text"][int(row["start"]) : int(row["end"])] == "cell" for row in rows)
    sus = page.evaluate("senseshift.shown.model.sus")
    assert [float(row["sus"]) for row in rows] == [sus[k] for k in expected]
    assert {row["author"] for row in rows} == {"Anna\u00a0Writer"}
    again = senseshift.read(tmp_path / "cell.csv")  # and is usages again
    assert len(again) == len(expected)


def test_uses_for_annotation_can_be_read_as_word_usage_graphs(reader, look, hostile_site, tmp_path):
    page = reader.open(hostile_site)
    page.locator("#words a", has_text="שלום").click()
    look.settled(page)
    with page.expect_download() as download:
        page.locator("[data-download=wug]").click()
    folder = tmp_path / "wug" / "data" / "word"
    folder.mkdir(parents=True)
    download.value.save_as(folder / "uses.csv")
    usages = senseshift.read(tmp_path / "wug")
    assert usages.words == ("שלום",)
    assert {usages.target(row) for row in range(len(usages))} == {"שלום"}
    assert len(usages) == 12
    header = (folder / "uses.csv").read_text("utf-8").splitlines()[0].split("\t")
    assert header == [
        "lemma", "pos", "date", "grouping", "identifier", "description", "context",
        "indexes_target_token", "indexes_target_sentence", "source",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["svg", "png"])
def test_pictures_are_saved(cell, look, tmp_path, form):
    page = cell
    with page.expect_download() as download:
        page.locator(f"[data-plot=map][data-save={form}]").click()
    download.value.save_as(tmp_path / "picture")
    begins = {"svg": b"<svg", "png": b"\x89PNG"}[form]
    assert (tmp_path / "picture").read_bytes().startswith(begins)
    assert download.value.suggested_filename == f"cell-map.{form}"


def test_a_link_restores_what_was_shown(cell, reader, look):
    page = cell
    page.locator("#colour").select_option("sense")
    page.locator("#sort").select_option("date")
    page.locator(".sense-row.rose .name").click()
    page.locator("#find").fill("tower")
    page.locator("#lines .row").nth(1).click()
    page.get_by_role("button", name="Balanced", exact=True).click()
    state = """(({ colour, sort, descending, find, usage, plan, order, lines }) =>
      ({ colour, sort, descending, find, usage, plan, order, lines }))(senseshift.shown.state)"""
    shown, active = page.evaluate(state), look.active(page)
    again = look.settled(reader.open(page.url))
    assert again.evaluate(state) == shown
    assert look.active(again) == active
    assert again.locator("#find").input_value() == "tower"
    assert again.locator("#usage").is_visible()
    assert again.title() == "cell · senseshift"


@pytest.mark.parametrize(
    "fragment",
    [
        "word=nothing",
        "word=cell&select=AAAA",
        "word=cell&usage=9999&colour=x&sort=y&order=z&pair=7",
    ],
)
def test_a_broken_link_shows_something_whole(reader, look, site, fragment):
    page = reader.open(f"{site}#{fragment}")
    if "cell" in fragment:
        assert len(look.lines(look.settled(page))) == 80
    else:
        assert page.locator("#words").is_visible()


def test_several_pairs_of_periods_are_chosen_from(reader, look, periods_site):
    page = reader.open(periods_site)
    assert page.locator("#words tbody tr").count() == 4
    row = page.locator("#words tbody tr", has_text="1900s → 2000s").first
    p_value = re.findall(r"0\.\d{4}", row.inner_text())[0]
    row.locator("a").first.click()
    look.settled(page)
    assert page.locator("#pair option:checked").inner_text() == "1900s → 2000s"
    assert f"p = {p_value[:-1]}" in page.locator("#word-figures").inner_text()
    first = page.evaluate("[senseshift.shown.model.x, senseshift.shown.model.data.old]")
    page.locator("#pair").select_option("0")
    look.until(page, "senseshift.shown.model.data.old == '1800s'")
    second = page.evaluate("senseshift.shown.model.x")
    # the usages of the middle period stay where they are on the map
    assert first[0][:12] == second[12:]


def test_words_without_a_clear_change_are_hollow_in_the_chart(reader, look, site):
    page = reader.open(site)
    look.until(page, "senseshift.pictures.get('chart')")
    drawn = look.picture(page, "chart")
    card = drawn[0]["fill"]
    cell, stone = (mark["fill"] for mark in drawn if mark["kind"] == "circle")
    assert stone == card != cell
    assert {"cell", "stone"} <= {mark["text"] for mark in drawn}


def test_only_lines_in_view_are_drawn(cell, look):
    page = cell
    assert page.locator("#lines .row").count() < 40
    page.locator("#lines").evaluate("(box) => { box.scrollTop = box.scrollHeight; }")
    look.until(page, "document.getElementById('line-79')")
    assert page.locator("#line-0").count() == 0


def test_all_lines_are_printed(reader, look, site):
    page = look.settled(reader.open(site + CELL))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#lines .row").count() == 80
    assert page.locator(".tools").first.is_hidden()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.evaluate("senseshift.pictures.get('transport').drawn")
    assert (
        page.locator("#line-79").bounding_box()["y"] > page.locator("#line-0").bounding_box()["y"]
    )


def test_the_theme_is_the_readers(another, look, site):
    reader = another(color_scheme="dark")
    page = look.settled(reader.open(site + CELL))
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Theme").click()
    light = page.evaluate(ground)
    assert dark != light
    look.until(page, "senseshift.shown.waiting.map === null")
    pixel = (
        "[...document.querySelector('#map canvas').getContext('2d').getImageData(1, 1, 1, 1).data]"
    )
    assert page.evaluate(pixel) == [255, 255, 255, 255]
    page.reload()
    look.settled(page)
    assert page.evaluate(ground) == light


def test_nothing_is_cut_off_on_a_phone(another, look, site):
    reader = another(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    for address in (site, site + CELL):
        page = reader.open(address)
        page.wait_for_timeout(1500)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        wide = page.evaluate(
            """[...document.querySelectorAll('main:not([hidden]) .panel > *, .intro > *')]
              .filter((box) => box.getBoundingClientRect().right > 361)
              .map((box) => box.id || box.tagName)"""
        )
        assert wide == []
