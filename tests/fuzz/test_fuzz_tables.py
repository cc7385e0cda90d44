"""300 tables from seeds (3,000 in the slow run): what is read is what the file says."""

import pytest

from fuzz.seeds import run_seeds

CHUNK, CHUNKS, SLOW_CHUNKS = 25, 12, 120


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_tables_are_read_as_they_were_meant_or_refused_in_words(chunk, tmp_path):
    outcomes = run_seeds("table", range(chunk * CHUNK, (chunk + 1) * CHUNK), tmp_path)
    assert outcomes["read"] > 0 and outcomes["refused"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS, CHUNKS + SLOW_CHUNKS))
def test_many_tables(chunk, tmp_path):
    run_seeds("table", range(chunk * CHUNK, (chunk + 1) * CHUNK), tmp_path)
