"""Sentences about a record: of each question of a reader, what the record answers."""

from __future__ import annotations

from kernelwise.insight.fit_record import CandidateRecord, CheckRecord, CurvePoint, FitRecord
from kernelwise.insight.headline import number, percent

SHOWN_FEATURES = 6
# Together so much of the relevance is called most of it.
MOST = 0.95
# From this weight on a candidate is the whole sum, but for its last digits.
ALONE = 0.995
# Falls of the error, in parts of it, that are little and much.
LITTLE, MUCH = 0.03, 0.15


def about_table(record: FitRecord) -> str:
    what = f"Predicting '{record.target}'"
    if record.classes:
        shown = ", ".join(record.classes[:6]) + (", ..." if len(record.classes) > 6 else "")
        what += f" ({shown})"
    features = "1 feature" if len(record.columns) == 1 else f"{len(record.columns)} features"
    return f"{what} from {features}, {record.n_rows} rows."


def about_error(record: FitRecord) -> list[str]:
    error = record.error
    if record.constant:
        return []
    if error is None:
        seen = error_text(record, record.candidates[0].seen)
        return [f"The search itself saw {seen}, which flatters."]
    judged = f"by {error.rows} rows kept out of every choice"
    if error.folds > 1:
        whole = f" that split none of {record.groups} groups" if record.groups else ""
        judged = f"in {error.folds} folds{whole}, with every choice made again in each"
    said = [f"Judged {judged}."]
    flattery = error.value - error.seen
    seen = f"The search itself saw {error_text(record, error.seen)}"
    if record.task == "classification" and flattery >= 0.0005:
        said.append(f"{seen}: it flatters itself by {100 * flattery:.1f} points.")
    elif record.task == "regression" and flattery > 0.005 * error.value:
        said.append(f"{seen}: it flatters itself by {number(flattery)}.")
    return said


def error_text(record: FitRecord, value: float) -> str:
    return f"{100 * value:.1f} %" if record.task == "classification" else number(value)


def about_choice(record: FitRecord) -> list[str]:
    used = [one for one in record.tried if one.weight >= 0.005]
    used.sort(key=lambda one: -one.weight)
    if len(used) == 1:
        return [f"{used[0].name}: {used[0].words}."]
    parts = ", ".join(f"{percent(one.weight)} {one.name}" for one in used)
    return [f"A weighted sum of {len(used)} machines: {parts}."]


def about_reasons(record: FitRecord) -> list[str]:
    """What else was tried, and how it compares."""
    tried = record.tried
    if len(tried) < 2 or record.constant:
        return []
    said = []
    if record.combine == "stack" and max(one.weight for one in tried) >= ALONE:
        said += _one_has_all(record)
    elif record.combine == "stack":
        said.append("The weights are those that predict rows held out by the search best.")
        said.append(_best_alone(record))
    else:
        said.append(f"It had the least held-out squared error of {len(tried)} candidates.")
    worse = [one for one in tried if one.verdict.endswith("worse") and one.weight < ALONE]
    if worse:
        said.append(f"Clearly worse: {', '.join(_with_error(record, one) for one in worse)}.")
    for reason in dict.fromkeys(record.skipped.values()):
        names = [f"'{name}'" for name, own in record.skipped.items() if own == reason]
        verb = "was" if len(names) == 1 else "were"
        said.append(f"{_listed(names)} {verb} not tried: {reason}.")
    return said


def _listed(names: list[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _one_has_all(record: FitRecord) -> list[str]:
    """That a stack is one candidate, and why its error need not be that of this candidate."""
    said = [f"Of {len(record.tried)} candidates it alone gets weight."]
    if record.error is not None:
        said.append(
            "The folds that judge the stack choose weights of their own, so its error can differ "
            "from that of this candidate."
        )
    return said


def _best_alone(record: FitRecord) -> str:
    """The candidate of the least error on the same rows, and whether it differs from the stack."""
    tried = record.tried
    errors = [one.error if one.error is not None else one.seen for one in tried]
    best = tried[errors.index(min(errors))]
    said = f"Of {len(tried)} candidates alone '{best.name}' had the least error"
    said += f" ({error_text(record, min(errors))})"
    if best.error is None:
        return f"{said}, as the search saw it."
    if best.verdict.endswith("not told apart"):
        return f"{said}, not told apart from that of the sum."
    return f"{said}, {'more' if best.verdict.endswith('worse') else 'less'} than the sum."


def _with_error(record: FitRecord, one: CandidateRecord) -> str:
    value = one.seen if one.error is None else one.error
    return f"{one.name} ({error_text(record, value)})"


def about_features(record: FitRecord) -> list[str]:
    if record.is_trivial:
        return ["Nothing was learned, so no feature is known to matter."]
    if not record.features:
        return []
    shown = record.features[:SHOWN_FEATURES]
    words = ", ".join(f"{one.name} {percent(one.relevance)}" for one in shown)
    said = [words + (" ..." if len(record.features) > len(shown) else ".")]
    total, needed = 0.0, 0
    for one in record.features:
        needed, total = needed + 1, total + one.relevance
        if total >= MOST:
            break
    without = sum(one.relevance == 0 for one in record.features)
    tail = f"; {without} have no effect" if without else ""
    verb = "carries" if needed == 1 else "carry"
    said.append(f"{needed} of {len(record.features)} {verb} {percent(MOST)}{tail}.")
    told = sum(one.selected for one in record.features)
    said.append(f"Told apart from noise: {told}.")
    if record.stability is not None and len(record.features) > 2:
        held, copies = record.stability.order_held, record.stability.copies
        said.append(f"The order of the first three held in {held} of {copies} folds.")
    return said


def about_curve(record: FitRecord) -> list[str]:
    """How the error changed with the last half of the rows, and whether more would change it."""
    if len(record.curve) < 2 or record.is_trivial:
        return []
    half, whole = record.curve[len(record.curve) // 2 - 1], record.curve[-1]
    before, after = error_text(record, half.error), error_text(record, whole.error)
    verb = "fell" if whole.error < half.error else "rose"
    went = f"stayed at {after}" if before == after else f"{verb} from {before} to {after}"
    verdict = _more_rows(half, whole)
    return [f"From {half.rows} to {whole.rows} rows the error {went}: {verdict}."]


def _more_rows(half: CurvePoint, whole: CurvePoint) -> str:
    """Whether more rows would help; unknown where folds differ by more than that would be."""
    fell = 1 - whole.error / half.error if half.error > 0 else 0.0
    by_chance = 2 * (half.uncertain or 0.0) / half.error if half.error > 0 else 0.0
    if max(LITTLE, fell) < by_chance and by_chance > MUCH:
        return "that may be chance, so whether more would help is not known"
    if fell < max(LITTLE, by_chance):
        return "more would hardly help"
    return "more would help" if fell > MUCH else "more would help a little"


def about_time(record: FitRecord) -> list[str]:
    return [f"{record.seconds:.3g} s, {record.factorizations} factorizations."]


def about_check(check: CheckRecord) -> str:
    """What was seen, and what to do about it."""
    return f"{check.text}: {check.advice}." if check.advice else f"{check.text}."
