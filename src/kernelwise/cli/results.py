"""What a model has learned and what it is worth, in lines of text."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from kernelwise.cli import console, output
from kernelwise.data.checks import count, listed

if TYPE_CHECKING:
    from kernelwise.data import Dataset
    from kernelwise.evaluation import HonestError
    from kernelwise.evaluation.judging import Judgment

MOST_FEATURES_SHOWN, MOST_MISTAKES_SHOWN, MOST_GAPS_SHOWN = 15, 6, 4


def show_choice(estimator) -> None:
    """Print the chosen kernel, and the regularization, C and support vectors, if any."""
    console.say(f"Chosen kernel:   {estimator.kernel_.words()}")
    regularizers = {n: getattr(estimator, f"{n}_", None) for n in ("regularization", "C")}
    output.current.put(kernel=estimator.kernel_.words(), **regularizers)
    for heading, attribute in (("Regularization:", "regularization_"), ("C:", "C_")):
        if (value := getattr(estimator, attribute, None)) is not None:
            console.say(f"{heading:<17}{value:.3g}")
    if (passes := getattr(estimator, "n_passes_", None)) is not None:
        number, freedom = len(estimator.landmarks_), float(estimator.effective_parameters_)
        console.say(f"Landmarks:       {number} rows stand for all, fitted in {passes} passes;")
        console.say(f"                 {freedom:.4g} effective parameters")
        output.current.put(landmarks=number, passes=passes, effective_parameters=freedom)
    if (vectors := getattr(estimator, "n_relevance_vectors_", None)) is not None:
        console.say(f"Rows it keeps:   {vectors} (relevance vectors)")
    elif hasattr(estimator, "output_posterior") and estimator._gives_log_odds:
        console.say("Predicts by:     the mean of the posterior; all rows take part")
    elif (rows := getattr(estimator, "support_", None)) is not None:
        console.say(f"Support vectors: {len(rows)} rows")
    for step in getattr(estimator.trace_, "steps", [])[-1:]:
        gap = abs(step.gradient - step.propagated).max()
        drawn = min(report.effective_sample for report in step.reports)
        console.say(
            f"Sampled check:   slopes of the evidence differ by {gap:.1g} per row or less "
            f"(standard error {step.standard_errors.max():.1g}, {drawn:.0f} effective draws)"
        )


def show_gaps(sentences: tuple[str, ...]) -> None:
    """Print what gaps count as, column by column, the first few."""
    for sentence in sentences[:MOST_GAPS_SHOWN]:
        console.note(sentence)
    if len(sentences) > MOST_GAPS_SHOWN:
        console.note(f"and {len(sentences) - MOST_GAPS_SHOWN} further columns with gaps likewise")


def show_error(error: "HonestError", task: str) -> None:
    """Print the honest error with its interval, the error of knowing nothing, and the verdict."""
    classes = task == "classification"
    unit, digits = ("of rows wrong", ".1%") if classes else ("root mean squared", ".4g")
    trivial = "always naming the most frequent class" if classes else "always predicting the mean"
    console.say(
        f"Honest error:    {error.value:{digits}} {unit}, "
        f"95% interval {error.lower:{digits}} to {error.upper:{digits}}"
    )
    judged = f"by {error.folds}-fold cross-validation, the kernel chosen in each fold"
    if error.folds == 1:
        judged = (
            "on rows kept apart: neither the choice nor the machine that predicts them saw them"
        )
    console.say(f"                 {judged}")
    console.say(f"Knowing nothing: {error.baseline:{digits}} {unit}, by {trivial}")
    _show_measures(error)
    output.current.put(honest_error=error.numbers() | {"is_useful": error.is_useful})
    if error.beats_trivial:
        least, most = -error.difference_upper, -error.difference_lower
        gain = f"{least:{digits}} to {most:{digits}}{' of rows' if classes else ''}"
        console.say(f"Verdict:         better than knowing nothing, by {gain} (95% interval)")
    elif error.tells_classes_apart:
        ends = f"{error.balanced_lower:.1%} to {error.balanced_upper:.1%}"
        console.say(
            f"Verdict:         tells the classes apart (balanced error, 95% interval {ends}), but"
        )
        console.say("                 not with fewer wrong rows than knowing nothing")
    else:
        worse = error.difference_lower > 0
        found = "worse" if worse else "not shown to be better"
        console.say(f"Verdict:         {found} than knowing nothing")
        console.note(
            "do not trust the relevances below: they explain a model that may know nothing"
        )


def show_score(error: "Judgment", task: str, rows: int) -> None:
    """Print the error of predictions for a table that has the target; on standard error."""
    classes = task == "classification"
    unit, digits = ("of rows wrong", ".1%") if classes else ("root mean squared", ".4g")
    console.note(
        f"error on {count(rows, 'row')}: {error.value:{digits}} {unit}, 95% interval "
        f"{error.lower:{digits}} to {error.upper:{digits}}; {measures_text(error.measures)}"
    )


def _show_measures(error: "HonestError") -> None:
    if error.measures:
        console.say(f"Also held out:   {measures_text(error.measures)}")


def measures_text(measures: Mapping[str, float]) -> str:
    """Measures by name, in one line."""
    percent = {"balanced error", "recall of the rarest class"}
    texts = [
        f"{name} {value:.1%}" if name in percent else f"{name} {value:.4g}"
        for name, value in measures.items()
        if name != "RMSE"  # it is the error itself
    ]
    return ", ".join(texts)


def show_confusion(classes: Iterable[str], confusion: tuple[tuple[int, ...], ...]) -> None:
    """Print which classes were mistaken for which, the most frequent mistakes first."""
    names = [str(name) for name in classes]
    output.current.put(confusion={"classes": names, "rows": confusion})
    mistakes = [
        (number, sum(line), names[true], names[named])
        for true, line in enumerate(confusion)
        for named, number in enumerate(line)
        if named != true and number
    ]
    for place, mistake in enumerate(sorted(mistakes, reverse=True)[:MOST_MISTAKES_SHOWN]):
        number, rows, true, named = mistake
        heading = "Mistakes:" if place == 0 else ""
        console.say(f"{heading:<17}{number} of {rows} '{true}' named '{named}'")


def show_relevance(names: Iterable[str], relevance: Iterable[float]) -> None:
    """Print the features from the most to the least relevant."""
    ranked = sorted(zip(names, relevance, strict=True), key=lambda pair: -pair[1])
    output.current.put(relevance={name: float(share) for name, share in ranked})
    if not output.current.shows_lines:
        return
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column("Features by relevance", overflow="fold")
    table.add_column("share", justify="right")
    table.add_column("")
    longest = ranked[0][1]
    for name, share in ranked[:MOST_FEATURES_SHOWN]:
        table.add_row(console.one_line(name), f"{share:.1%}", "#" * round(30 * share / longest))
    Console(highlight=False, markup=False).print(table)
    rest = ranked[MOST_FEATURES_SHOWN:]
    if rest:
        console.say(f"and {len(rest)} more with {sum(share for _, share in rest):.1%} together")


def show_columns(dataset: "Dataset") -> None:
    """Print what each column was read as."""
    kinds = {"number": "Numbers:", "category": "Categories:", "date": "Dates:"}
    for kind, heading in kinds.items():
        names = [column.name for column in dataset.columns if column.kind == kind]
        if names:
            console.say(f"{heading:<17}{listed(names, 20)}")
