"""The types that a model file may name."""

from importlib import import_module

# A fitted model holds objects of these parts of kernelwise, folders or single modules; making one
# of their objects runs nothing. Apart from them a file may hold only what skops itself trusts
# (numpy arrays, scikit-learn's estimators, plain Python values).
TRUSTED_PARTS = (
    "auto",
    "criteria",
    "estimators",
    "evaluation.honest_error",
    "insight.fit_record",
    "kernels",
    "multikernel",
    "searchers",
    "selections",
    "solutions",
    "tables",
)
TRUSTED_BESIDE = (
    "numpy.dtype",  # SimpleImputer keeps the type of its input
    "sklearn.compose._column_transformer._RemainderColsList",  # a list, in scikit-learn 1.6
)


def is_trusted(type_name: str) -> bool:
    """Whether a type is named above, or is a class defined in a trusted part of kernelwise."""
    if type_name in TRUSTED_BESIDE:
        return True
    module_name, _, class_name = type_name.rpartition(".")
    # With dots at both ends, a part is not the beginning of another name.
    if not any(f"{module_name}.".startswith(f"kernelwise.{part}.") for part in TRUSTED_PARTS):
        return False
    try:
        found = getattr(import_module(module_name), class_name)
    except (ImportError, AttributeError):
        return False
    return isinstance(found, type) and found.__module__ == module_name
