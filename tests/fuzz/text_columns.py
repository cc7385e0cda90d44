"""Columns of words, of words among numbers, and of dates."""

from datetime import UTC, datetime, timedelta, timezone

from fuzz.meant import Meant
from fuzz.number_columns import digits, value

POOLS = (
    ("red", "green", "blue"),
    ("True", "False"),
    ("yes", "no", "unknown"),
    ("true", "FALSE", "False"),
    ("Köln", "Orléans", "São Paulo", "Zürich"),
    ("a,b", "c;d", "e|f", "tab\there"),
    ('say "hi"', '"quoted"', 'inch"', "it's"),
    ("two\nlines", "three\r\nlines", "one", "cr\rhere"),
    ("\x1b[31mred\x1b[0m", "bell\x07", "form\x0cfeed", "vt\x0btab", "unit\x1fmark"),
    ("日本語", "عربى", "emoji 🙂", "\u202eturned", "zero\u200bwidth", "nel\x85x", "sep\u2028x"),
    ("=1+1", "@sum", "+a", "-b", "#c"),
    ("Red", "red", "RED", "r ed"),
    ("12a", "1.2.3", "1-2", "1e", "0x10", "1/2"),
    ("?", "x", "-", "missing"),
    ("\uff11\uff12", "\u0661\u0662", "\u00b2", "\u2460"),
    ("  padded", "padded  ", "pad  it"),
)
CLASSES = (
    *(("yes", "no"), ("a", "b", "c"), ("True", "False"), ("Köln", "Orléans"), ("Yes", "yes")),
    *(("a,b", 'say "hi"'), ("two\nlines", "one"), ("\x1b[31mred", "bell\x07"), ("日本", "عربى")),
    *(("unknown", "known"), ("-", "+"), ("=1+1", "@x", "x" * 300)),
)
DATE_FORMS = (
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%y",
    "%d %b %Y",
    "%d-%B-%Y",
    "%B %d, %Y",
    "%m/%d/%Y %I:%M %p",
)


def words(rng, n, anchors):
    pool = POOLS[int(rng.integers(len(POOLS)))]
    texts = [str(rng.choice(pool)) for _ in range(n)]
    # "?" alone may be a gap in a column of which nothing else is known: a word stands beside it.
    for row in anchors:
        texts[row] = pool[1]
    # TRUE, true and True are the same, as programs write one and the other.
    meant = [text.strip() for text in texts]
    truth = {"true": "True", "false": "False"}
    return Meant(tuple(texts), words=tuple(truth.get(text.lower(), text) for text in meant))


def names_of_rows(rng, n, anchors):
    texts = tuple(f"row {number}" for number in rng.permutation(n))
    return Meant(texts, words=texts)


def huge_field(rng, n, anchors):
    texts = ["small", "x" * int(rng.choice([5_000, 140_000]))] + ["large"] * n
    return Meant(tuple(texts[:n]), words=tuple(texts[:n]))


def mixed(rng, n, anchors):
    """Numbers and words: categories, or numbers with gaps, and the reader must say which."""
    share, texts, numbers = float(rng.choice([0.3, 0.8, 0.97])), [], []
    for row in range(n):
        if row == anchors[0] or (row != anchors[-1] and rng.random() < share):
            mantissa = int(rng.integers(0, 5_000)) * 10 + 5
            texts.append(digits(mantissa, 1))
            numbers.append(value(mantissa, 1))
        else:
            texts.append(str(rng.choice(["low", "high", "12 kg", "<5", "1:2"])))
            numbers.append(None)
    return Meant(tuple(texts), numbers=tuple(numbers), words=tuple(texts))


def dates(rng, n, anchors):
    form = str(rng.choice(DATE_FORMS))
    # Pandas' nanoseconds end in 2262; a year of two digits is one of 1969 to 2068.
    far = rng.random() < 0.1 and "%y" not in form
    start = datetime(1583 if far else 1971, 1, 1)
    days = int(rng.choice([40, 3_000, 30_000]))
    moments = []
    for row in range(n):
        moment = start + timedelta(days=int(rng.integers(300_000 if far else days)))
        if row in anchors:  # a day that cannot be a month
            moment = moment.replace(day=int(rng.integers(13, 29)))
        if "%H" in form or "%I" in form:
            moment += timedelta(minutes=int(rng.integers(24 * 60)))
        moments.append(moment)
    texts = [moment.strftime(form) for moment in moments]
    if form == "%Y-%m-%dT%H:%M:%S":
        texts, moments = _in_a_zone(rng, texts, moments)
    return Meant(tuple(texts), moments=tuple(moments))


def _in_a_zone(rng, texts, moments):
    zone = str(rng.choice(["", "Z", "+02:00", "-0530"]))
    if not zone:
        return texts, moments
    hours = {"Z": 0.0, "+02:00": 2.0, "-0530": -5.5}[zone]
    offset = timezone(timedelta(hours=hours))
    in_utc = [moment.replace(tzinfo=offset).astimezone(UTC) for moment in moments]
    return [text + zone for text in texts], [moment.replace(tzinfo=None) for moment in in_utc]


def clocks(rng, n, anchors):
    minutes = rng.integers(24 * 60, size=n)
    minutes[anchors[0]], minutes[anchors[-1]] = 75, 615
    moments = tuple(datetime(1970, 1, 1) + timedelta(minutes=int(m)) for m in minutes)
    return Meant(tuple(f"{m:%H:%M}" for m in moments), moments=moments, parts=("hour",))


def two_classes(rng, n, anchors):
    chosen = CLASSES[int(rng.integers(len(CLASSES)))]
    texts = [str(rng.choice(chosen)) for _ in range(n)]
    for row, text in zip(anchors, chosen, strict=False):
        texts[row] = text
    return Meant(tuple(texts), words=tuple(texts))


def numbered_classes(rng, n, anchors):
    numbers = rng.integers(0, int(rng.choice([2, 3, 9])), n)
    numbers[anchors[0]], numbers[anchors[-1]] = 0, 1
    texts = [f"{number}.0" if rng.random() < 0.1 else str(number) for number in numbers]
    return Meant(tuple(texts), numbers=tuple(map(float, numbers)))


TEXT_MAKERS = (words, words, words, words, names_of_rows, mixed, mixed, dates, dates, dates, clocks)
TARGET_MAKERS = (two_classes, two_classes, numbered_classes, numbered_classes)
