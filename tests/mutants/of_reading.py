"""Wrong readings of a file: fields, numbers, dates, gaps, suspects and the target."""

from mutant import mutants_of

FIELDS = ["data/test_delimited.py"]
VALUES = ["data/test_texts_as_values.py"]
SUSPECTS = ["data/test_suspects.py"]
MEASURES = ["evaluation/test_measures.py"]
SHELL = ["cli/test_cli_tables.py", "cli/test_cli_predicting.py"]

READING = (
    *mutants_of(
        "data/delimited.py",
        FIELDS,
        ("longer rows are cut", "if length > most:", "if False:"),
        (
            "the spare field is the first",
            'return [*names, ""], [Check("KW101", said)]',
            'return ["", *names], [Check("KW101", said)]',
        ),
        ("a spare field of some rows", "every = len(seen.lengths) == 1", "every = True"),
        ("row names may repeat", "len(set(first)) == len(first) > 1", "len(first) > 1"),
        ("split decimals are row names", "or _split_decimals(chunks)", ""),
        (
            "the wrong of two columns",
            "elif _stripped(column).equals(_stripped(columns[name])):",
            "elif True:",
        ),
        ("quotes may stay open", "skipinitialspace=True, strict=True", "skipinitialspace=True"),
        ("lines are rows", "line = reader.line_num + 1 + lines_before", "line += 1"),
        ("a header of numbers", "if names and all(", "if False and all("),
    ),
    *mutants_of(
        "data/file_bytes.py",
        FIELDS,
        ("zero bytes are text", 'if "\\0" in text:', "if False:"),
        ("Windows is not guessed", 'return "cp1252"', 'return "utf-16"'),
    ),
    *mutants_of(
        "data/numbers.py",
        VALUES,
        ("thousands anywhere", "if not IN_THREES[thousands].fullmatch(whole):", "if False:"),
        ("the comma is never sure", "comma += reading == ','".replace("'", '"'), "comma += 0"),
        ("underscores are digits", "[^0-9+\\-.eE]", "[^0-9+\\-.eE_]"),
        ("a minus is lost", 'text.replace("\\u2212", "-")', 'text.replace("\\u2212", "")'),
    ),
    *mutants_of(
        "data/dates.py",
        VALUES,
        ("weeks begin on Thursday", "(microseconds // DAY + 3) % 7", "microseconds // DAY % 7"),
        ("months from zero", "astype(np.int64) % 12 + 1", "astype(np.int64) % 12"),
        ("the century is the last", "1900 if year >= 69 else 2000", "1900"),
        ("day and month swapped", "if day_first else (match[3], match[1])", "if True else ()"),
    ),
    *mutants_of(
        "data/kinds.py",
        VALUES,
        ("a tenth is mostly", "MOSTLY, DIFFERENT = 0.9, 10", "MOSTLY, DIFFERENT = 0.1, 10"),
        (
            "the table does not decide",
            '("," if grouped else self.decimal)',
            '("," if grouped else ".")',
        ),
        (
            "words of people are texts",
            "self.missing, by_people=True))\n        if",
            "self.missing, by_people=False))\n        if",
        ),
    ),
    *mutants_of(
        "data/suspects.py",
        SUSPECTS,
        ("row numbers are learned", "numbered = values[0] in (0, 1)", "numbered = False"),
        ("ids are learned", "if like_an_id:", "if False:"),
        (
            "copies of the target stay",
            'return Suspect("KW209", copied, "drop it")\n        return Suspect',
            "return None\n        return Suspect",
        ),
        ("a tie separates classes", "and not ties.any()", ""),
    ),
    *mutants_of(
        "data/twins.py",
        ["data/test_frame_checks.py"],
        ("opposite columns differ", "np.abs(np.corrcoef(", "(np.corrcoef("),
    ),
    *mutants_of(
        "data/frame_checks.py",
        ["data/test_frame_checks.py"],
        (
            "only the first quantity",
            "target.reshape(len(target), -1).T",
            "target.reshape(len(target), -1).T[:1]",
        ),
    ),
    *mutants_of(
        "auto/checks.py",
        ["auto/test_auto_checks.py"],
        ("rows without weight are checked", "frame[kept],", "frame,"),
    ),
    *mutants_of(
        "data/target.py",
        ["data/test_target.py"],
        (
            "rows without a target are a class",
            "known = texts.codes >= 0\n    if not known.all():",
            "known = texts.codes >= -1\n    if not known.all():",
        ),
        ("big numbers are doubles", "np.abs(values).max() < EXACT:", "True:"),
    ),
    *mutants_of(
        "data/dataset.py",
        ["data/test_dataset.py"],
        ("the sample is not stratified", 'if self.task == "classification":', "if False:"),
        ("weights of all rows", "    return values[known]", "    return values[known] * 0 + 1"),
    ),
    *mutants_of(
        "evaluation/measures.py",
        MEASURES,
        ("the commonest class", "recalls[int(counts.argmin())]", "recalls[int(counts.argmax())]"),
        ("the other probability", "probabilities[:, 1] if two", "probabilities[:, 0] if two"),
    ),
    *mutants_of(
        "evaluation/honest_error.py",
        MEASURES,
        ("weights of the first rows", "sample_weight[train]", "sample_weight[: len(train)]"),
        (
            "groups are split",
            "splitter.split(np.zeros((len(y), 1)), y, groups)",
            "splitter.split(np.zeros((len(y), 1)), y, np.arange(len(y)))",
        ),
    ),
    *mutants_of(
        "data/matching.py",
        ["data/test_dataset.py"],
        ("one column switches all", "all(mark != column.decimal", "any(mark == column.decimal"),
        (
            "no table ever switches",
            "if switched else column.decimal",
            "if False else column.decimal",
        ),
    ),
    *mutants_of(
        "evaluation/row_intervals.py",
        MEASURES,
        ("groups are rows", "return max(1.0, together", "return max(1.0, 0 * together"),
        (
            "every row counts the same",
            "(np.bincount(codes, rows.weights * wrong) / mass).mean()",
            "wrong.mean()",
        ),
    ),
    *mutants_of(
        "cli/predicting.py",
        SHELL,
        ("targets are read anew", "metadata.task, column)", "metadata.task, None)"),
    ),
    *mutants_of(
        "cli/oddities.py",
        SHELL,
        ("nothing is outside", "(features[name] > high)", "(features[name] > 1e300)"),
    ),
    *mutants_of(
        "cli/models.py",
        SHELL,
        (
            "a model of all rows",
            "_metadata(learned, pipeline, error)",
            "_metadata(dataset, pipeline, error)",
        ),
        (
            "groups stay outside the model",
            "set_params(cv=inner or pipeline[-1].cv)",
            "set_params()",
        ),
        (
            "weights are forgotten",
            "weights = {} if dataset.weights is None else",
            "weights = {} if True else",
        ),
        ("the honest error splits groups", "groups=dataset.groups,\n            sample", "sample"),
    ),
)
