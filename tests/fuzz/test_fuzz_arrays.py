"""300 sets of arrays from seeds (10,000 in the slow run): a fit, or a sentence."""

import pytest

from fuzz.seeds import run_seeds

CHUNK, CHUNKS, SLOW_CHUNKS = 50, 6, 200


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_arrays_are_fitted_or_refused_in_words(chunk, tmp_path):
    outcomes = run_seeds("array", range(chunk * CHUNK, (chunk + 1) * CHUNK), tmp_path)
    assert outcomes["fitted"] > 0 and outcomes["refused"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS, CHUNKS + SLOW_CHUNKS))
def test_many_arrays(chunk, tmp_path):
    run_seeds("array", range(chunk * CHUNK, (chunk + 1) * CHUNK), tmp_path)
