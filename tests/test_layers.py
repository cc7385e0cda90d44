"""Dependencies point one way: the imports of every module, walked with ast."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import kernelwise

SOURCE = Path(kernelwise.__file__).parent

# Each layer may import those before it, never those beside or after it.
LAYERS = (
    ("notices",),
    ("deprecation", "linalg", "parameters"),
    ("solutions",),
    ("kernels", "machines", "criteria", "searchers"),
    ("objective",),
    ("scale",),
    ("selections", "multikernel"),
    ("errors", "files", "hardware", "memory", "optional", "threads", "typed_json"),
    ("tables",),
    ("estimators",),
    ("__init__",),
    ("insight", "data"),
    ("evaluation",),
    ("auto",),
    ("persistence",),
    ("runs",),
    ("methods",),
    ("compare", "papers"),
    ("report",),
    ("cli",),
    ("__main__",),
)
BESIDE = {
    ("solutions", "linalg"),
    ("scale", "optional"),
    ("scale", "threads"),
    ("__init__", "auto"),  # only when it is asked for
    ("auto", "report"),  # only when a page is asked for
}
# Small helpers that import nothing of kernelwise and are for the layers above the core only.
HELPERS = {"errors", "files", "hardware", "memory", "optional", "threads", "typed_json"}

CORE = {name for layer in LAYERS[:8] for name in layer}
FOUNDATION = {name for layer in LAYERS[:2] for name in layer}
FOUNDATION_PACKAGES = {"numpy", "scipy"}
CORE_PACKAGES = FOUNDATION_PACKAGES | {"sklearn", "joblib", "threadpoolctl"}
OPTIONAL_PACKAGES = {
    "dask",
    "distributed",
    "jinja2",
    "lightgbm",
    "matplotlib",
    "numba",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scikit_posthocs",
    "skops",
    "typer",
}
# Modules that load an optional package; nothing loads them before it is needed.
LOADED_LATE = {"kernels/compiled.py": {"numba"}}
# Whom a lower part may call on, and never on loading.
CALLED_LATE = {("__init__", "auto"), ("auto", "report")}
# Parts that may speak of a shell; three of them still do in messages of the library.
SHELL = {"cli", "papers", "report", "runs"}
MODULES = sorted(SOURCE.rglob("*.py"))


def layer_of(part):
    for number, layer in enumerate(LAYERS):
        if part in layer:
            return number
    raise AssertionError(f"kernelwise.{part} is in no layer: add it to LAYERS in {__file__}")


def part_of(path):
    """``kernels`` for kernels/radial.py, ``linalg`` for linalg.py."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_names(node):
    """Absolute dotted names that an import statement may bind."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    assert node.level == 0, "relative imports hide the layer; write kernelwise.<part>"
    return [f"{node.module}.{alias.name}" for alias in node.names]


def imports(tree):
    """Every import of a module, wherever it stands."""
    found = (node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return [name for node in found for name in imported_names(node)]


def imports_on_loading(tree):
    """Imports that run when the module is loaded: not in functions, not for type checkers."""
    names, waiting = [], list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names += imported_names(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)
    return names


def own_parts(names):
    """The parts of kernelwise among dotted names; the package itself is ``__init__``."""
    known = {part for layer in LAYERS for part in layer} | {part_of(path) for path in MODULES}
    parts = set()
    for name in names:
        package, *rest = name.split(".")
        if package == "kernelwise":
            parts.add(rest[0] if rest and rest[0] in known else "__init__")
    return parts


def violations(part, names):
    """Parts of kernelwise that ``part`` may not import but does."""
    lower = {name for layer in LAYERS[: layer_of(part)] for name in layer}
    if layer_of(part) < layer_of("estimators"):
        lower -= HELPERS
    if part in HELPERS:
        lower = set()
    allowed = lower | {part} | {right for left, right in BESIDE if left == part}
    return own_parts(names) - allowed


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_lower_layers(path):
    tree = ast.parse(path.read_text())
    assert not violations(part_of(path), imports(tree))


@pytest.mark.parametrize(
    "path", [p for p in MODULES if part_of(p) in CORE], ids=lambda p: str(p.relative_to(SOURCE))
)
def test_the_core_loads_only_the_hard_dependencies(path):
    packages = {name.split(".")[0] for name in imports_on_loading(ast.parse(path.read_text()))}
    allowed = FOUNDATION_PACKAGES if part_of(path) in FOUNDATION else CORE_PACKAGES
    allowed = allowed | LOADED_LATE.get(path.relative_to(SOURCE).as_posix(), set())
    assert packages - set(sys.stdlib_module_names) - {"kernelwise", "__future__"} <= allowed


@pytest.mark.parametrize("late", LOADED_LATE)
def test_what_is_loaded_late_is_imported_by_functions_only(late):
    module = "kernelwise." + late.removesuffix(".py").replace("/", ".")
    importing = [path for path in MODULES if module in imports(ast.parse(path.read_text()))]
    assert importing
    for path in importing:
        assert module not in imports_on_loading(ast.parse(path.read_text()))


@pytest.mark.parametrize(("lower", "upper"), sorted(CALLED_LATE))
def test_what_is_called_late_is_imported_by_functions_only(lower, upper):
    trees = [ast.parse(path.read_text()) for path in MODULES if part_of(path) == lower]
    assert any(upper in own_parts(imports(tree)) for tree in trees)
    assert not any(upper in own_parts(imports_on_loading(tree)) for tree in trees)


def test_only_objective_joins_the_families_below_the_selections():
    families = {"kernels", "machines", "criteria"}
    joining = {
        part_of(path)
        for path in MODULES
        if layer_of(part_of(path)) <= layer_of("objective")
        and families <= own_parts(imports(ast.parse(path.read_text())))
    }
    assert joining == {"objective"}


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if part_of(path) not in SHELL],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_only_the_command_line_names_options_of_the_shell(path):
    constants = (
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)
    )
    texts = [node.value for node in constants if isinstance(node.value, str)]
    assert not [text for text in texts if re.search(r"(?<!\S)--[a-z]", text)]


def test_only_the_junction_solves_a_machine():
    """Above the families, nothing calls ``machine.solve`` but ``objective.evaluated``."""
    calls = {
        str(path.relative_to(SOURCE))
        for path in MODULES
        if layer_of(part_of(path)) >= layer_of("objective")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "solve"
        and ast.unparse(node.func.value) not in ("self", "objective", "self.objective", "np.linalg")
    }
    assert calls == {"objective.py"}


def test_no_component_is_told_by_its_class_outside_its_family():
    """No ``isinstance`` on a kernel, machine or criterion above the families."""
    families = {
        name
        for family in ("kernels", "machines", "criteria")
        for name in import_module(f"kernelwise.{family}").__all__
    }
    found = {
        f"{path.relative_to(SOURCE)}: {ast.unparse(node)}"
        for path in MODULES
        if layer_of(part_of(path)) >= layer_of("objective")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"
        for kind in ast.unparse(node.args[1]).strip("()").split(", ")
        if kind in families - {"Kernel", "Criterion"}  # what a user hands in may be checked
    }
    assert not found


def test_three_files_only_import_dask():
    """For sums over rows, grids of cells and clusters of a command; nothing else needs it."""
    asks = re.compile(r"import_optional\(\s*\"(dask|distributed|cloudpickle)")
    found = {str(path.relative_to(SOURCE)) for path in MODULES if asks.search(path.read_text())}
    assert found == {"cli/cluster.py", "scale/dask_cluster.py", "runs/executors.py"}


def test_kernelwise_loads_without_the_optional_packages():
    blocked = "; ".join(f"sys.modules[{name!r}] = None" for name in sorted(OPTIONAL_PACKAGES))
    names = "kernelwise, kernelwise.data, kernelwise.evaluation, kernelwise.persistence"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {blocked}; import {names}"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(SOURCE.parent)},
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("part", "source", "found"),
    [
        ("kernels", "from kernelwise.machines import LeastSquares", {"machines"}),
        ("kernels", "def f():\n    from kernelwise import objective", {"objective"}),
        ("linalg", "import kernelwise.solutions", {"solutions"}),
        ("solutions", "from kernelwise.linalg import cholesky", set()),
        ("selections", "from kernelwise import LSSVMClassifier", {"__init__"}),
        ("criteria", "from kernelwise.optional import import_optional", {"optional"}),
        ("estimators", "from kernelwise.objective import Objective", set()),
        ("evaluation", "from kernelwise.cli import app", {"cli"}),
    ],
)
def test_the_walker_sees_what_is_not_allowed(part, source, found):
    assert violations(part, imports(ast.parse(source))) == found


def test_the_walker_tells_loading_from_calling():
    source = (
        "import numpy\n"
        "if TYPE_CHECKING:\n    import pandas\n"
        "try:\n    import rich\nexcept ImportError:\n    pass\n"
        "class A:\n    import typer\n    def f(self):\n        import skops\n"
    )
    assert set(imports_on_loading(ast.parse(source))) == {"numpy", "rich", "typer"}
