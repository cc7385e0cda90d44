"""The types that a model file may name."""

from importlib import import_module

# A fitted model holds objects of these parts of kernelwise. Apart from them a file may hold only
# what skops itself trusts (numpy arrays, scikit-learn's estimators, plain Python values).
TRUSTED_PARTS = (
    "auto",
    "criteria",
    "estimators",
    "evaluation",
    "insight",
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
    if module_name.split(".")[:1] != ["kernelwise"]:
        return False
    if module_name.split(".")[1:2] not in [[part] for part in TRUSTED_PARTS]:
        return False
    try:
        found = getattr(import_module(module_name), class_name)
    except (ImportError, AttributeError):
        return False
    return isinstance(found, type) and found.__module__ == module_name
