"""A report of a small study, and a real browser that has no network."""

import shutil
from types import SimpleNamespace

import pytest
from studies import hostile_study, small_study, three_periods

from senseshift import report

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def study():
    return small_study()


@pytest.fixture(scope="session")
def site(study, tmp_path_factory):
    """The address of the report of the small study."""
    return report.write(study, tmp_path_factory.mktemp("small") / "report").as_uri()


@pytest.fixture(scope="session")
def single_site(study, tmp_path_factory):
    folder = tmp_path_factory.mktemp("single")
    return report.write(study, folder / "small.html", single_file=True).as_uri()


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile") / "report"
    # In this process: others take longer to start than ten small maps to make.
    return report.write(hostile_study(), folder, threads=1).as_uri()


@pytest.fixture(scope="session")
def periods_site(tmp_path_factory):
    return report.write(three_periods(), tmp_path_factory.mktemp("periods") / "report").as_uri()


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        yield launched
        launched.close()


class Reader:
    """Somebody who opens pages and looks; whatever goes wrong on a page is kept."""

    def __init__(self, browser, **options):
        options = {"viewport": {"width": 1300, "height": 1000}} | options
        self.context = browser.new_context(accept_downloads=True, offline=True, **options)
        self.wrong, self.requests = [], []

    def open(self, address):
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("console", self._hear)
        page.on("dialog", lambda dialog: (self.wrong.append("a dialog"), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(address)
        return page

    def _hear(self, message):
        if message.type == "error":
            self.wrong.append(f"console: {message.text}")

    def close(self):
        self.context.close()


@pytest.fixture
def reader(browser):
    somebody = Reader(browser)
    yield somebody
    somebody.close()
    assert somebody.wrong == []
    local = ("file:", "data:", "blob:")
    assert [url for url in somebody.requests if not url.startswith(local)] == []


@pytest.fixture(scope="session")
def resident(browser, site):
    """Somebody whose page stays open between tests, because opening it takes longest."""
    somebody = Reader(browser)
    yield somebody, somebody.open(site)
    somebody.close()


@pytest.fixture
def cell(resident, look):
    """The page of the word ``cell``, as it is when just opened."""
    somebody, page = resident
    page.bring_to_front()  # behind another page it would be drawn once a second
    page.evaluate("location.hash = ''")
    look.until(page, "senseshift.shown === null")
    page.evaluate("location.hash = '#word=cell'")
    look.until(page, "senseshift.shown && document.activeElement.id == 'word-name'")
    page.mouse.move(0, 0)
    yield look.settled(page)
    assert somebody.wrong == []


@pytest.fixture
def another(browser):
    """Readers with other screens and settings, by what makes them different."""
    readers = []

    def made(**options):
        readers.append(Reader(browser, **options))
        return readers[-1]

    yield made
    for somebody in readers:
        somebody.close()
        assert somebody.wrong == []


def until(page, expression, timeout=10_000):
    """Wait for a true value in a page; its policy forbids the way in which playwright would."""
    for _ in range(timeout // 50):
        if value := page.evaluate(expression):
            return value
        page.wait_for_timeout(50)
    raise AssertionError(f"{expression} was not true within {timeout / 1000:g} s")


@pytest.fixture
def look():
    """What tests ask of a page."""

    def settled(page):
        """Lines and map are there and nothing waits to be drawn on the map."""
        until(page, "document.querySelectorAll('#lines .row').length")
        until(page, "senseshift.shown !== null")
        page.evaluate("""document.getElementById('map').scrollIntoView(
          { block: 'nearest', behavior: 'instant' })""")  # pictures out of sight are not drawn
        until(page, "senseshift.shown.waiting.map === null")
        until(page, "senseshift.pictures.get('map').drawn")
        return page

    def picture(page, id):
        """The marks and texts of a picture, as its SVG has them."""
        return page.evaluate(
            """(id) => {
              const source = senseshift.pictures.get(id).svg();
              const svg = new DOMParser().parseFromString(source, 'image/svg+xml');
              const drawn = svg.querySelectorAll('circle, rect, text, polyline, polygon');
              return [...drawn].map((one) => ({
                kind: one.tagName, text: one.textContent, fill: one.getAttribute('fill'),
                opacity: Number(one.getAttribute('opacity') || 1),
              }));
            }""",
            id,
        )

    def place(page, id, k):
        """Where on the screen the k-th thing of a picture is."""
        page.locator(f"#{id}").scroll_into_view_if_needed()
        page.wait_for_timeout(50)
        until(page, f"senseshift.pictures.get({id!r}) && senseshift.pictures.get({id!r}).drawn")
        x, y = page.evaluate(
            f"(({{ spots }}) => [spots.x[{k}], spots.y[{k}]])(senseshift.pictures.get({id!r}))"
        )
        area = page.locator(f"#{id}").bounding_box()
        return area["x"] + x, area["y"] + y

    def lines(page):
        """Numbers of the usages that the concordance lists, in order."""
        return page.evaluate("[...senseshift.shown.state.lines]")

    def active(page):
        state = "senseshift.shown.state.active, senseshift.shown.model.size"
        return page.evaluate(f"senseshift.mask.members({state})")

    return SimpleNamespace(
        settled=settled, lines=lines, active=active, until=until, picture=picture, place=place
    )
