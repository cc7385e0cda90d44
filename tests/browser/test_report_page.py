"""A report in a real browser: what a reader sees, types and prints, and what the page loads."""

from functools import cache
from io import BytesIO
from itertools import pairwise
from unicodedata import normalize

import pytest
from made_records import HOSTILE, made_record

from kernelwise.insight import FitRecord
from kernelwise.report.writing import fit_report

RECORDS = {
    "classes": made_record(),
    "quantity": made_record(n_classes=0),
    "hostile": made_record(names=(HOSTILE,), target=HOSTILE, classes=(HOSTILE, "b"), table=HOSTILE),
    "nothing known": made_record(
        error=None, confusion=(), calibration=(), surest_wrong=(), curve=(), checks=(), features=()
    ),
}
WIDE = made_record(n_columns=500, n_classes=50, n_rows=5000)


@cache
def text_of(name):
    return fit_report(RECORDS[name])


@pytest.fixture(params=RECORDS)
def name(request):
    return request.param


@pytest.fixture
def opened(name, open_report):
    return open_report(text_of(name))


def unfold(page):
    page.eval_on_selector_all("main details", "found => found.forEach(one => { one.open = true; })")


def test_nothing_is_loaded_and_nothing_complains(opened):
    assert [address.split(":")[0] for address in opened.requests] == ["file"]
    assert opened.messages == []
    policy = opened.page.locator('meta[http-equiv="Content-Security-Policy"]')
    assert policy.get_attribute("content").startswith("default-src 'none';")


def test_the_policy_stops_what_the_page_does_not_hold(open_report):
    """A script or a picture that someone slips in does not load."""
    strange = '<img src="https://127.0.0.1:9/a.png"><script>document.title = "gone"</script>'
    text = text_of("classes").replace("</main>", f"{strange}</main>")
    opened = open_report(text)
    assert opened.page.title() != "gone"
    assert sum("Content Security Policy" in message for message in opened.messages) == 2


def test_the_embedded_record_reads_back_equal(name, opened):
    text = opened.page.locator("script#record").text_content()
    assert FitRecord.from_json(text) == RECORDS[name]


def test_title_language_and_headings(name, opened):
    assert RECORDS[name].target in opened.page.title()
    assert opened.page.locator("html").get_attribute("lang") == "en"
    levels = opened.page.eval_on_selector_all(
        "h1, h2, h3, h4", "found => found.map(one => Number(one.tagName[1]))"
    )
    assert levels[0] == 1 and levels.count(1) == 1 and levels.count(2) >= 4
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_names_are_text_and_never_markup(open_report):
    page = open_report(text_of("hostile")).page
    assert page.locator("img").count() == 0
    for place in ("h1", "#features table", "#errors table", ".subject", "#data"):
        assert HOSTILE in page.locator(place).first.text_content(), place
    assert HOSTILE[:15] in page.locator("#features svg").first.text_content()  # long names are cut


# Clicks the head of every column twice; after each click, what all heads say and the column shows.
SORTED = """table => [...table.tHead.rows[0].cells].flatMap((head, column, heads) => {
  const clicked = () => {
    head.querySelector("button").click();
    const cells = [...table.tBodies[0].rows].map(row => row.cells[column]);
    const shown = cells.map(cell => [cell.textContent, cell.dataset.value ?? null]);
    return [column, heads.map(one => one.ariaSort), shown];
  };
  return [clicked(), clicked()];
})"""


def test_every_table_sorts_both_ways_and_says_so(opened):
    n_sorted = 0
    for table in opened.page.locator("table.sortable").all():
        steps = table.evaluate(SORTED)
        for place, (column, said, shown) in enumerate(steps):
            direction = ("ascending", "descending")[place % 2]
            assert said == [direction if k == column else None for k in range(len(said))]
            assert sorted(map(str, shown)) == sorted(map(str, steps[2 * column][2]))  # none is lost
            known = [float(value) for _, value in shown if value is not None]
            assert known == sorted(known, reverse=place % 2 == 1)
            # Unknown numbers come last, whatever the direction.
            assert all(value is None for _, value in shown[len(known) :])
            n_sorted += len(set(known)) > 1
    assert n_sorted > 4


