"""Kernel x machine x criterion: every chain against finite differences."""

from dataclasses import replace

import numpy as np
import pytest
from contract_cases import (
    CRITERIA,
    CRITERION_IDS,
    KERNEL_IDS,
    MACHINE_IDS,
    MACHINES,
    SMOOTH_KERNEL_IDS,
    kernel_case,
    targets,
)
from finite_differences import assert_derivatives

from kernelwise import criteria, kernels, machines
from kernelwise.objective import Objective
from kernelwise.parameters import Parametrized


def fits(machine_id, criterion_id):
    machine, criterion = build(MACHINES, machine_id), build(CRITERIA, criterion_id)
    return issubclass(machine.gives, criterion.reads)


def has_sets(machine_id):
    """Sparse machines: values have kinks or jumps where a row begins to support."""
    return (
        machine_id[0] in ("SupportVector", "RelevanceVector") or machine_id[1] == "support-vector"
    )


def on_landmarks(machine_id):
    return "Nystrom" in machine_id[0] or "landmarks" in machine_id[1]


def is_sampled(machine_id):
    """Its gradients have an error, and no value beside them."""
    return machine_id[0] == "SampledPosterior"


def has_labels(machine_id):
    kind, variant = machine_id
    if kind in ("PosteriorSupportVector", "SampledPosterior"):
        return True
    return has_sets(machine_id) and (kind != "RelevanceVector" or variant.startswith("logistic"))


def targets_for(machine_id):
    found = targets(labels=has_labels(machine_id))
    if machine_id[0] != "RelevanceVector" or not has_labels(machine_id):
        return found
    # Means of both labels: separable classes have no finite maximum of the evidence.
    return replace(found, values=0.7 * found.values)


def build(cases, which):
    name, variant = which
    return cases[name][variant]()


ALL_CHAINS = [(m, c) for m in MACHINE_IDS for c in CRITERION_IDS if fits(m, c)]
SAMPLED = [(m, c) for m, c in ALL_CHAINS if is_sampled(m)]
# Step functions have only values.
STEPS = [(m, c) for m, c in ALL_CHAINS if "gradient" not in build(CRITERIA, c).gives]
CHAINS = [chain for chain in ALL_CHAINS if chain not in (*STEPS, *SAMPLED)]
# Chains in which a constant in the Gram matrix changes nothing, so that it may be left out.
FREE_BIAS = [(m, c) for m, c in CHAINS if build(MACHINES, m).ignores_constant]
MISFITS = [(m, c) for m in MACHINE_IDS for c in CRITERION_IDS if not fits(m, c)]


@pytest.mark.parametrize(
    ("family", "cases", "base"),
    [(machines, MACHINES, machines.Machine), (criteria, CRITERIA, criteria.Criterion)],
)
def test_complete(family, cases, base):
    classes = {name for name in family.__all__ if isinstance(getattr(family, name), type)}
    assert set(cases) == {name for name in classes if issubclass(getattr(family, name), base)}
    for name, variants in cases.items():
        for make in variants.values():
            assert isinstance(make(), getattr(family, name))


def test_every_criterion_can_be_reached():
    assert {c for _, c in ALL_CHAINS} == set(CRITERION_IDS)
    assert {m for m, _ in ALL_CHAINS} == set(MACHINE_IDS)


# Families do not know each other, so a chain factorizes: every chain with one kernel, and every
# kernel in two chains, in one of which a constant counts. The product is slow, and for doubts.
KERNEL_OF_CHAINS = SMOOTH_KERNEL_IDS[0]
CHAINS_OF_KERNELS = [
    (("LeastSquares", "plain"), ("LeaveOneOut", "plain")),
    (("NoMachine", "as-is"), ("Alignment", "plain")),
]
TRIPLES = dict.fromkeys(
    [
        *((KERNEL_OF_CHAINS, *chain) for chain in CHAINS),
        *((kernel_id, *chain) for chain in CHAINS_OF_KERNELS for kernel_id in KERNEL_IDS),
    ]
)
# One base class converts the coordinates of kernels and machines; these have a penalty besides.
NATURAL = [
    (kernel_id, *chain)
    for kernel_id in SMOOTH_KERNEL_IDS
    for chain in [
        (("LeastSquares", "plain"), ("NearStart", "leave-one-out")),
        (("SupportVector", "squared"), ("NearStart", "evidence")),
    ]
]
CASES = [*((*triple, "log") for triple in TRIPLES), *((*triple, "natural") for triple in NATURAL)]


