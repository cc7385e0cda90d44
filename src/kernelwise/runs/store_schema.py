"""The tables of a store, in SQL, and how those of earlier versions become them.

Every row has a checksum of what it says; that of a result covers its environment in words, not by
number. The statements need ``row_checksum`` as a function of the connection.
"""

import hashlib

from kernelwise.runs.cells import DONE, FAILED, KEPT, SKIPPED, Cell

SCHEMA_VERSION = 3
CELL = ", ".join(Cell._fields)
COLUMNS = (*Cell._fields, "status", "message", *KEPT)

SCHEMA = f"""
CREATE TABLE environments (
    id INTEGER PRIMARY KEY,
    description TEXT NOT NULL UNIQUE,
    checksum TEXT NOT NULL
);
CREATE TABLE definitions (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (kind, name)
) WITHOUT ROWID;
CREATE TABLE results (
    dataset TEXT NOT NULL,
    split TEXT NOT NULL,
    number INTEGER NOT NULL,
    method TEXT NOT NULL,
    seed INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('{DONE}', '{FAILED}', '{SKIPPED}')),
    message TEXT NOT NULL,
    {", ".join(KEPT)},
    environment INTEGER NOT NULL REFERENCES environments (id),
    finished_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    checksum TEXT NOT NULL,
    PRIMARY KEY ({CELL})
) WITHOUT ROWID
"""
# In version 1 a split was a kind and a number in one text, such as "generated/3".
SPLIT_IN_TWO = {
    "split": "substr(split, 1, instr(split, '/') - 1)",
    "number": "CAST(substr(split, instr(split, '/') + 1) AS INTEGER)",
}


def row_checksum(*values: str | float | None) -> str:
    """64 bits of SHA-256 of a row's values, as SQLite keeps them."""
    return hashlib.sha256(repr(values).encode("utf-8")).hexdigest()[:16]


def _with_checksums(expressions: dict[str, str]) -> str:
    """Statements that copy tables without checksums; ``expressions`` are columns that changed."""
    values = ", ".join(expressions.get(name, name) for name in COLUMNS)
    return f"""
ALTER TABLE results RENAME TO earlier_results;
ALTER TABLE definitions RENAME TO earlier_definitions;
ALTER TABLE environments RENAME TO earlier_environments;
{SCHEMA};
INSERT INTO environments SELECT id, description, row_checksum(description)
    FROM earlier_environments;
INSERT INTO definitions SELECT kind, name, definition, row_checksum(kind, name, definition)
    FROM earlier_definitions;
INSERT INTO results ({", ".join(COLUMNS)}, environment, finished_at, checksum)
    SELECT {values}, environment, finished_at, row_checksum({values}, description)
    FROM earlier_results JOIN earlier_environments ON id = environment;
DROP TABLE earlier_results;
DROP TABLE earlier_definitions;
DROP TABLE earlier_environments
"""


# Version 2 had no checksums.
MIGRATIONS = {1: _with_checksums(SPLIT_IN_TWO), 2: _with_checksums({})}

# The number of rows of each table that do not say what was written.
CHANGED_ROWS = {
    "environments": "SELECT count(*) FROM environments WHERE checksum != row_checksum(description)",
    "definitions": (
        "SELECT count(*) FROM definitions WHERE checksum != row_checksum(kind, name, definition)"
    ),
    "results": (
        "SELECT count(*) FROM results LEFT JOIN environments ON id = environment "
        f"WHERE results.checksum != row_checksum({', '.join(COLUMNS)}, description)"
    ),
}


def _places(count: int) -> str:
    return ", ".join(f"?{number}" for number in range(1, count + 1))


# Values of the columns, the number of the environment, and its description.
INSERT_RESULT = (
    f"INSERT INTO results ({', '.join(COLUMNS)}, environment, checksum) "
    f"VALUES ({_places(len(COLUMNS) + 1)}, "
    f"row_checksum({_places(len(COLUMNS))}, ?{len(COLUMNS) + 2})) "
    f"ON CONFLICT ({CELL}) DO NOTHING"
)
INSERT_DEFINITION = (
    "INSERT OR IGNORE INTO definitions VALUES (?1, ?2, ?3, row_checksum(?1, ?2, ?3))"
)
INSERT_ENVIRONMENT = (
    "INSERT OR IGNORE INTO environments (description, checksum) VALUES (?1, row_checksum(?1))"
)
SELECT_RESULTS = (
    f"SELECT {', '.join(COLUMNS)}, description FROM results "
    f"JOIN environments ON id = environment ORDER BY {CELL}"
)
