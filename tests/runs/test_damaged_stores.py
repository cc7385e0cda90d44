"""A store in which bits were flipped: read exactly as it was written, or refused by name."""

import random
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from tiny_trial import grid, record

from kernelwise.runs import CellResult, Store, StoreError
from kernelwise.runs.store_schema import SCHEMA_VERSION

MEANINGS = {f"method {number}": f"LSSVMClassifier(cv={number})" for number in range(4)}
PAGE = 4096


def define_all(store):
    for name, meaning in MEANINGS.items():
        store.define("method", name, meaning)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The bytes of a store, and the results in it."""
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    results = [
        replace(CellResult.done(cell, record(cell), "{}"), environment=f'{{"cores": {number % 2}}}')
        for number, cell in enumerate(grid(60))
    ]
    with Store(path) as store:
        define_all(store)
        store.add(results)
    return path.read_bytes(), sorted(results, key=lambda result: result.cell)


def flipped(data, bit):
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def found_or_refused(path, data):
    """Results, statuses and the number of definitions; or None if the store is refused."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    path.write_bytes(data)
    try:
        with Store(path) as store:
            define_all(store)  # a definition that was lost would be added
            with closing(sqlite3.connect(path)) as stranger:
                (definitions,) = stranger.execute("SELECT count(*) FROM definitions").fetchone()
            return store.results(), store.finished(), definitions
    except StoreError as error:
        assert str(path) in str(error)
        assert path.read_bytes() == data  # nothing was made worse
        return None


def test_no_flipped_bit_is_shown_as_a_result(written, tmp_path):
    """Anywhere, and in the headers of the file and of its pages, where a bit can hide many rows."""
    data, results = written
    path = tmp_path / "store.sqlite"
    as_written = (results, {result.cell: "done" for result in results}, len(MEANINGS))
    chance = random.Random(11)
    headers = (
        range(8 * 100, 8 * 112),
        *(range(8 * page, 8 * (page + 12)) for page in range(0, len(data), PAGE)),
    )
    bits = chance.sample([bit for header in headers for bit in header], 300)
    bits += chance.sample(range(8 * len(data)), 700)
    fates = [found_or_refused(path, flipped(data, bit)) for bit in bits]
    assert {fate is None for fate in fates} == {True, False}
    assert all(fate in (None, as_written) for fate in fates)


def test_every_part_of_a_row_is_covered(written, tmp_path):
    """As after a write to the wrong place: the file's own structure is sound."""
    data, _ = written
    path = tmp_path / "store.sqlite"
    for table, change in (
        ("results", "UPDATE results SET error = error + 1e-9 WHERE number = 3"),
        ("results", "UPDATE results SET status = 'failed' WHERE number = 3"),
        ("results", "UPDATE results SET seed = seed + 1 WHERE number = 3"),
        ("results", "UPDATE results SET environment = 3 - environment WHERE number = 3"),
        ("results", "UPDATE results SET environment = 9 WHERE number = 3"),
        ("definitions", "UPDATE definitions SET definition = 'another' WHERE name = 'method 1'"),
        ("definitions", "UPDATE definitions SET name = 'method 9' WHERE name = 'method 1'"),
        ("environments", "UPDATE environments SET description = '{}' WHERE id = 1"),
    ):
        path.write_bytes(data)
        with closing(sqlite3.connect(path)) as stranger, stranger:
            assert stranger.execute(change).rowcount >= 1
        told = rf"{path} is damaged \(the checksums of \d+ {table} are wrong\): restore a copy"
        with pytest.raises(StoreError, match=told):
            Store(path)


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_damaged_version_does_not_start_a_migration(written, tmp_path, version):
    path = tmp_path / "store.sqlite"
    path.write_bytes(written[0])
    with closing(sqlite3.connect(path)) as stranger:
        assert stranger.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        stranger.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=f"is damaged .its version is not {version}"):
        Store(path)
    assert path.read_bytes() == before


def test_an_unreadable_schema_is_told_in_words(written, tmp_path):
    """SQLite quotes the place, which need not be a text."""
    path = tmp_path / "store.sqlite"
    path.write_bytes(written[0].replace(b"NOT NULL", b"NOT N\xd5LL", 1))
    with pytest.raises(StoreError, match=r"its tables are unreadable|malformed"):
        Store(path)
