"""Methods by name: ours as the papers call them, and the competitors everyone has."""

from difflib import get_close_matches

from kernelwise.methods.alignment import ALIGNED
from kernelwise.methods.auto import AUTO
from kernelwise.methods.competitors import THEIRS
from kernelwise.methods.evidence_ascent import EVIDENCE_ASCENT
from kernelwise.methods.least_squares import LEAST_SQUARES
from kernelwise.methods.many_kernels import MANY_KERNELS
from kernelwise.methods.method import Method
from kernelwise.methods.relevance_vector import RELEVANCE_VECTOR
from kernelwise.methods.support_vector import SUPPORT_VECTOR

FAMILIES = (
    AUTO,
    LEAST_SQUARES,
    THEIRS,
    ALIGNED,
    SUPPORT_VECTOR,
    EVIDENCE_ASCENT,
    RELEVANCE_VECTOR,
    MANY_KERNELS,
)
# Every method by its name: ours, those of the papers, and the competitors.
METHODS = {method.name: method for family in FAMILIES for method in family}


def methods_named(names: list[str]) -> list[Method]:
    """Methods by name, ignoring case; a ValueError suggests known names."""
    found = []
    for name in names:
        if name.upper() not in METHODS:
            near = get_close_matches(name.upper(), METHODS)
            hint = f"did you mean {' or '.join(near)}?" if near else ""
            choice = hint or f"choose from {', '.join(METHODS)}"
            raise ValueError(f"there is no method {name!r}: {choice}")
        found.append(METHODS[name.upper()])
    return list({method.name: method for method in found}.values())
