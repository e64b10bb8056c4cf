"""A reader's own senses, stars and notes: kept, taken back, saved, and made a study of."""

import csv
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from studies import ATTACK, WORDS, axe_violations

from senseshift import Study, read

COMMAND = Path(sys.executable).with_name("senseshift")
CELL = "#word=cell"
CHECKS = Path(__file__).with_name("accessibility.js").read_text("utf-8")
TEI = "{http://www.tei-c.org/ns/1.0}"
FOUND = """window.hacked !== undefined || document.querySelector(
  'img, [onerror], [onload], [onclick], a[href^=javascript]')"""


def rename(page, name, new):
    field = page.get_by_label(f"Name of the sense {name}")
    field.fill(new)
    field.press("Enter")


def names(page):
    return [
        field.input_value() for field in page.locator("#work-senses input").all()
    ]  # what stands in them


def reloaded(page, look):
    """The page again, wherever it was scrolled to."""
    page.reload()
    look.until(page, "document.querySelectorAll('#lines .row').length")


def saved(page, control, path):
    with page.expect_download() as download:
        page.locator(control).click()
    download.value.save_as(path)
    return path


def mine(page):
    """Each usage's sense as the page has it now."""
    return page.evaluate(
        "Object.fromEntries(senseshift.shown.model.desk.labels.map((label, k) =>"
        " [senseshift.shown.model.desk.ids[k], label]))"
    )


def edit(page, look):
    """Rename, merge, move, mark noise: all that a person does to senses."""
    monk, phone = names(page)
    rename(page, phone, "telephone")
    page.locator("#find").fill("tower")
    page.locator("#move-to").select_option(" new")
    page.locator("#move").click()
    rename(page, "sense 3", "mast")
    page.locator("#find").fill("narrow")
    page.locator("#move-to").select_option(" new")
    page.locator("#move").click()
    page.get_by_label("Merge sense 4 into").select_option(label="mast")
    page.get_by_role("button", name="Merge sense 4").click()
    page.get_by_role("button", name="Clear selection").click()
    page.locator("#line-0").click()
    page.locator("#usage-sense").select_option(" noise")
    page.locator("#usage-move").click()
    assert sorted(names(page)) == sorted(["mast", "telephone", monk])


@pytest.mark.parametrize("name", ["site", "single_site"])
def test_the_browsers_senses_become_the_studys(reader, look, request, study, tmp_path, name):
    address = request.getfixturevalue(name) + CELL
    page = look.settled(reader.open(address))
    assert page.locator("#edited-note").is_hidden()
    summary, bars = (page.locator(f"#{part}").inner_text() for part in ("summary", "senses"))
    edit(page, look)
    shown = mine(page)
    assert set(shown.values()) == {None, *names(page)}
    # edited senses are told to be so, and what the study says stays what it says
    assert "figures are of the study" in page.locator("#work-edited").inner_text()
    assert page.locator("#edited-note").is_visible()
    assert page.locator("#summary").inner_text() == summary
    assert page.locator("#senses").inner_text() == bars
    assert "mast" in page.locator("#lines .edited").all_inner_texts()
    reloaded(page, look)
    assert mine(page) == shown
    path = saved(page, "#work-save", tmp_path / "senses.json")
    if name == "single_site":  # the file is the same
        return
    study.save(tmp_path / "study")
    done = subprocess.run(
        [COMMAND, "relabel", "study", "senses.json", "-o", "mine", "--no-report"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = Study.load(tmp_path / "mine")
    cell = made.usages.filter(word="cell")
    assert dict(cell.select("id", "sense").iter_rows()) == shown
    assert set(made.senses.filter(word="cell")["name"]) == set(shown.values()) - {None}
    assert made.senses.filter(word="stone")["name"].to_list() == (
        study.senses.filter(word="stone")["name"].to_list()
    )
    # and in another browser, from the file
    page.evaluate("localStorage.clear()")
    reloaded(page, look)
    assert mine(page) != shown
    page.locator("#work-file").set_input_files(path)
    look.until(page, "document.getElementById('work-says').textContent.startsWith('Loaded')")
    assert mine(page) == shown


def test_every_step_can_be_taken_back(reader, look, site):
    page = look.settled(reader.open(site + CELL))
    before, called = mine(page), names(page)
    assert page.locator("#undo").is_disabled()
    edit(page, look)
    page.locator("#colour").select_option("edited")
    assert "your senses" in page.locator("#colour option:checked").inner_text()
    after = mine(page)
    page.locator("#forget").click()
    assert mine(page) == before
    page.locator("#undo").click()
    assert mine(page) == after
    while page.locator("#undo").is_enabled():
        page.locator("#undo").click()
    assert mine(page) == before
    assert names(page) == called
    assert page.locator("#edited-note").is_hidden()
    assert page.locator("#colour").input_value() != "edited"
    assert page.evaluate("document.activeElement.id") in ("undo", "")


def test_names_that_cannot_be_given_are_told(reader, look, site):
    page = look.settled(reader.open(site + CELL))
    first, second = names(page)
    for new, said in ((second, "already"), ("  ", "needs a name"), ("-1", "no sense")):
        rename(page, first, new)
        assert said in page.locator("#work-says").inner_text()
        assert names(page) == [first, second]
    assert page.locator("#edited-note").is_hidden()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is not JSON"),
        ("[]", "not saved by this workbench"),
        ('{"format": "senseshift workbench", "version": 7, "words": {}}', "version 7"),
        ({"cell": {"senses": {"1": "a", "2": "a"}, "usages": {}}}, "two senses of one name"),
        ({"cell": {"senses": {}, "usages": {"1800s-0": "1"}}}, "a sense that there is not"),
        ({"cell": {"senses": {}, "usages": {"gone": None}}}, "no usage “gone”"),
        ({"horse": {"stars": ["a"]}}, "no word “horse”"),
        ({"cell": {"stars": [1]}}, "no text"),
    ],
)
def test_a_wrong_file_is_told_and_changes_nothing(cell, look, tmp_path, text, said):
    page = cell
    if isinstance(text, dict):
        text = json.dumps({"format": "senseshift workbench", "version": 1, "words": text})
    (tmp_path / "wrong.json").write_text(text)
    before = page.evaluate("senseshift.edits.text()")
    page.locator("#work-file").set_input_files(tmp_path / "wrong.json")
    look.until(page, "document.getElementById('work-says').textContent.includes('not loaded')")
    assert said in page.locator("#work-says").inner_text()
    assert page.evaluate("senseshift.edits.text()") == before


