"""Wrong sums, solutions and ways back of machines on landmarks."""

from mutant import mutants_of

TESTS = ["scale/test_landmarks.py", "contracts/test_blocked_contract.py"]
PIECES = ["scale/test_row_pieces.py"]
STREAMS = ["tables/test_stream_columns.py"]
ENTRIES = ["kernels/test_absolute_sums.py", "kernels/test_single_precision.py"]
CRITERIA = ["scale/test_landmark_criteria.py"]
FIRST_LEVEL = ["scale/test_landmark_first_level.py"]
SHELL = ["cli/test_cli_landmarks.py"]
IN_PIECES = ["cli/test_cli_pieces.py", "data/test_looks.py"]

LANDMARKS = (
    *mutants_of(
        "solutions/row_statistics.py",
        TESTS,
        ("weights count twice", "root = np.sqrt(weights)", "root = weights"),
        ("hidden squares are forgotten", ".sum(axis=0) + targets.within", ".sum(axis=0)"),
        (
            "products are not centered",
            "self.products - np.outer(self.kernel, self.kernel / self.weight)",
            "1.0 * self.products",
        ),
        ("half of the products", "dgemm(2.0, self.products", "dgemm(1.0, self.products"),
        ("rows keep their level", "beta=1.0", "beta=0.0"),
    ),
    *mutants_of(
        "solutions/nystrom.py",
        TESTS,
        ("the bias has no parameter", "return 1.0 + float(", "return float("),
        (
            "the freedom has no way back",
            "products += gradient.freedom * lam * squared",
            "products += 0.0",
        ),
        (
            "the jitter does not follow the kernel",
            "self.jitter * np.trace(in_gram)",
            "0.0 * np.trace(in_gram)",
        ),
        (
            "jitter does not follow the regularization",
            "in_regularization -= share * self._products_error",
            "in_regularization -= 0 * self._products_error",
        ),
        ("jitter does not follow the products", "+= share * DOUBLE", "+= 0 * DOUBLE"),
        ("rows keep their mean", "+ statistics.weight * shift**2", ""),
    ),
    *mutants_of(
        "solutions/nystrom.py",
        CRITERIA,
        (
            "the trace of landmarks has no way back",
            "products -= gradient.unexplained * identity",
            "products -= 0.0",
        ),
        (
            "the trace of landmarks is centered",
            "in_kernel -= 2 * gradient.unexplained * solved",
            "in_kernel -= 0.0",
        ),
        (
            "the determinant forgets the landmarks",
            "(lam * self.white_inverse - identity)",
            "(lam * self.white_inverse)",
        ),
        ("the mean has no way back", "(gradient.mean_kernel - centering)", "(-centering)"),
        ("the penalty stays in the error", "sum()) - penalty", "sum())"),
    ),
    *mutants_of(
        "solutions/nystrom_on_rows.py",
        CRITERIA,
        (
            "rows left out have no weight",
            "/ left).sum(axis=1) * self.targets.weights",
            "/ left).sum(axis=1)",
        ),
        ("the inverse has no way back", "in_inverse += scaled", "in_inverse += 0 * scaled"),
        ("rows that spread far are free", "in_rows[rows] += 2 * scales", "in_rows[rows] += scales"),
        (
            "the diagonal is not weighted",
            "found.diagonal * self.targets.weights",
            "found.diagonal * np.ones(len(in_rows))",
        ),
    ),
    *mutants_of(
        "solutions/nystrom_folds.py",
        CRITERIA,
        (
            "folds train themselves",
            "[total - own for own in gradients]",
            "[total for own in gradients]",
        ),
        ("folds have one mean", "- np.outer(apart, lifted)", ""),
        ("the level of a fold has no say", "2 * coef @ level", "0 * coef @ level"),
    ),
    *mutants_of(
        "solutions/tangent_sums.py",
        FIRST_LEVEL,
        (
            "tangents are not weighted",
            "targets.weights[:, None, None] * tangents",
            "1.0 * tangents",
        ),
        (
            "tangents are not centered",
            "self.sums.squares - totals",
            "self.sums.squares - 0 * totals",
        ),
        ("landmarks learn nothing of it", "centered - white.T", "centered - 0 * white.T"),
        ("shared parameters count twice", "curvature - shared[kept]", "curvature"),
        ("targets have kernels of their own", "float(inner) / len(solved)", "float(inner)"),
    ),
    *mutants_of(
        "scale/blocked_first_level.py",
        FIRST_LEVEL,
        ("the norm has no slope", "gradient += own.pullback", "gradient += 0 * own.pullback"),
        (
            "unused columns are charged",
            "self.found.kernel.values > 0",
            "self.found.kernel.values >= 0",
        ),
    ),
    *mutants_of(
        "machines/nystrom.py",
        TESTS,
        ("rounding has no say", "MARGIN * max(errors)", "0 * max(errors)"),
        ("jitter grows", "min(max(missing, 0.0), most)", "max(missing, 0.0)"),
    ),
    *mutants_of(
        "machines/nystrom.py",
        CRITERIA,
        (
            "held-out rows have no way back",
            "in_rows[S] -= held_out_gradient[S] @ fit.coef.T",
            "pass",
        ),
        ("folds are trained on themselves", "whole.statistics - part", "whole.statistics"),
    ),
    *mutants_of(
        "criteria/evidence_bound.py",
        CRITERIA,
        (
            "the bias takes no freedom",
            "solution.statistics.weight - 1",
            "solution.statistics.weight",
        ),
        (
            "landmarks see all",
            "solution.log_determinant + solution.unexplained / ridge",
            "solution.log_determinant",
        ),
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
        "threads.py", [*TESTS, *PIECES], ("BLAS as it likes", "limits=1, user", "limits=None, user")
    ),
    *mutants_of(
        "scale/row_blocks.py",
        [*TESTS, *PIECES],
        ("rows between blocks", "slice(first, first + ROWS_IN_BLOCK)", "slice(first, first + 31)"),
        ("all blocks at once", "if len(running) == BLOCKS_PER_THREAD * n_threads", "if False"),
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
        "scale/landmarks.py",
        TESTS,
        ("the seed has no say", "+ np.uint64(seed) * FIRST", ""),
        ("classes have no say", "if codes is not None:", "if False:"),
    ),
    *mutants_of(
        "kernels/compiled.py",
        ENTRIES,
        ("the last column is dropped", "own[j] = total + abs(a3 - b3[j])", "own[j] = total"),
        (
            "columns without absolute values",
            "s1 += weight * abs(a1 - b1[j])",
            "s1 += weight * (a1 - b1[j])",
        ),
        ("tiles overwrite each other", "out[i, r + 2] += s2", "out[i, r + 2] = s2"),
        (
            "sums in another order",
            "total = own[j] + abs(a0 - b0[j])\n                    total += abs(a1 - b1[j])",
            "total = own[j] + (abs(a0 - b0[j]) + abs(a1 - b1[j]))",
        ),
        ("one output has no part", "s3 += w3[j] * difference", "s3 += w2[j] * difference"),
        ("outputs overwrite each other", "out[i, t + 1, r] += s1", "out[i, t + 1, r] = s1"),
        ("a folder is taken for granted", "except RuntimeError:", "except KeyError:"),
        ("a full disk ends a fit", "except OSError:", "except KeyError:"),
        ("loops in plain Python", "if settings.DISABLE_JIT:", "if False:"),
    ),
    *mutants_of(
        "kernels/absolute_sums.py",
        ENTRIES,
        ("numba for every table", "COMPILED_FROM = 2**20", "COMPILED_FROM = 0"),
        ("numba for no table", "a.shape[1] >= COMPILED_FROM", "0 >= COMPILED_FROM"),
        ("scaled differences on the way back", "return self._laid_out(1.0)", "return self.scaled"),
        ("sums of pairs without their weights", "larger *= M", "larger *= 1"),
        (
            "double precision by scipy",
            "return found.astype(self.a.dtype, copy=False)",
            "return found",
        ),
    ),
    *mutants_of(
        "kernels/thermometer.py",
        ENTRIES,
        ("levels of one table", "np.union1d(left, right)", "np.unique(right)"),
        ("equal codes count once", "(total - 2 * reached)", "(total - reached)"),
        ("gaps have no width", "different * self.gaps", "different"),
        ("infinity is a level", "and np.isfinite(levels).all()", ""),
        ("any number of levels", "levels if len(levels) <= MOST_LEVELS and", "levels if"),
    ),
    *mutants_of(
        "kernels/dissimilarities.py",
        ENTRIES,
        ("a mean in single precision", "mean(axis=0, dtype=float)", "mean(axis=0)"),
        ("lengths without weights", "a**2 @ self.weights", "(a**2).sum(axis=1)"),
    ),
    *mutants_of(
        "kernels/radial.py",
        ENTRIES,
        (
            "single precision for one of two tables",
            "A.dtype == right.dtype == np.float32",
            "A.dtype == np.float32",
        ),
        ("double precision for all", "np.float32 if single else np.float64", "np.float64"),
        (
            "a small difference in single precision",
            "np.asarray(s, float) / self.shape",
            "s / self.shape",
        ),
    ),
    *mutants_of(
        "kernels/composite.py",
        ENTRIES,
        (
            "a product has its first factor's type",
            "grams[0].astype(np.result_type(*grams))",
            "grams[0].copy()",
        ),
        ("an amplitude makes float64", "amplitude = float(self.own[0])", "amplitude = self.own[0]"),
    ),
    *mutants_of("memory.py", SHELL, ("one thread only", "threads * BLOCK_ARRAYS", "BLOCK_ARRAYS")),
    *mutants_of(
        "scale/row_blocks.py",
        IN_PIECES,
        ("a pass is longer than the table", "min(done + ROWS_IN_BLOCK, self.n_rows)", "done + 1"),
    ),
)
