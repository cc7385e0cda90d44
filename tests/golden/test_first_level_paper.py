"""Error rates of Cawley & Talbot, "Kernel Learning at the First Level of Inference".

The paper prints means over 100 random splits (20 for image and splice) and their standard errors.
Here are fewer splits of the same sizes, drawn again (the paper's are not published), so a mean over
``m`` of them has the standard error ``printed * sqrt(100 / m)``, and a difference has both.
"""

import numpy as np
import pytest

from kernelwise import LSSVMClassifier
from kernelwise.selections import FirstLevelSelection

FILES = {"synthetic": "ripley_synth"}
PAPER_SPLITS = {"image": 20, "splice": 20}

# Mean test error and its standard error, in percent.
TABLE_2_RBF_LOO = {
    "banana": (10.605, 0.052),
    "heart": (16.550, 0.354),
    "synthetic": (9.642, 0.059),
    "thyroid": (4.707, 0.229),
    "titanic": (22.581, 0.102),
}
TABLE_3_ARD_LOO_HEART = (20.540, 0.443)
TABLE_3_ARD_FLKL = {
    "banana": (10.600, 0.054),
    "breast_cancer": (26.584, 0.454),
    "diabetis": (23.560, 0.170),
    "flare_solar": (34.160, 0.160),
    "german": (24.523, 0.234),
    "heart": (17.650, 0.338),
    "image": (2.198, 0.096),
    "ringnorm": (1.942, 0.021),
    "splice": (4.306, 0.094),
    "synthetic": (9.685, 0.060),
    "thyroid": (4.640, 0.209),
    "titanic": (22.452, 0.089),
    "twonorm": (3.027, 0.024),
    "waveform": (10.516, 0.052),
}


def slow(name, m):
    return pytest.param(name, m, marks=pytest.mark.slow)


def errors_of(split, name, m, **settings):
    """Test errors in percent on the first ``m`` generated splits."""
    errors = []
    for number in range(m):
        X, y, X_test, y_test = split(FILES.get(name, f"ida_{name}"), number)
        model = LSSVMClassifier(random_state=0, honest=False, **settings).fit(X, y)
        errors.append(100 * np.mean(model.predict(X_test) != y_test))
    return np.array(errors)


def standard_error(printed, name, m):
    """Of the difference between the paper's mean and one over ``m`` splits."""
    return printed * np.sqrt(1 + PAPER_SPLITS.get(name, 100) / m)


@pytest.mark.parametrize(
    ("name", "m"),
    [("banana", 6), ("heart", 20), ("synthetic", 6), ("thyroid", 20), ("titanic", 20)],
)
def test_table_2_gaussian_by_leave_one_out(generated_split, name, m):
    """Table 2, RBF-LOO-LSSVM: the same method, so within three standard errors on both sides."""
    paper, printed = TABLE_2_RBF_LOO[name]
    errors = errors_of(generated_split, name, m, kernel="gaussian", selection="loo")
    assert abs(errors.mean() - paper) < 3 * standard_error(printed, name, m)


@pytest.mark.parametrize(
    ("name", "m"),
    [
        ("heart", 12),
        ("thyroid", 12),
        ("titanic", 12),
        slow("banana", 10),
        slow("breast_cancer", 20),
        slow("diabetis", 10),
        slow("flare_solar", 10),
        slow("german", 10),
        slow("image", 3),
        slow("ringnorm", 10),
        slow("splice", 3),
        slow("synthetic", 20),
        slow("twonorm", 10),
        slow("waveform", 10),
    ],
)
def test_table_3_first_level_learning(generated_split, name, m):
    """Table 3, ARD-FLKL-LSSVM: by tangent leave-one-out, not worse by two standard errors."""
    paper, printed = TABLE_3_ARD_FLKL[name]
    errors = errors_of(generated_split, name, m, kernel="ard", selection="first-level")
    assert errors.mean() < paper + 2 * standard_error(printed, name, m)


# Not titanic: its 150 rows are some 14 different ones. Equal rows stay in one fold here, so that a
# row of weight 2 is a repeated row; the paper's folds split them. The price on 20 generated splits:
# 23.17 against 22.45 (leave-one-out, tested above, pays less).
@pytest.mark.parametrize(("name", "m"), [slow("heart", 20), slow("thyroid", 20), slow("german", 5)])
def test_table_3_first_level_learning_by_cross_validation(generated_split, name, m):
    """Table 3, ARD-FLKL-LSSVM, the two regularisers selected as in the paper: by five folds."""
    paper, printed = TABLE_3_ARD_FLKL[name]
    selection = FirstLevelSelection("cv")
    errors = errors_of(generated_split, name, m, kernel="ard", selection=selection)
    assert errors.mean() < paper + 2 * standard_error(printed, name, m)


@pytest.mark.slow
def test_table_3_leave_one_out_over_fits_where_first_level_learning_does_not(generated_split):
    """Table 3, heart: ARD-LOO-LSSVM 20.54, ARD-FLKL-LSSVM 17.65, on the same splits."""
    m = 10
    plain = errors_of(generated_split, "heart", m, kernel="ard", selection="loo")
    first = errors_of(generated_split, "heart", m, kernel="ard", selection="first-level")
    paper, printed = TABLE_3_ARD_LOO_HEART
    assert abs(plain.mean() - paper) < 3 * standard_error(printed, "heart", m)
    difference = plain - first
    assert difference.mean() > 2 * difference.std(ddof=1) / np.sqrt(m) > 0