def test_starred_usages_are_cited_and_senses_are_clusters(reader, look, site, tmp_path):
    page = look.settled(reader.open(site + "#word=stone"))
    page.locator("#line-0").click()
    page.locator("#usage-star").click()
    page.locator("#previous").click()
    look.until(page, "senseshift.shown.model.word == 'cell'")
    page.locator("#find").fill("tower")
    page.locator("#star").click()
    page.locator("#line-0").click()
    page.locator("#note").fill("the *first* of these")
    page.locator("#note").blur()
    assert page.locator("#stars").inner_text() == "13 usages starred."
    assert page.locator("#line-0 .sign").count() == 2
    id, date, source = page.evaluate(
        "(({ model, state: { usage } }) => [model.id[usage], model.date[usage],"
        " model.source[usage]])(senseshift.shown)"
    )
    table = saved(page, "[data-cite=csv]", tmp_path / "c.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    assert len(rows) == 13
    assert {row["word"] for row in rows} == {"cell", "stone"}
    assert {row["sense_by"] for row in rows} == {"study"}
    (noted,) = (row for row in rows if row["note"])
    assert (noted["id"], noted["date"], noted["source"]) == (id, date, source)
    assert "tower" in noted["quotation"]
    tree = ET.parse(saved(page, "[data-cite=tei]", tmp_path / "c.xml"))
    cited = tree.findall(f".//{TEI}cit")
    assert len(cited) == 13
    assert [one.findtext(f"{TEI}bibl/{TEI}idno") for one in cited] == [row["id"] for row in rows]
    assert {one.findtext(f"{TEI}quote/{TEI}hi") for one in cited} == {"cell", "stone"}
    markdown = saved(page, "[data-cite=markdown]", tmp_path / "c.md").read_text("utf-8")
    assert markdown.count("\n> — ") == 13
    assert "the \\*first\\* of these" in markdown
    folder = tmp_path / "wug"
    for part in ("data/cell", "clusters/opt"):
        (folder / part).mkdir(parents=True)
    page.get_by_role("button", name="Clear selection").click()
    saved(page, "[data-download=wug]", folder / "data" / "cell" / "uses.csv")
    saved(page, "#clusters", folder / "clusters" / "opt" / "cell.csv")
    given = dict(read(folder).table.select("id", "sense").iter_rows())
    assert given == mine(page)


def test_hostile_names_and_notes_stay_text(reader, look, hostile_site, tmp_path):
    page = reader.open(hostile_site)
    page.locator("#words tbody th a").filter(has_text=WORDS[0]).first.click()
    look.settled(page)
    page.locator("#lines").focus()
    page.keyboard.press("Control+a")
    page.locator("#move-to").select_option(" new")
    page.locator("#move").click()
    name = f'=cmd|"{WORDS[0]}{ATTACK}&amp;'
    rename(page, names(page)[0], name)
    assert names(page)[0] == name
    page.locator("#star").click()
    page.locator("#line-0").click()
    note = f"</note>{ATTACK}\n<img src=x onerror=window.hacked=1> ]]> \x08 `x`"
    page.locator("#note").fill(note)
    page.locator("#note").blur()
    page.locator("#colour").select_option("edited")
    page.wait_for_timeout(300)
    assert not page.evaluate(FOUND)
    reloaded(page, look)
    assert not page.evaluate(FOUND)
    assert name in mine(page).values()
    tree = ET.parse(saved(page, "[data-cite=tei]", tmp_path / "c.xml"))
    notes = [one for one in tree.iter(f"{TEI}note") if one.get("type") == "comment"]
    assert [ATTACK in one.text for one in notes] == [True]
    told = {one.text for one in tree.iter(f"{TEI}note") if one.get("subtype") == "person"}
    assert told == {name}  # a person's sense is not told as the study's
    rows = saved(page, "[data-cite=csv]", tmp_path / "c.csv").read_text("utf-8-sig")
    table = list(csv.DictReader(io.StringIO(rows, newline="")))
    assert {row["sense"] for row in table} == {f"'{name}"}
    markdown = saved(page, "[data-cite=markdown]", tmp_path / "c.md").read_text("utf-8")
    assert "<" not in markdown.replace("\\<", "")
    path = saved(page, "#work-save", tmp_path / "senses.json")
    assert name in json.loads(path.read_text("utf-8"))["words"][WORDS[0]]["senses"].values()
    for form in ("svg", "png"):
        slide = saved(page, f"[data-slide={form}]", tmp_path / f"slide.{form}")
    assert slide.read_bytes().startswith(b"\x89PNG")
    picture = ET.parse(tmp_path / "slide.svg")
    assert not [
        one for one in picture.iter() if one.tag.endswith(("script", "img", "foreignObject"))
    ]


def test_nearest_usages_have_their_distances(cell, look, study):
    page = cell
    page.locator("#line-0").click()
    usage = page.evaluate("senseshift.shown.state.usage")
    ids = page.evaluate("senseshift.shown.model.id")
    table = study.usages.filter(word="cell")
    vectors = study.vectors[table["usage"].to_numpy()].astype(float)
    vectors /= (vectors**2).sum(axis=1, keepdims=True) ** 0.5
    here = vectors[table["id"].to_list().index(ids[usage])]
    away = dict(zip(table["id"], 1 - vectors @ here, strict=True))
    expected = sorted((round(value, 3), id) for id, value in away.items() if id != ids[usage])[:8]
    near = page.evaluate(f"senseshift.shown.model.nearest({usage})")
    assert [one["away"] for one in near] == pytest.approx([v for v, _ in expected], abs=0.0011)
    shown = page.locator("#usage ul").nth(1).locator("b").all_inner_texts()
    assert [float(text) for text in shown] == [one["away"] for one in near]
    page.locator("#usage ul").nth(1).get_by_role("button").first.click()
    assert page.evaluate("senseshift.shown.state.usage") == near[0]["usage"]


def test_a_slide_and_a_saved_map_can_be_read_alone(cell, look, tmp_path):
    page = cell
    slide = ET.parse(saved(page, "[data-slide=svg]", tmp_path / "slide.svg")).getroot()
    assert (slide.get("width"), slide.get("height")) == ("1600", "900")
    said = " ".join(slide.itertext())
    for part in ("cell", "Gained a sense", "40 usages of 1800s, 40 of 2000s", "100 %", "Kishino"):
        assert part in said, part
    assert len([one for one in slide.iter() if one.tag.endswith("circle")]) >= 40
    png = saved(page, "[data-slide=png]", tmp_path / "slide.png").read_bytes()
    assert [int.from_bytes(png[k : k + 4], "big") for k in (16, 20)] == [1600, 900]
    for colour, parts in (("sus", ("fell −", "rose")), ("sense", ("first", "phone"))):
        page.locator("#colour").select_option(colour)
        look.settled(page)
        map_file = saved(page, "[data-plot=map][data-save=svg]", tmp_path / "map.svg")
        said = " ".join(ET.parse(map_file).getroot().itertext())
        for part in ("cell", "1800s (old)", "2000s (new)", *parts):
            assert part in said, part


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_workbench_and_two_words_are_for_everybody(another, look, site, scheme):
    page = another(color_scheme=scheme).open(site + CELL)
    look.settled(page)
    edit(page, look)
    page.locator("#find-how").select_option("expression")
    page.locator("#find").fill("(")
    look.until(page, "document.getElementById('find-says').textContent")
    page.locator("#find").fill("her")
    page.wait_for_timeout(500)
    page.locator("#star").click()
    assert page.evaluate(CHECKS) == []
    assert axe_violations(page) == []
    page.locator("#with").select_option("stone")
    look.until(page, "document.querySelectorAll('#compare-words svg').length")
    assert page.evaluate(CHECKS) == []
    assert axe_violations(page) == []
