"""Wrong reports: names that become HTML, marks of other rows, numbers that nobody measured."""

from mutant import mutants_of

REPORT = ["report/test_fit_report.py"]
COMPARISON = ["report/test_comparison_document.py"]
RECORD = ["auto/test_auto_record.py"]

REPORTS = (
    *mutants_of(
        "auto/held_out_rows.py",
        RECORD,
        ("recalls of all rows", "own = unseen.truth == label", "own = unseen.predictions == label"),
        (
            "recalls of folds that share no rows",
            "factor = SHARED_TRAINING if unseen.folds > 1 else 1.0\n    found",
            "factor = 1.0\n    found",
        ),
        ("recalls without groups", "factor * clustering(right, held)", "factor"),
        (
            "squares by their corners",
            "(edges[1:] + edges[:-1]) / 2 for edges",
            "edges[1:] for edges",
        ),
    ),
    *mutants_of(
        "auto/recording.py",
        RECORD,
        (
            "the order need not be that of all rows",
            "(_order(own)[:3] == order[:3]).all()",
            "(_order(own)[:3] == order[:3]).any()",
        ),
        ("all features are among the first", "max(1, n_features // 3)", "max(1, n_features)"),
    ),
    *mutants_of(
        "report/html.py",
        REPORT,
        ("the record may end its script", 'for unsafe in "<>&', 'for unsafe in ">&'),
        ("names may be HTML", "autoescape=True", "autoescape=False"),
        ("any style is allowed", "style-src '{_hash(style)}'", "style-src 'unsafe-inline'"),
    ),
    *mutants_of(
        "report/svg.py",
        REPORT,
        ("no artist is a mark", 'element.attrib["class"] = "mark"', "pass"),
        ("identifiers of all pictures", 'f"{name}-{own}"', "own"),
        ("one color by day and by night", "VARIABLES.get(found[0].lower(), found[0])", "found[0]"),
    ),
    *mutants_of(
        "report/markdown.py",
        REPORT,
        ("names may end a column", "{}\\[\\]|#~", "{}\\[\\]#~"),
        ("names may be tags", '.replace("<", "&lt;")', ""),
        ("lines may end their fence", "max(3, longest + 1)", "3"),
    ),
    *mutants_of(
        "report/sections/choice.py",
        REPORT,
        ("marks as the table has them", "rows=tuple(map(int, order))", "rows=()"),
    ),
    *mutants_of(
        "report/sections/features.py",
        REPORT,
        (
            "relevances of a useless model",
            "if record.is_trivial or not record.features:",
            "if not record.features:",
        ),
    ),
    *mutants_of(
        "report/comparison_document.py",
        COMPARISON,
        (
            "marks as the table has them",
            "rows=tuple(rows[place] for place in order)",
            "rows=tuple(rows)",
        ),
        ("any ranks are tested", "FEWEST_TABLES = 5", "FEWEST_TABLES = 1"),
    ),
    *mutants_of(
        "compare/stored.py",
        COMPARISON,
        ("one split is enough", "if result.record}) > 1", "if result.record}) > 0"),
    ),
)
