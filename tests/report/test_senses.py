"""Senses, chance and evidence on the page: it says what the study says, and nothing else."""

import dataclasses

import numpy as np
import polars as pl
import pytest
from studies import CALIBRATION, read_contexts

from senseshift import Usages, compare, report
from senseshift.formats import percent

CELL, STONE = "#word=cell", "#word=stone"


def texts(page):
    return page.locator("body").inner_text()


def colours(look, page):
    marks = look.picture(page, "map")[1:]
    return [mark["fill"] for mark in marks if mark["kind"] in ("circle", "rect")]


def within(page):
    return page.evaluate("senseshift.colours.css('within')")


def test_a_usage_tells_how_much_of_it_is_matched(cell, look):
    page = cell
    assert "counterpart" not in texts(page)
    beyond = page.evaluate("senseshift.shown.model.data.beyond")
    assert beyond
    page.evaluate(f"senseshift.change({{ usage: {beyond[-1]} }})")
    partners = page.evaluate(f"senseshift.shown.model.partners({beyond[-1]}, 'uot')")
    matched = round(100 * sum(partner["share"] for partner in partners))
    assert partners
    told = page.locator("#usage").inner_text()
    assert f"{matched} % of its weight is matched, worse than chance has it." in told
    assert "counterpart" not in told


def test_colours_are_what_goes_beyond_chance_on_one_scale(cell, look):
    page = cell
    beyond = page.evaluate("senseshift.shown.model.data.beyond")
    grey = within(page)
    assert sum(fill != grey for fill in colours(look, page)) == len(beyond) > 0
    scale = page.locator("#legend .scale").inner_text()
    page.evaluate("location.hash = '#word=stone'")
    look.until(page, "senseshift.shown && senseshift.shown.model.word == 'stone'")
    look.settled(page)
    assert set(colours(look, page)) == {grey}
    assert page.locator("#legend .scale").inner_text() == scale
    page.locator("#colour").select_option("sus")  # as published, where it is asked for
    look.until(page, "senseshift.shown.waiting.map === null")
    assert len(set(colours(look, page))) >= 3
    bars = [mark["fill"] for mark in look.picture(page, "histogram") if mark["kind"] == "rect"]
    rising = [page.evaluate(f"senseshift.colours.css('{n}-mark')") for n in ("rose", "fell")]
    assert not set(bars) & set(rising)


def test_nothing_is_said_to_rise_where_nothing_is_beyond_chance(reader, look, site):
    page = look.settled(reader.open(site + STONE))
    assert "No clear change" in page.locator("#summary").inner_text()
    assert page.locator(".sense-row").count() >= 1
    assert page.locator(".sense-row.rose, .sense-row.fell").count() == 0
    assert "no clear change" in page.locator(".sense-row .certainty").first.inner_text()


def test_the_page_has_no_verdict_of_its_own(study, tmp_path, reader, look):
    """What a study marks is marked, whatever the figures: here nothing is, and all looks alike."""
    silent = dataclasses.replace(
        study,
        words=study.words.with_columns(verdict=pl.lit("unclear")),
        sense_changes=study.sense_changes.with_columns(q=pl.lit(0.9)),
        instances=study.instances.with_columns(q=pl.lit(0.9)),
    )
    page = reader.open(report.write(silent, tmp_path / "r").as_uri())
    rows = page.locator("#words tbody tr").all_inner_texts()
    assert all("No clear change" in row for row in rows)
    assert page.locator(".spark .rose[d^=M], .spark .fell[d^=M]").count() == 0
    page.evaluate("location.hash = '#word=cell'")
    look.settled(page)
    assert page.locator(".sense-row.rose, .sense-row.fell").count() == 0
    assert set(colours(look, page)) == {within(page)}
    assert page.locator("#lines .sus.rose, #lines .sus.fell").count() == 0


def test_shares_are_bars_with_intervals_for_every_period(cell, study):
    rows = cell.locator(".sense-row")
    changes = study.sense_changes.filter(word="cell").sort("difference", descending=True)
    assert rows.count() == changes.height == 2
    for k, sense in enumerate(changes["sense"]):
        shares = study.senses.filter(word="cell", sense=sense)
        axes = rows.nth(k).locator(".axis")
        assert axes.count() == shares.height == 2
        for at, (share, low, high) in enumerate(shares.select("share", "low", "high").iter_rows()):
            area = axes.nth(at).bounding_box()
            bar, whisker = (
                axes.nth(at).locator(part).bounding_box() for part in (".length", ".whisker")
            )
            assert bar["width"] == pytest.approx(share * area["width"], abs=3)
            assert whisker["x"] - area["x"] == pytest.approx(low * area["width"], abs=3)
            assert whisker["width"] == pytest.approx((high - low) * area["width"], abs=3)
    assert "q < 0.001" in rows.first.inner_text()
    assert rows.first.locator(".slope").get_attribute("aria-label") == "From 0 % to 60 %"
    decades = rows.first.locator(".decades rect title").all_text_contents()
    assert "2000s: 10 of 10 usages" in decades
    assert "1800s: 0 of 10 usages" in decades


