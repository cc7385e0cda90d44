"""Finished cells in one SQLite file: what survives a killed run."""

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kernelwise.runs.cells import KEPT, Cell, CellResult
from kernelwise.runs.store_schema import (
    CELL,
    CHANGED_ROWS,
    INSERT_DEFINITION,
    INSERT_ENVIRONMENT,
    INSERT_RESULT,
    MIGRATIONS,
    SCHEMA,
    SCHEMA_VERSION,
    SELECT_RESULTS,
    row_checksum,
)

APPLICATION_ID = 0x6B657277  # "kerw": tells our files from other SQLite files
# How long to wait while another run writes to the same store, in steps short enough for Ctrl-C.
SECONDS_TO_WAIT = 60
SECONDS_PER_STEP = 0.5

JSON_COLUMNS = {"counters", "learnt"}
THIS_CELL = " AND ".join(f"{name} = ?" for name in Cell._fields)


class StoreError(OSError):
    """A store that cannot be opened, read or written; the text says what to do."""


class Store:
    """A file of results; each finished cell is one committed row, and is never overwritten.

    The file is in SQLite's WAL mode: a killed process loses nothing that was committed, a power
    cut at most the last rows, and several runs may use one file. A run has one writer: workers
    send their results to the process that holds the store. Opening a store reads all of it: a file
    in which a bit was flipped is a StoreError, never another result.

    Cost: about 0.1 ms per added row, 4 µs per row to open.
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        if not self.path.parent.is_dir():
            raise StoreError(f"the folder of the store {self.path} does not exist: create it first")
        self._environments: dict[str, int] = {}
        with self._explained():
            self._connection = sqlite3.connect(
                self.path, timeout=SECONDS_PER_STEP, isolation_level=None
            )
            try:
                self._open()
            except BaseException:
                self._connection.close()
                raise

    def _open(self) -> None:
        self._connection.create_function("row_checksum", -1, row_checksum, deterministic=True)
        self._execute("PRAGMA synchronous = NORMAL")
        if not self._is_new():
            self._check_kind()
            self._check_pages()
        self._execute("PRAGMA journal_mode = WAL")
        with self._transaction():  # asked again: another process may have been faster
            if self._is_new():
                self._build(SCHEMA)
                self._execute(f"PRAGMA application_id = {APPLICATION_ID}")
            elif (version := self._pragma("user_version")) < SCHEMA_VERSION:
                self._migrate(version)
        self._check_kind()
        self._check_rows()

    def _build(self, statements: str) -> None:
        for statement in statements.split(";"):
            self._execute(statement)
        self._execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _migrate(self, version: int) -> None:
        columns = self._execute("SELECT name FROM pragma_table_info('results')").fetchall()
        # Tables of today whose version number was damaged would come out garbled.
        if version not in MIGRATIONS or ("checksum",) in columns:
            raise StoreError(self._damaged(f"its version is not {version}"))
        self._build(MIGRATIONS[version])

    def _check_kind(self) -> None:
        if self._pragma("application_id") != APPLICATION_ID:
            raise StoreError(f"{self.path} is a database of another program: choose another name")
        if (version := self._pragma("user_version")) > SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} has schema version {version}, this kernelwise reads up to "
                f"{SCHEMA_VERSION}: choose another store, or the kernelwise that wrote it"
            )

    def _check_pages(self) -> None:
        (told,) = self._execute("PRAGMA quick_check(1)").fetchone()
        if told != "ok":
            raise StoreError(self._damaged(told))

    def _check_rows(self) -> None:
        for table, changed in CHANGED_ROWS.items():
            try:
                (count,) = self._execute(changed).fetchone()
            except sqlite3.OperationalError as error:
                if getattr(error, "sqlite_errorname", "") != "SQLITE_ERROR":
                    raise  # a lock, a disk
                raise StoreError(self._damaged(str(error))) from error
            if count:
                raise StoreError(self._damaged(f"the checksums of {count} {table} are wrong"))

    def _damaged(self, what: str) -> str:
        return (
            f"{self.path} is damaged ({' '.join(what.split())}): restore a copy of it, or choose "
            "another store to compute everything again"
        )

    def define(self, kind: str, name: str, definition: str) -> None:
        """Record what ``name`` means; a StoreError if it meant something else before."""
        with self._explained(), self._transaction():
            self._execute(INSERT_DEFINITION, (kind, name, definition))
            (known,) = self._execute(
                "SELECT definition FROM definitions WHERE kind = ? AND name = ?", (kind, name)
            ).fetchone()
        if known != definition:
            raise StoreError(
                f"{self.path} holds results of another {kind} {name} ({known}; now: {definition}): "
                "choose another store"
            )

    def definitions(self, kind: str) -> dict[str, str]:
        """All names of a kind that were defined, and what they mean."""
        with self._explained():
            return dict(
                self._execute(
                    "SELECT name, definition FROM definitions WHERE kind = ? ORDER BY name", (kind,)
                ).fetchall()
            )

    def add(self, results: Iterable[CellResult]) -> list[CellResult]:
        """Commit finished cells in one transaction; return those that were there already."""
        known = []
        with self._explained(), self._transaction():
            for result in results:
                if self._execute(INSERT_RESULT, self._row(result)).rowcount == 0:
                    known.append(result)
        return known

    def finished(self) -> dict[Cell, str]:
        """The status of every finished cell."""
        with self._explained():
            rows = self._execute(f"SELECT {CELL}, status FROM results").fetchall()
        return {Cell(*row[:-1]): row[-1] for row in rows}

    def holds(self, cell: Cell) -> bool:
        """Whether the cell is finished, by this run or by another one meanwhile."""
        with self._explained():
            found = self._execute(f"SELECT 1 FROM results WHERE {THIS_CELL}", cell)
            return found.fetchone() is not None

    def forget_failures(self, cells: Iterable[Cell]) -> None:
        """Delete the failed ones among ``cells``, so that they are tried again."""
        with self._explained(), self._transaction():
            self._connection.executemany(
                f"DELETE FROM results WHERE {THIS_CELL} AND status = 'failed'", cells
            )

    def results(self) -> list[CellResult]:
        """All results, sorted by cell."""
        with self._explained():
            rows = self._execute(SELECT_RESULTS).fetchall()
        return [self._result(row) for row in rows]

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _row(self, result: CellResult) -> tuple:
        kept = result.kept()
        for name in JSON_COLUMNS & kept.keys():
            kept[name] = json.dumps(kept[name], sort_keys=True)
        values = (*result.cell, result.status, result.message, *map(kept.get, KEPT))
        return (*values, self._environment_id(result.environment), result.environment)

    def _result(self, row: tuple) -> CellResult:
        width = len(Cell._fields)
        status, message, *values, environment = row[width:]
        kept = dict(zip(KEPT, values, strict=True))
        for name in JSON_COLUMNS:
            kept[name] = json.loads(kept[name] or "{}")
        return CellResult.from_kept(Cell(*row[:width]), status, message, kept, environment)

    def _environment_id(self, description: str) -> int:
        if description not in self._environments:
            self._execute(INSERT_ENVIRONMENT, (description,))
            found = self._execute(
                "SELECT id FROM environments WHERE description = ?", (description,)
            )
            self._environments[description] = found.fetchone()[0]
        return self._environments[description]

    def _pragma(self, name: str) -> int:
        return self._execute(f"PRAGMA {name}").fetchone()[0]

    def _is_new(self) -> bool:
        tables = self._execute("SELECT 1 FROM sqlite_master").fetchone()
        return tables is None and self._pragma("user_version") == 0

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Execute a statement, waiting while another run holds the lock.

        SQLite's own waiting blocks Ctrl-C and is partial: a change to WAL mode is refused at once.
        """
        give_up = time.monotonic() + SECONDS_TO_WAIT
        while True:
            try:
                return self._connection.execute(statement, values)
            except sqlite3.OperationalError as error:
                if not _is_busy(error) or time.monotonic() > give_up:
                    raise
            time.sleep(0.01)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; the write lock is taken at once, so two runs never wait on each other."""
        try:
            self._execute("BEGIN IMMEDIATE")
            yield
            self._execute("COMMIT")
        except BaseException:
            self._environments.clear()  # their rows go with the transaction
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn SQLite's errors into words."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(self._explanation(error)) from error
        except UnicodeDecodeError as error:  # of SQLite's message, which quotes the damaged place
            raise StoreError(self._damaged("its tables are unreadable")) from error

    def _explanation(self, error: sqlite3.Error) -> str:
        name = getattr(error, "sqlite_errorname", "") or ""
        again = "what was committed is safe: run the same command again to continue"
        if name.startswith("SQLITE_FULL"):
            return f"no space left to write to {self.path}: free some; {again}"
        if name.startswith("SQLITE_IOERR"):
            return f"{self.path} cannot be written ({error}; a full disk or a quota?); {again}"
        if _is_busy(error):
            return f"another program has locked {self.path} for {SECONDS_TO_WAIT} s; {again}"
        if name.startswith("SQLITE_CORRUPT"):
            return self._damaged(str(error))
        if name.startswith("SQLITE_NOTADB"):
            return f"{self.path} is not a readable store ({error}): choose another name"
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            return f"{self.path} cannot be opened for writing ({error}): choose another name"
        return f"{self.path}: {error}"


def _is_busy(error: sqlite3.Error) -> bool:
    name = getattr(error, "sqlite_errorname", "") or ""
    return name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
