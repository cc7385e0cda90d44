"""Times in words, and words as times."""

import re

UNITS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}


def duration(seconds: float) -> str:
    """A time in words, in one or two units."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


def seconds_of(text: str) -> float:
    """The seconds in a text such as 90, 90s, 10m, 10min or 1.5h."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([a-z]*)\s*", text.lower())
    if match is None or match[2] not in UNITS or float(match[1]) == 0:
        raise ValueError(f"--time-limit {text}: write a time such as 90s, 10m or 2h")
    return float(match[1]) * UNITS[match[2]]