def test_texts_sort_as_a_reader_expects(open_report):
    page = open_report(fit_report(made_record(n_columns=12))).page
    table = page.locator("#data table.sortable:has-text('column 11')")
    shown = table.evaluate(SORTED)[0][2]
    assert [text for text, _ in shown] == [f"column {number}" for number in range(12)]


def test_a_click_sorts(open_report):
    page = open_report(text_of("classes")).page
    head = page.locator("#chosen thead th", has_text="Error")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_keys_fold_sections(key, open_report):
    page = open_report(text_of("classes")).page
    for name in ("chosen", "data"):
        summary = page.locator(f"#{name} > summary")
        was_open = page.locator(f"#{name}").evaluate("section => section.open")
        summary.focus()
        page.keyboard.press(key)
        assert page.locator(f"#{name}").evaluate("section => section.open") != was_open


FOCUSED = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  return one === document.body ? null : {
    place: [...document.querySelectorAll("*")].indexOf(one),
    kind: one.tagName, outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth),
    seen: box.width > 0 && box.height > 0};
}"""


def test_tab_reaches_every_control_in_reading_order_and_shows_where_it_is(opened):
    page = opened.page
    unfold(page)
    found = []
    for _ in range(400):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        found.append(focused)
    places = [one["place"] for one in found]
    assert places == sorted(set(places))
    assert all(one["outline"] and one["seen"] for one in found)
    controls = page.locator("a[href], button, summary, [tabindex]").count()
    assert len(places) == controls
    # A picture is one stop: its marks are reached by arrow keys.
    assert page.locator("svg [tabindex]").count() == 0


def test_a_mark_and_its_row_are_lit_together(open_report):
    page = open_report(text_of("classes")).page
    unfold(page)
    figure = page.locator("#features figure:has(.mark)").first
    rows, marks = figure.locator("tbody tr"), figure.locator(".mark")
    assert marks.count() == rows.count() == 4
    plot = figure.locator(".plot")
    plot.focus()
    for number in range(4):
        page.keyboard.press("ArrowRight")
        assert lit(rows) == lit(marks) == [number]
        assert f"column {number}" in figure.locator(".at").inner_text()
    page.keyboard.press("Escape")
    assert lit(rows) == lit(marks) == []
    marks.nth(2).scroll_into_view_if_needed()
    box = marks.nth(2).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert lit(rows) == lit(marks) == [2]
    rows.nth(1).hover()
    assert lit(rows) == lit(marks) == [1]


def lit(elements):
    """The numbers of the elements that are lit."""
    return elements.evaluate_all(
        "all => all.flatMap((one, n) => one.classList.contains('lit') ? [n] : [])"
    )


def test_every_picture_has_a_title_and_its_numbers(opened):
    unfold(opened.page)
    figures = opened.page.locator("main figure:has(svg)").all()
    assert figures
    for figure in figures:
        assert figure.locator("svg > title").text_content().strip()
        assert figure.locator("svg").get_attribute("role") == "img"
        assert figure.locator("table tbody tr").count() >= 1
        marks, rows = figure.locator(".mark").count(), figure.get_attribute("data-rows").split()
        assert len(rows) in (0, marks)


def test_the_address_opens_its_section(open_report):
    text = text_of("classes")
    assert not open_report(text).page.locator("#search").evaluate("section => section.open")
    page = open_report(text, anchor="#search").page
    assert page.locator("#search").evaluate("section => section.open")
    page.locator('nav a[href="#data"]').click()
    page.locator("#data[open]").wait_for()


@pytest.mark.parametrize("width", [360, 768, 1200])
def test_nothing_sticks_out_sideways(width, open_report):
    for name in ("classes", "quantity", "hostile"):
        page = open_report(text_of(name), width=width).page
        unfold(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name


@pytest.mark.parametrize("name", ["classes", "quantity"])
def test_a_usual_screen_shows_every_column_of_the_leaderboard(name, open_report):
    page = open_report(text_of(name), width=1200).page
    hidden = page.locator("#chosen .scroll").evaluate("one => one.scrollWidth - one.clientWidth")
    assert hidden == 0


def test_a_shade_says_that_a_table_goes_on(open_report):
    image = pytest.importorskip("PIL.Image")
    table = open_report(text_of("quantity"), width=400).page.locator("#chosen .scroll")

    def right_edge():
        shown = image.open(BytesIO(table.screenshot())).convert("L")
        column = [shown.getpixel((shown.width - 2, y)) for y in range(shown.height)]
        return sorted(column)[len(column) // 2]

    assert right_edge() < 200
    table.evaluate("one => { one.scrollLeft = one.scrollWidth; }")
    assert right_edge() > 250, "nothing follows"


# Relative luminance and contrast as WCAG 2 defines them; of each visible text its color against the
# nearest painted background.
LOW_CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const over = (color, below) => {
    canvas.fillStyle = `rgb(${below})`; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = color => color.map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const background = one => one === null ? [255, 255, 255]
    : over(getComputedStyle(one).backgroundColor, background(one.parentElement));
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !one.checkVisibility()) continue;
    if (one.closest("script, style, title")) continue;
    const style = getComputedStyle(one), below = background(one);
    const text = over(one.closest("svg") ? style.fill : style.color, below);
    const [low, high] = [luminance(text), luminance(below)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) found.push([one.tagName, walker.currentNode.textContent, contrast]);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(scheme, opened):
    page = opened.page
    page.emulate_media(color_scheme=scheme)
    unfold(page)
    assert page.evaluate(LOW_CONTRAST) == []


def test_light_and_dark(open_report):
    page = open_report(text_of("classes"), color_scheme="dark").page
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.get_by_role("button", name="Light colors").click()
    light = page.evaluate(background)
    assert brightness(dark) < 100 < 600 < brightness(light)
    page.get_by_role("button", name="Dark colors").click()
    assert page.evaluate(background) == dark


def brightness(color):
    return sum(int(part) for part in color.removeprefix("rgb(").removesuffix(")").split(","))


def test_paper_has_every_section_and_no_controls(opened, tmp_path):
    pypdf = pytest.importorskip("pypdf")
    page = opened.page
    titles = page.locator("main h2").all_text_contents()
    # More than headings: the sections are open. Numbers of pictures stay folded.
    inside = "main > details > p, main > details > .scroll caption, main figcaption"
    inside = page.locator(inside).evaluate_all("all => all.map(one => one.firstChild.textContent)")
    page.pdf(path=tmp_path / "report.pdf")
    printed = [one.extract_text() for one in pypdf.PdfReader(tmp_path / "report.pdf").pages]
    text = words(" ".join(printed))
    assert [one for one in (*titles, *inside) if words(one) not in text] == []
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not any(one.is_visible() for one in page.locator("button:not(th button)").all())


def test_older_browsers_print_all_too(open_report):
    """They know no style that opens a section: it is opened for the time of printing."""
    page = open_report(text_of("classes")).page
    is_open = "all => all.map(section => section.open)"
    before = page.locator("main > details").evaluate_all(is_open)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(page.locator("main > details").evaluate_all(is_open)) and not all(before)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("main > details").evaluate_all(is_open) == before


def words(text):
    """Small letters alone: on paper lines break elsewhere, and fi may be one letter."""
    return "".join(normalize("NFKC", text).casefold().split())


def test_without_scripts_all_can_be_read(name, open_report):
    page = open_report(text_of(name), java_script_enabled=False).page
    assert page.locator(".headline").is_visible()
    assert page.locator("main > details[open] table").first.is_visible()
    assert page.locator("button").count() == 0
    page.locator("#data > summary").click()
    assert page.locator("#data table").first.is_visible()


def test_copy_puts_the_command_on_the_clipboard(open_report):
    opened = open_report(text_of("classes"))
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    unfold(opened.page)
    button = opened.page.locator("#repeat figure.code button").first
    button.click()
    opened.page.get_by_role("button", name="Copied").wait_for()
    assert RECORDS["classes"].command in opened.page.evaluate("navigator.clipboard.readText()")


def test_a_wide_table_stays_small_and_quick(open_report):
    text = fit_report(WIDE)
    assert len(text.encode()) < 1_500_000
    opened = open_report(text, width=360)
    unfold(opened.page)
    assert opened.messages == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert opened.page.locator("#data tbody tr").count() >= 100