def kernels_of(chain):
    """Support vectors have kinks and jumps, which differences meet with most kernels."""
    if on_landmarks(chain[0]):  # the rows of a precomputed kernel have no landmarks among them
        return [kernel_id for kernel_id in KERNEL_IDS if kernel_id[0] != "Precomputed"]
    return SMOOTH_KERNEL_IDS if has_sets(chain[0]) else KERNEL_IDS


PRODUCT = [
    pytest.param(kernel_id, *chain, coordinates, marks=pytest.mark.slow)
    for chain in CHAINS
    for kernel_id in kernels_of(chain)
    for coordinates in ("log", "natural")
    if (kernel_id, *chain, coordinates) not in CASES
]


@pytest.mark.parametrize(
    ("kernel_id", "machine_id", "criterion_id", "coordinates"),
    [*CASES, *PRODUCT],
    ids=lambda part: part if isinstance(part, str) else "-".join(part),
)
def test_gradient(kernel_id, machine_id, criterion_id, coordinates):
    case = kernel_case(*kernel_id)
    objective = Objective(
        case.kernel.in_coordinates(coordinates),
        build(MACHINES, machine_id).in_coordinates(coordinates),
        build(CRITERIA, criterion_id),
        case.rows,
        targets_for(machine_id),
    )
    found = objective(objective.point)
    value, gradient = found.value, found.gradient
    assert np.isfinite(value) and value == pytest.approx(
        objective.value(objective.point), rel=1e-12
    )
    step = 2e-3
    if has_sets(machine_id):  # relevance vectors' prior variances end an iteration, with its rest
        step = 1e-3 if machine_id[0] == "RelevanceVector" else 1e-4
    elif criterion_id[0] == "HeldOutHinge":  # a held-out row may be near its kink
        step = 1e-4
    assert_derivatives(gradient, objective.value, objective.point, rtol=2e-7, step=step)
    assert len(objective.limits) == len(objective.point) == len(gradient)


@pytest.mark.parametrize(("machine_id", "criterion_id"), STEPS, ids="-".join)
def test_a_step_function_has_a_value_only(machine_id, criterion_id):
    case = kernel_case("Gaussian", "per-feature")
    objective = Objective(
        case.kernel,
        build(MACHINES, machine_id),
        build(CRITERIA, criterion_id),
        case.rows,
        targets_for(machine_id),
    )
    found = objective(objective.point)
    assert found.gradient is None and found.value == objective.value(objective.point)


@pytest.mark.parametrize(("machine_id", "criterion_id"), SAMPLED, ids="-".join)
def test_a_sampled_gradient_is_that_of_propagation(machine_id, criterion_id):
    """It has no value, and agrees with its twin of central differences within its errors."""
    case = kernel_case("Gaussian", "per-feature")
    machine, criterion = build(MACHINES, machine_id), build(CRITERIA, criterion_id)
    wanted = targets_for(machine_id)
    sampled = Objective(case.kernel, machine, criterion, case.rows, wanted)
    propagated = Objective(case.kernel, machine.around, criterion, case.rows, wanted)
    found = sampled(sampled.point)
    assert found.value is None and found.noisy
    exact = propagated(propagated.point).gradient
    assert np.abs(exact).max() > 0.05
    np.testing.assert_allclose(found.gradient, exact, atol=0.01)


@pytest.mark.parametrize(("machine_id", "criterion_id"), FREE_BIAS, ids="-".join)
def test_gradient_of_an_almost_constant_kernel(machine_id, criterion_id):
    """The near-linear limit: weights of 1e-9 with a regularization that follows them."""
    case = kernel_case("Gaussian", "per-feature")
    kernel = case.kernel.with_values(1e-9 * case.kernel.values)
    machine = build(MACHINES, machine_id)
    machine = machine.with_values(np.full(len(machine.values), 3e-10))
    objective = Objective(
        kernel, machine, build(CRITERIA, criterion_id), case.rows, targets_for(machine_id)
    )
    gradient = objective(objective.point).gradient
    assert_derivatives(gradient, objective.value, objective.point, rtol=1e-5)