def test_shares_read_as_in_the_statement(cell):
    shares = [count / total for total in (8, 40, 61, 200) for count in range(total + 1)]
    told = cell.evaluate("(shares) => shares.map((share) => senseshift.percent(share))", shares)
    assert told == [percent(share).replace("\u00a0", " ") for share in shares]


def test_rows_are_sorted_and_select_everywhere(cell, look):
    page = cell
    names = page.locator(".sense-row .name")
    rising = names.all_inner_texts()
    page.locator("#sense-sort").select_option("fell")
    assert names.all_inner_texts() == rising[::-1]
    page.locator("#sense-sort").select_option("size")
    assert "monk" in names.first.inner_text()
    names.last.click()
    assert names.last.get_attribute("aria-pressed") == "true"
    members = look.active(page)
    assert len(members) == 24
    assert sorted(look.lines(page)) == members
    look.until(page, "senseshift.shown.waiting.map === null")
    faint = [mark for mark in look.picture(page, "map") if mark["opacity"] == 0.1]
    assert len(faint) == 80 - 24
    names.last.click()  # and gives them free again
    assert len(look.active(page)) == 80
    assert names.last.get_attribute("aria-pressed") == "false"


def test_evidence_has_counts_and_filters_the_lines(cell, look, study):
    page = cell
    term = study.telling.filter(word="cell", term="bus").row(0, named=True)
    button = page.locator(".sense-row.rose .term", has_text="bus")
    tally = f"{term['inside']}/24 · {term['outside']}/56"
    assert tally in button.inner_text()
    button.click()
    shown = page.evaluate(
        "[...senseshift.shown.state.lines].map((k) => senseshift.shown.model.text[k])"
    )
    assert len(shown) == term["inside"]
    assert all("bus" in text for text in shown)
    core = page.locator(
        ".sense-row.rose .quotation, .sense-row.rose .typical li"
    ).all_text_contents()
    assert len(core) == 5
    assert all("phone" in text for text in core)


def test_a_telling_word_lists_what_was_counted_not_what_has_its_letters(
    study, tmp_path, reader, look
):
    two = pl.col("usages").str.split(" ").list.head(2)
    narrow = dataclasses.replace(study, telling=study.telling.with_columns(two.list.join(" ")))
    earlier = dataclasses.replace(study, telling=study.telling.drop("usages"))
    term = study.telling.filter(word="cell", term="bus").row(0, named=True)
    for number, (one, count) in enumerate([(narrow, 2), (earlier, term["inside"])]):
        page = look.settled(reader.open(report.write(one, tmp_path / str(number)).as_uri() + CELL))
        page.locator(".sense-row.rose .term", has_text="bus").click()
        assert len(look.lines(page)) == count


def test_doubts_are_told(study, tmp_path, reader, look):
    doubtful = dataclasses.replace(
        study,
        sense_changes=study.sense_changes.with_columns(documents=pl.lit(1), largest=pl.lit(1.0)),
        telling=study.telling.with_columns(flag=pl.lit("fragment")),
    )
    page = look.settled(reader.open(report.write(doubtful, tmp_path / "r").as_uri() + CELL))
    row = page.locator(".sense-row", has_text="monk").first
    assert "all in one document" in row.locator(".warning").last.inner_text()
    assert "fragment?" in row.locator(".term .warning").first.inner_text()
    assert page.locator(".sense-row.rose").count() == 0  # one document is no evidence


def test_the_map_has_the_names_of_the_senses(cell, look, study):
    names = study.senses.filter(word="cell")["name"].unique()
    assert set(names) <= {mark["text"] for mark in look.picture(cell, "map")}


