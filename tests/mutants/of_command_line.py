"""A command line that says something else than the fit, or saves it."""

from mutant import mutants_of

AUTO = ["cli/test_cli_auto.py"]
EXPLAIN = ["cli/test_cli_explain.py"]

COMMAND_LINE = (
    *mutants_of(
        "cli/records.py",
        AUTO,
        ("rows are numbered anew", "row=int(rows[one.row])", "row=one.row"),
        ("checks are said twice", "if check.code not in known and (", "if ("),
        (
            "the hash is of nothing",
            "hashlib.file_digest(opened,",
            "hashlib.file_digest(open('/dev/null', 'rb'),",
        ),
    ),
    *mutants_of(
        "cli/records.py",
        EXPLAIN,
        ("any record is believed", "FitRecord.from_json(model.record_.as_json())", "model.record_"),
    ),
    *mutants_of(
        "cli/models.py",
        AUTO,
        ("groups never reach AutoKernel", '("groups", dataset.groups)', '("groups", None)'),
        (
            "weights never reach AutoKernel",
            '("sample_weight", dataset.weights)',
            '("sample_weight", None)',
        ),
        ("AutoKernel knows no limit of time", "max_time=how.seconds", "max_time=None"),
    ),
    *mutants_of(
        "cli/effort.py", AUTO, ("copies are free", "once * (1 + copies * share**3)", "once")
    ),
    *mutants_of(
        "cli/command_lines.py",
        AUTO,
        ("folders are told", "Path(text).name or text", "text"),
        ("defaults are told", 'source.name != "COMMANDLINE"', "not source.name"),
    ),
    *mutants_of(
        "cli/explaining.py",
        EXPLAIN,
        ("rows are numbered as explained", "row=number) for place", "row=place) for place"),
        (
            "one row tells how all are written",
            "as_written(rows.sample, columns",
            "as_written(rows.sample.iloc[numbers], columns",
        ),
    ),
    *mutants_of(
        "auto/leaderboard.py",
        AUTO,
        (
            "seconds decide the order",
            'np.argsort(rank, kind="stable")',
            'np.argsort(table["seconds"])',
        ),
    ),
)
