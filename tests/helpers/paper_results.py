"""Results of a published table that were never computed, for tests of what is made of them."""

from made_results import made

from kernelwise.papers import TABLES
from kernelwise.runs import Cell, CellResult

TABLE_2, TABLE_4 = TABLES["first-level-table-2"], TABLES["first-level-table-4"]


def done(dataset, method, percents, kind="generated", table=TABLE_2, cpu_seconds=1.0):
    """One result for each error in percent, split by split."""
    return [
        made(
            Cell(table.datasets[dataset], kind, number, method),
            error=percent / 100,
            cpu_seconds=cpu_seconds,
        )
        for number, percent in enumerate(percents)
    ]


def trial_results(table, dataset, method, percents, cpu_seconds=1.0, evaluations=10):
    """One result for each error in percent: searches on the first split, with other seeds."""
    kind = table.protocol.kind_of(dataset)
    return [
        made(
            Cell(table.datasets[dataset], kind, 0, method, seed),
            error=percent / 100,
            cpu_seconds=cpu_seconds,
            counters={"evaluations": evaluations},
        )
        for seed, percent in enumerate(percents)
    ]


def not_done(dataset, method, status, message, number=0):
    return CellResult(Cell(TABLE_2.datasets[dataset], "generated", number, method), status, message)


def as_printed(datasets, table=TABLE_2, methods=None):
    """Errors whose means are the printed ones and whose standard error is 1."""
    return [
        result
        for dataset in datasets
        for method in methods or table.columns
        for mean in [table.printed[dataset][method].mean]
        for result in done(dataset, method, [mean - 1, mean + 1], table=table)
    ]


def fold_results(table, dataset, method, accuracies, cpu_seconds=1.0):
    """One result for each accuracy in percent, fold by fold."""
    errors = [100 - accuracy for accuracy in accuracies]
    return done(dataset, method, errors, "folds", table, cpu_seconds)


def with_means(table, dataset, method, shifts):
    """Accuracies that lie by these points above the printed one."""
    mean = table.printed[dataset][method].mean
    return fold_results(table, dataset, method, [mean + shift for shift in shifts])