@pytest.mark.parametrize(("machine_id", "criterion_id"), CHAINS, ids="-".join)
def test_fixed_machine(machine_id, criterion_id):
    case = kernel_case("Gaussian", "per-feature")
    machine, criterion = build(MACHINES, machine_id), build(CRITERIA, criterion_id)
    whole = Objective(case.kernel, machine, criterion, case.rows, targets_for(machine_id))
    part = Objective(
        case.kernel, machine, criterion, case.rows, targets_for(machine_id), learn_machine=False
    )
    p = len(case.kernel.theta)
    assert len(part.point) == len(part.limits) == p
    np.testing.assert_allclose(
        part(part.point).gradient, whole(whole.point).gradient[:p], rtol=1e-12
    )


@pytest.mark.parametrize(("machine_id", "criterion_id"), MISFITS, ids="-".join)
def test_a_misfit_is_answered_in_a_sentence(machine_id, criterion_id):
    machine, criterion = build(MACHINES, machine_id), build(CRITERIA, criterion_id)
    sentence = (
        rf"{type(criterion).__name__} reads an? {criterion.reads.__name__}; "
        rf"{type(machine).__name__} gives an? {machine.gives.__name__}\."
    )
    with pytest.raises(TypeError, match=sentence):
        Objective(kernels.Gaussian(1.0), machine, criterion, np.zeros((3, 1)), targets(3))


@pytest.mark.parametrize("machine_id", MACHINE_IDS, ids="-".join)
def test_machine_parameters(machine_id):
    machine = build(MACHINES, machine_id)
    assert isinstance(machine, Parametrized)
    p = len(machine.values)
    assert [parameter.value for parameter in machine.parameters] == list(machine.values)
    assert machine.roles == ["regularization"] * p and len(machine.value_limits) == p
    moved = machine.in_coordinates("natural").with_theta(2 * machine.values)
    assert moved.coordinates == "natural"
    np.testing.assert_allclose(moved.values, 2 * machine.values)
    np.testing.assert_allclose(moved.with_theta(machine.values).values, machine.values)


def test_the_objective_counts_factorizations():
    case = kernel_case("Gaussian", "per-feature")
    for machine_id, each in [(("LeastSquares", "plain"), 1), (("Folded", "refitted"), 3)]:
        machine = build(MACHINES, machine_id)
        criterion = next(build(CRITERIA, c) for c in CRITERION_IDS if fits(machine_id, c))
        objective = Objective(case.kernel, machine, criterion, case.rows, targets_for(machine_id))
        objective(objective.point)
        objective.value(objective.point)
        assert objective.n_factorizations == 2 * each


CHOSEN_FOR = [m for m in MACHINE_IDS if m[0] in ("LeastSquares", "SupportVector")]


@pytest.mark.parametrize("machine_id", CHOSEN_FOR, ids="-".join)
def test_an_amplitude_can_go_to_the_machine(machine_id):
    """``rescaled`` makes of a times the Gram matrix what the machine makes of the matrix itself."""
    case, machine = kernel_case("Gaussian", "per-feature"), build(MACHINES, machine_id)
    gram, wanted = case.kernel(case.rows), targets_for(machine_id)
    plain = machine.solve([gram], wanted).expansion
    large = machine.rescaled(7.0).solve([7.0 * gram], wanted).expansion
    np.testing.assert_allclose(7.0 * gram @ large.coef, gram @ plain.coef, atol=1e-9)
    np.testing.assert_allclose(large.intercept, plain.intercept, atol=1e-9)


@pytest.mark.parametrize("machine_id", CHOSEN_FOR, ids="-".join)
def test_a_weaker_ridge_lets_the_norm_grow(machine_id):
    """``at_ridge`` penalizes the less, the smaller the ridge and the larger the factor."""
    case, machine = kernel_case("Gaussian", "per-feature"), build(MACHINES, machine_id)
    gram, wanted = case.kernel(case.rows), targets_for(machine_id)

    def norm(ridge, factor=1.0):
        coef = machine.at_ridge(ridge, factor).solve([gram], wanted).coef
        return float((coef * (gram @ coef)).sum())

    assert norm(0.1) > 1.5 * norm(1.0) > 0
    assert norm(1.0, 10.0) == pytest.approx(norm(0.1))
