"""Damaged, oversized and forged files that would be believed."""

from mutant import mutants_of

MODEL_FILES = [
    "persistence/test_hostile_models.py",
    "persistence/test_saving_models.py",
    "test_persistence.py",
]

HOSTILE_FILES = (
    *mutants_of(
        "persistence/trusted.py",
        ["test_persistence.py"],
        (
            "files may hold parts that no model needs",
            '    "tables",\n)',
            '    "tables",\n    "objective",\n)',
        ),
        ("files may hold all evaluations", '"evaluation.honest_error"', '"evaluation"'),
        ("files may hold the runner", '    "tables",\n)', '    "tables",\n    "runs",\n)'),
        (
            "any name of a trusted part will do",
            "isinstance(found, type) and found.__module__ == module_name",
            "True",
        ),
    ),
    *mutants_of(
        "persistence/models.py",
        MODEL_FILES,
        (
            "another format is read",
            "if kind not in ((KIND,) if has_checksum else EARLIER):",
            "if 0:",
        ),
        ("a lost checksum is not missed", "if kind == KIND and not has_checksum:", "if False:"),
        ("files older than checksums are all refused", "else EARLIER):", "else ()):"),
        ("scikit-learn tells of every part", "if has_checksum:  # and", "if False:  # and"),
        (
            "nothing is checked on saving",
            "if not is_trusted(name)]\n    if refused:\n        raise ValueError(\n"
            '            f"the model cannot',
            'if False]\n    if refused:\n        raise ValueError(\n            f"the model cannot',
        ),
    ),
    *mutants_of(
        "persistence/archive.py",
        ["persistence"],
        ("a wrong checksum is believed", "hexdigest().encode() != seal[2]:", "hexdigest() == 1:"),
        (
            "the end of the archive is not covered",
            "hashlib.sha256(content).hexdigest()",
            "hashlib.sha256(content[:-200]).hexdigest()",
        ),
        (
            "any archive may lack a checksum",
            "if data[-END_LENGTH:].startswith(END):",
            "if END in data:",
        ),
        ("a later format is read", "if int(seal[1]) > FORMAT:", "if False:"),
        ("any size is unpacked", "if sum(info.file_size for info in infos) > most:", "if False:"),
        (
            "a lying directory is believed",
            'b"".join(iter(lambda: member.read(PIECE), b""))',
            "member.read()",
        ),
        (
            "any compression is unpacked",
            "{zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}",
            "set(range(99))",
        ),
        ("a schema of any size is read", "info.file_size > MOST_SCHEMA_BYTES", "False"),
        ("any number of values is read", 'b"[", b"{")) > MOST_VALUES', "())) > MOST_VALUES"),
        ("any number of arrays is read", "if len(infos) > MOST_MEMBERS:", "if False:"),
        ("a schema of any depth is read", "if depth > MOST_DEPTH:", "if False:"),
    ),
    *mutants_of(
        "typed_json.py",
        ["test_typed_json.py"],
        ("true is a number", "fits = type(value) is kind", "fits = isinstance(value, kind)"),
        (
            "parts of tuples are not looked at",
            "return tuple(_typed(part, kind,",
            "return tuple((part, kind,",
        ),
        ("tuples have any length", "if len(kinds) != len(value):", "if False:"),
        (
            "unknown fields are dropped",
            'raise ValueError(f"{prefix}{unknown[0]!r} is unknown")',
            "pass",
        ),
    ),
    *mutants_of(
        "persistence/metadata.py",
        ["persistence"],
        (
            "patches are told",
            'then.split(".")[:2] != here[name].split(".")[:2]',
            "then != here[name]",
        ),
        ("skops is told of", "if name in NEEDED_ALIKE and", "if"),
        ("categories are numbers", "if is_known else set()", "if False else set()"),
    ),
    *mutants_of(
        "cli/console.py",
        ["cli/test_console.py"],
        ("results may steer the terminal", "typer.echo(visible(text),", "typer.echo(text,"),
        (
            "notes and errors may steer the terminal",
            'return visible(" ".join(text.split()))',
            'return " ".join(text.split())',
        ),
        (
            "tracebacks may steer the terminal",
            "typer.echo(visible(line), err=True)",
            "typer.echo(line, err=True)",
        ),
        (
            "tables are as wide as what is hidden",
            "rows = [[visible(text) for text in row] for row in",
            "rows = [list(row) for row in",
        ),
        ("text may be turned around", "\\u2028-\\u202e", "\\u2028"),
    ),
    *mutants_of(
        "cli/app.py",
        ["cli/test_help.py", "cli/test_cli.py::test_a_defect_is_reported_in_one_line"],
        ("help loads the console", "import typer\n", "import rich.table, typer\n"),
        ("the option for tracebacks does nothing", 'os.environ[TRACEBACK] = "1"', "pass"),
    ),
    *mutants_of(
        "runs/store.py",
        ["runs/test_damaged_stores.py", "runs/test_store.py"],
        (
            "rows are believed",
            "self._check_kind()\n        self._check_rows()",
            "self._check_kind()",
        ),
        ("pages are believed", "            self._check_pages()\n", ""),
        ("a damaged version is migrated", 'or ("checksum",) in columns:', "or False:"),
        (
            "unreadable tables are a defect",
            "except UnicodeDecodeError as error:",
            "except ZeroDivisionError as error:",
        ),
    ),
    *mutants_of(
        "runs/store_schema.py",
        ["runs/test_damaged_stores.py", "runs/test_store.py"],
        (
            "results of unknown environments are dropped",
            "FROM results LEFT JOIN environments",
            "FROM results JOIN environments",
        ),
        (
            "definitions are covered but for their names",
            "WHERE checksum != row_checksum(kind, name, definition)",
            "WHERE substr(checksum, 1, 0) != ''",
        ),
        (
            "version 2 is read as version 1",
            "2: _with_checksums({})",
            "2: _with_checksums(SPLIT_IN_TWO)",
        ),
    ),
)
