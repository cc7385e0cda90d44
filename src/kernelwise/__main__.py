"""The command ``kernelwise``; also ``python -m kernelwise``."""

import sys


def main() -> None:
    """Run the command line, or say what to install when its packages are missing."""
    try:
        from kernelwise.cli import app

        app(prog_name="kernelwise")
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"typer", "rich", "click"}:
            raise
        sys.exit(f"error: the command line needs {error.name}: pip install 'kernelwise[cli]'")


if __name__ == "__main__":
    main()