def test_chance_stands_behind_the_histograms(cell, look, study, tmp_path, reader):
    outlines = [m for m in look.picture(cell, "histogram") if m["kind"] == "polyline"]
    assert sum(m["fill"] == within(cell) for m in outlines) == 2
    page = reader.open(cell.url.split("#")[0])
    assert page.locator(".spark .chance").count() == 2
    earlier = dataclasses.replace(study, chance=pl.DataFrame())  # as it was before it was kept
    page = reader.open(report.write(earlier, tmp_path / "r").as_uri())
    assert page.locator(".spark .chance").count() == 0
    page.evaluate("location.hash = '#word=cell'")
    look.settled(page)
    lines = [m for m in look.picture(page, "histogram") if m["kind"] == "polyline"]
    assert within(page) not in {m["fill"] for m in lines}


def test_certainty_is_told_as_far_as_permutations_go(cell, reader, study):
    assert "p ≤ 1/201, q = 0.010" in cell.locator("#word-figures").inner_text()
    page = reader.open(cell.url.split("#")[0])
    assert "≤ 1/201" in page.locator("#words tbody tr", has_text="cell").inner_text()
    low, high = study.words.filter(word="cell").select("change_low", "change_high").row(0)
    told = cell.locator("#word-figures").inner_text()
    assert f"({low:.3f} to {high:.3f})" in told


def test_reference_words_are_a_band_of_the_chart(study, tmp_path, reader, look):
    changes = np.linspace(0.01, 0.2, 50)
    controls = pl.DataFrame(
        {
            "word": [f"w{k}" for k in range(50)], "old": ["1800s"] * 50, "new": ["2000s"] * 50,
            "change": changes, "beyond": changes, "p": [0.5] * 50,
        }
    )  # fmt: skip
    page = reader.open(
        report.write(dataclasses.replace(study, controls=controls), tmp_path / "r").as_uri()
    )
    look.until(page, "senseshift.pictures.get('chart')")
    drawn = look.picture(page, "chart")
    assert "nine of ten reference words" in {mark["text"] for mark in drawn}
    assert page.evaluate("senseshift.received.index.band") == pytest.approx(
        np.quantile(changes, [0.05, 0.95]).tolist(), abs=1e-3
    )
    whiskers = [mark for mark in drawn if mark["kind"] == "polyline" and mark["opacity"] == 0.55]
    assert len(whiskers) == 4  # of magnitude and scope
    page.locator("#magnitude").select_option("f_APD")  # of which reference words say nothing
    assert "nine of ten reference words" not in {m["text"] for m in look.picture(page, "chart")}


def test_three_periods_have_three_bars(reader, look, periods_site):
    page = look.settled(reader.open(f"{periods_site}#word=cell"))
    assert page.locator(".sense-row").first.locator(".bar").count() == 3
    assert page.locator(".slope").count() == 0


def test_new_gone_and_rare_words_are_listed_as_such(tmp_path, reader):
    usage = {"text": "a thing here", "start": 2, "end": 7}
    counts = {"came": (0, 6), "went": (5, 0), "rare": (2, 2)}
    records = [
        usage | {"word": word, "period": period, "id": f"{word}{period}{k}"}
        for word, sides in counts.items()
        for period, count in zip(("old", "new"), sides, strict=True)
        for k in range(count)
    ]
    study = compare(
        Usages.from_records(records, periods=("old", "new")), read_contexts, measures=["f_SUS"],
        calibration=CALIBRATION,
    )  # fmt: skip
    page = reader.open(report.write(study, tmp_path / "r").as_uri())
    listed = {kind: page.locator(f".untold.{kind}").inner_text() for kind in ("new", "gone", "few")}
    assert listed["new"] == "came 6 in new, none in old"
    assert listed["gone"] == "went 5 in old, none in new"
    assert listed["few"] == "rare 2 + 2"


def same(texts, spans):
    return np.ones((len(texts), 4))


def test_what_is_nothing_is_drawn_as_nothing(tmp_path, reader, look):
    records = [
        {"word": "w", "period": p, "id": f"{p}{k}", "text": "a w", "start": 2, "end": 3}
        for p in ("1", "2")
        for k in range(12)
    ]
    study = compare(Usages.from_records(records), same, measures=["f_SUS"])
    assert study.instances["sus"].abs().max() < 1e-9
    page = look.settled(reader.open(report.write(study, tmp_path / "r").as_uri() + "#word=w"))
    page.locator("#histogram").scroll_into_view_if_needed()
    look.until(page, "senseshift.pictures.get('histogram').drawn")
    low, high = page.evaluate(
        "(({ low, high }) => [low, high])(senseshift.views.histogram.scale())"
    )
    assert max(abs(low), abs(high)) <= 0.05  # no bar reaches farther than there is anything
    assert page.locator("#lines .sus").first.inner_text() == "0.000"
    assert "NaN" not in texts(page)


