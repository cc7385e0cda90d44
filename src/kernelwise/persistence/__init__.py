"""Models in files, without pickle: nothing in a file is run when it is loaded."""

from kernelwise.persistence.metadata import ModelMetadata, ModelVersionWarning
from kernelwise.persistence.models import load_model, save_model

__all__ = ["ModelMetadata", "ModelVersionWarning", "load_model", "save_model"]
