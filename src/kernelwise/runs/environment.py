"""What a result was computed with: versions, code and hardware."""

import hashlib
import json
import os
import platform
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import kernelwise
from kernelwise.hardware import processor

LIBRARIES = ("numpy", "scipy", "scikit-learn", "joblib")


@lru_cache(maxsize=1)
def environment() -> str:
    """JSON text: kernelwise's version and code, Python, libraries, processor, cores, system."""
    found = {
        "kernelwise": code_version(),
        "python": platform.python_version(),
        **{name: _version(name) for name in LIBRARIES},
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    return json.dumps(found)


@lru_cache(maxsize=1)
def code_version() -> str:
    """The version and eight digits that change with every line of the source."""
    digest = hashlib.sha256()
    source = Path(kernelwise.__file__).parent
    for path in sorted(source.rglob("*.py")):
        digest.update(path.relative_to(source).as_posix().encode() + path.read_bytes())
    return f"{kernelwise.__version__}+{digest.hexdigest()[:8]}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