def test_every_cluster_has_a_colour_of_its_own(cell):
    found = cell.evaluate(
        "[...senseshift.colours.labels([...Array(24).keys()].map(String)).values()]"
    )
    assert len(set(found)) == 24


def test_a_phone_shows_the_words_about_the_target(another, look, site):
    page = another(viewport={"width": 390, "height": 800}, has_touch=True).open(site + CELL)
    look.until(page, "document.querySelectorAll('#lines .row').length")
    page.locator("#lines").scroll_into_view_if_needed()
    row = page.locator("#lines .row").first
    area = row.bounding_box()
    seen = row.evaluate(
        """(row) => { const box = row.getBoundingClientRect(), words = [];
          const walk = document.createTreeWalker(row.querySelector('.kwic'), NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            for (const found of walk.currentNode.textContent.matchAll(/\\S+/g)) {
              const range = document.createRange();
              range.setStart(walk.currentNode, found.index);
              range.setEnd(walk.currentNode, found.index + found[0].length);
              const at = range.getBoundingClientRect();
              if (at.right <= box.right && at.bottom <= box.bottom + 1) words.push(found[0]);
            }
          } return words; }"""
    )
    assert len(seen) >= 8
    assert "cell" in seen
    second = page.locator("#lines .row").nth(1).bounding_box()
    assert second["y"] == pytest.approx(area["y"] + area["height"], abs=1)


def test_a_chosen_line_is_announced(cell, look):
    cell.locator("#lines").focus()
    cell.keyboard.press("Enter")
    said = cell.locator("#live").inner_text()
    first = look.lines(cell)[0]
    assert said.startswith("Usage 1 of 80 chosen: ")
    assert cell.evaluate(f"senseshift.shown.model.target({first})") in said


@pytest.mark.parametrize("width", [1300, 390])
def test_no_text_of_a_picture_is_cut_off(another, look, site, width):
    page = another(viewport={"width": width, "height": 900}).open(site)
    page.wait_for_timeout(300)
    outside = """(id) => {
      const holder = document.createElement('div');
      holder.style.cssText = 'position: absolute; left: 0; top: 0; visibility: hidden';
      const source = senseshift.pictures.get(id).svg();
      holder.append(new DOMParser().parseFromString(source, 'image/svg+xml').documentElement);
      document.body.append(holder);
      const svg = holder.firstChild, box = svg.getBoundingClientRect(), wrong = [];
      for (const text of svg.querySelectorAll('text')) {
        const at = text.getBoundingClientRect();
        const across = at.left < box.left - 1 || at.right > box.right + 1;
        const up = at.top < box.top - 1 || at.bottom > box.bottom + 1;
        if (across || up) wrong.push(text.textContent);
      }
      holder.remove();
      return wrong;
    }"""
    assert page.evaluate(outside, "chart") == []
    page.evaluate("location.hash = '#word=cell'")
    look.until(page, "document.querySelectorAll('#lines .row').length")
    for name in ("map", "histogram", "transport"):
        page.locator(f"#{name}").scroll_into_view_if_needed()
        look.until(page, f"senseshift.pictures.get({name!r}).drawn")
        assert page.evaluate(outside, name) == [], name


def test_the_map_is_moved_and_zoomed(cell, look):
    page = cell
    spots = "[...senseshift.pictures.get('map').spots.x]"
    before = page.evaluate(spots)
    page.locator("#zoom-in").click()
    look.until(page, f"Math.abs({spots}[0] - {before[0]}) > 1")
    closer = page.evaluate(spots)
    spread = max(closer) - min(closer)
    assert spread == pytest.approx(1.5 * (max(before) - min(before)), rel=0.01)
    page.locator("[data-drag=pan]").click()
    middle = "{ block: 'center', behavior: 'instant' }"
    page.evaluate(f"document.getElementById('map').scrollIntoView({middle})")
    area = page.locator("#map").bounding_box()
    page.mouse.move(area["x"] + 200, area["y"] + 200)
    page.mouse.down()
    page.mouse.move(area["x"] + 260, area["y"] + 200, steps=3)
    page.mouse.up()
    look.until(page, f"Math.abs({spots}[0] - {closer[0] + 60}) < 1")
    page.mouse.wheel(0, 100)  # zooms where a drag moves the map
    look.until(page, f"Math.max(...{spots}) - Math.min(...{spots}) < {spread * 0.9}")
    page.locator("#zoom-all").click()
    look.until(page, f"Math.abs({spots}[0] - {before[0]}) < 1")
    page.locator("[data-drag=lasso]").click()
