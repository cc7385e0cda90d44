"""Reports opened in a real browser: Debian's Chromium, driven by Playwright."""

import shutil

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with api.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield chromium
        chromium.close()


class OpenedReport:
    """A page with what it asked for and what it said.

    Attributes
    ----------
    page : Playwright's
    requests : the addresses that were asked for
    messages : lines of the console, and errors of scripts
    """

    def __init__(self, browser, path, **options):
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(20_000)
        self.page = self.context.new_page()
        self.requests, self.messages = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.goto(path)


@pytest.fixture
def open_report(browser, tmp_path):
    """``open_report(text, anchor="", width=1200, **options)``: a report's HTML, opened."""
    opened = []

    def open_one(text, anchor="", width=1200, **options):
        path = tmp_path / f"report-{len(opened)}.html"
        path.write_text(text, encoding="utf-8")
        viewport = {"width": width, "height": 900}
        opened.append(OpenedReport(browser, path.as_uri() + anchor, viewport=viewport, **options))
        return opened[-1]

    yield open_one
    for one in opened:
        one.context.close()
