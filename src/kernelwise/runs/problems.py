"""What went wrong in a run, in words."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from kernelwise.runs.cells import DONE, CellResult

MOST_LISTED = 5


def problems_in_words(results: Iterable[CellResult]) -> tuple[str, ...]:
    """The commonest reasons why each method failed or was skipped, with the number of cells."""
    reasons: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for result in results:
        if result.status != DONE:
            reason = result.reason.partition("\n")[0]
            reasons[result.cell.method, result.status][reason] += 1
    return tuple(
        f"{method} {status}: {some([f'{why} ({_cells(n)})' for why, n in found.most_common()])}"
        for (method, status), found in reasons.items()
    )


def some(texts: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    more = f"; and {len(texts) - MOST_LISTED} more" if len(texts) > MOST_LISTED else ""
    return "; ".join(texts[:MOST_LISTED]) + more


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
