"""Wrong sums, solutions and ways back of machines on landmarks."""

from mutant import mutants_of

TESTS = ["scale/test_landmarks.py", "contracts/test_blocked_contract.py"]
PIECES = ["scale/test_row_pieces.py"]
STREAMS = ["tables/test_stream_columns.py"]

LANDMARKS = (
    *mutants_of(
        "solutions/row_statistics.py",
        TESTS,
        (
            "weights count twice",
            "centered * np.sqrt(weights)[:, None]",
            "centered * weights[:, None]",
        ),
        ("hidden squares are forgotten", ".sum(axis=0) + targets.within", ".sum(axis=0)"),
        (
            "products are not centered",
            "self.products - np.outer(self.kernel, self.kernel / self.weight)",
            "self.products",
        ),
    ),
    *mutants_of(
        "solutions/nystrom.py",
        TESTS,
        ("the bias has no parameter", "return 1.0 + float(", "return float("),
        ("the freedom has no way back", "+ in_freedom * lam * squared", ""),
        (
            "the jitter does not follow the kernel",
            "self.jitter * np.trace(in_gram)",
            "0.0 * np.trace(in_gram)",
        ),
        ("half of the products", "@ (2 * self.products)", "@ self.products"),
        ("rows keep their mean", "+ statistics.weight * shift**2", ""),
    ),
    *mutants_of(
        "criteria/generalized_cross_validation.py",
        TESTS,
        ("no parameter is charged", "left = 1 - solution.freedom / rows", "left = 1.0"),
        ("rows for weight", "freedom=2 * value / (left * rows)", "freedom=value / (left * rows)"),
    ),
    *mutants_of(
        "scale/block_sums.py",
        PIECES,
        (
            "the order of sums",
            "branches.pop().total + new.total",
            "new.total + branches.pop().total",
        ),
        ("no siblings", "new.number % 2 and ", ""),
        ("the order of the rest", "branch.total + total", "total + branch.total"),
        ("runs with a hole", "branches[-1].end != new.first", "False"),
    ),
    *mutants_of(
        "scale/row_blocks.py",
        [*TESTS, *PIECES],
        ("rows between blocks", "slice(first, first + ROWS_IN_BLOCK)", "slice(first, first + 31)"),
        ("all blocks at once", "if len(running) == BLOCKS_PER_THREAD * n_threads", "if False"),
        ("BLAS as it likes", "threadpool_limits(1, user", "threadpool_limits(None, user"),
        ("the layout of rows", "return np.ascontiguousarray(X), ", "return X, "),
    ),
    *mutants_of(
        "scale/row_pieces.py",
        PIECES,
        ("targets of other rows", "            first += len(X)\n", ""),
        ("the rest of a piece", "missing -= len(X) - first", "missing = size"),
        ("the end of a piece", 'side="right"', 'side="left"'),
        ("a changed table", "if len(X) != size:", "if False:"),
    ),
    *mutants_of(
        "scale/dask_blocks.py",
        ["scale/test_dask_blocks.py"],
        ("all runs begin at 0", "work(blocks, number)", "work(blocks, 0)"),
        ("rows of two blocks", "rows[skipped : skipped + whole]", "rows[:whole]"),
        ("the wrong head", "rows[:skipped].copy()", "rows[-skipped:].copy()"),
        ("targets of other rows", "slice(k * block, (k + 1) * block)", "slice(0, block)"),
        ("lenders are forgotten", "np.concatenate([tail, *heads])", "tail"),
    ),
    *mutants_of(
        "scale/dask_cluster.py",
        ["scale/test_dask_blocks.py"],
        (
            "no second try",
            "except CancelledError:\n                continue",
            "except CancelledError:\n                raise",
        ),
    ),
    *mutants_of(
        "tables/stream_columns.py",
        STREAMS,
        ("rows of several means", " + shift**2 * (self.weight * share)", ""),
        ("a mean without weights", "shares @ X", "X.mean(axis=0)"),
        ("the median stays out", "columns.center + found.mean", "found.mean"),
        ("constant columns", "plain | (spread <= CONSTANT)", "plain"),
        (
            "medians without weights",
            "Gaps.learn(numbers, weights[rows]",
            "Gaps.learn(numbers, 1 + 0 * weights[rows]",
        ),
    ),
    *mutants_of(
        "tables/stream_summary.py",
        STREAMS,
        ("rows of no weight count", "columns.numbers(X, None)[used]", "columns.numbers(X, None)"),
        (
            "levels of the last piece",
            "found.update(part.columns.levels[index])",
            "found = set(part.columns.levels[index])",
        ),
        (
            "one look is enough",
            "if any(len(part.columns.categorical) < len(categorical) for part in filled):",
            "if False:",
        ),
        ("gaps say nothing", "| ((self.gaps > 0) & (self.gaps < self.used))", ""),
    ),
    *mutants_of(
        "scale/engine.py",
        [*STREAMS, "data/test_dask_collections.py"],
        ("pieces of Dask come here", "not any(map(is_lazy, pieces))", "True"),
        (
            "pieces in another order",
            "RowPieces(read, sizes, targets, self.n_threads)",
            "RowPieces(read[::-1], sizes, targets)",
        ),
    ),
    *mutants_of(
        "data/text_chunks.py",
        ["data/test_open_rows.py"],
        (
            "rows end inside quotes",
            "% 2 == 0:\n            return end + 1",
            "% 2 >= 0:\n            return end + 1",
        ),
        ("the header is a row", ".removeprefix(self.header) if line == 1", " if line == 1"),
    ),
    *mutants_of(
        "data/piece_reading.py",
        ["data/test_open_rows.py"],
        ("rows without a target stay", "frame = frame[known]", "frame = frame"),
        (
            "nothing is said",
            "warnings.warn(str(check)",
            "str(check) and (lambda *a, **k: 0)(str(check)",
        ),
        ("negative weights", "if not (values >= 0).all():", "if False:"),
    ),
    *mutants_of(
        "data/frame_pieces.py",
        ["data/test_open_rows.py"],
        (
            "the first part of each group",
            "islice(batches, self.number, None)",
            "islice(batches, 0, None)",
        ),
    ),
    *mutants_of(
        "scale/landmarks.py",
        TESTS,
        ("the seed has no say", "+ np.uint64(seed) * FIRST", ""),
        ("classes have no say", "if codes is not None:", "if False:"),
    ),
)
