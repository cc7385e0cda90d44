"""What ``kernelwise explain`` says of a model without a record."""

from pathlib import Path
from typing import Any

from kernelwise.cli import console, output, results
from kernelwise.cli.predicting import columns_of
from kernelwise.data.checks import listed
from kernelwise.persistence import ModelMetadata


def show_model(model: Path, final: Any, metadata: ModelMetadata) -> None:
    """Print what a model file says about its model, and what the model has learned.

    Parameters
    ----------
    model : the file
    final, metadata : the last step of the model in it, and what it says about that
    """
    columns = columns_of(metadata)
    rows = "an unknown number of rows" if metadata.rows is None else f"{metadata.rows} rows"
    console.say(f"Model:           {model.name}, {type(final).__name__} fitted to {rows}")
    console.say(f"Predicts:        '{metadata.target}' ({metadata.task})")
    if metadata.classes:
        console.say(f"Classes:         {listed(metadata.classes)}")
    for kind, heading in (("number", "Numbers:"), ("category", "Categories:"), ("date", "Dates:")):
        names = [column.name for column in columns if column.kind == kind]
        if names:
            console.say(f"{heading:<17}{listed(names, 20)}")
    results.show_choice(final)
    _show_error(metadata.honest_error, metadata.task)
    versions = _versions(metadata)
    console.say("Written with:    " + ", ".join(f"{name} {v}" for name, v in versions.items()))
    kernel = final.kernel_.words() if hasattr(final, "kernel_") else None
    output.current.put(kernel=kernel, honest_error=metadata.honest_error)
    put_metadata(model, final, metadata)
    if hasattr(final, "relevance_"):
        plain = [*metadata.numeric_columns, *metadata.categorical_columns]
        names = list(getattr(final, "feature_names_in_", plain))
        results.show_relevance(names, final.relevance_)


def put_metadata(model: Path, final: Any, metadata: ModelMetadata) -> None:
    """Add to the document what a model file says."""
    output.current.put(
        model=str(model),
        estimator=type(final).__name__,
        target=metadata.target,
        task=metadata.task,
        classes=metadata.classes,
        rows=metadata.rows,
        columns={column.name: column.kind for column in columns_of(metadata)},
        versions=_versions(metadata),
    )


def _versions(metadata: ModelMetadata) -> dict[str, str]:
    return {"kernelwise": metadata.kernelwise_version, **metadata.library_versions}


def _show_error(numbers: dict[str, float] | None, task: str) -> None:
    if numbers is None:
        console.say("Honest error:    not estimated")
        return
    classes = task == "classification"
    digits, unit = (".1%", "of rows wrong") if classes else (".4g", "root mean squared")
    console.say(
        f"Honest error:    {numbers['value']:{digits}} {unit}, 95% interval "
        f"{numbers['lower']:{digits}} to {numbers['upper']:{digits}}; "
        f"knowing nothing: {numbers['baseline']:{digits}}"
    )
