"""Model files that are damaged, too large or forged: an error in words, never other numbers."""

import json
import random
import struct
import tracemalloc
import warnings
import zipfile
from io import BytesIO

import numpy as np
import pytest
import sklearn
from forged_models import archive_of, members_of, with_metadata, with_text
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelwise.persistence import ModelVersionWarning, load_model, save_model
from kernelwise.persistence import archive as archive_module
from kernelwise.persistence.archive import DIGITS, KIND, MOST_DEPTH, sealed
from kernelwise.persistence.metadata import library_versions


@pytest.fixture
def loaded(tmp_path):
    """Load a model from the bytes of its file."""

    def load(data):
        path = tmp_path / "model.skops"
        path.write_bytes(data)
        return load_model(path)

    return load


def flipped(data, bit):
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def peak_while_refused(load, data, match):
    """The most memory in bytes that was held while a file was refused."""
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=match):
            load(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_thousand_flipped_bits(small_model, loaded):
    data, chance = small_model[2], random.Random(7)
    for bit in chance.sample(range(8 * len(data)), 1000):
        with pytest.raises(ValueError, match=r"is damaged|is not a kernelwise model"):
            loaded(flipped(data, bit))


def test_no_bit_of_the_checksum_or_of_the_end_of_the_archive_turns_the_check_off(
    small_model, loaded
):
    data = small_model[2]
    end = data.rindex(b"PK\x05\x06")
    for bit in range(8 * end, 8 * len(data)):
        with pytest.raises(ValueError, match=r"is damaged|is not a kernelwise model"):
            loaded(flipped(data, bit))


def test_other_numbers_need_another_checksum(small_model, loaded):
    """The archive's own checks are right again, as after a copy by a faulty program."""
    data = small_model[2]
    members = members_of(data)
    name = max((name for name in members if name.endswith(".npy")), key=lambda n: len(members[n]))
    members[name] = members[name][:-1] + bytes([members[name][-1] ^ 64])
    old = zipfile.ZipFile(BytesIO(data)).comment
    with pytest.raises(ValueError, match="damaged or was changed: its checksum is wrong"):
        loaded(archive_of(members, comment=old))
    assert loaded(sealed(archive_of(members)))  # whoever means to can: it is no signature


def test_a_lost_checksum_is_missed(small_model, loaded):
    members = members_of(small_model[2])
    with pytest.raises(ValueError, match="damaged: its checksum is lost"):
        loaded(archive_of(members))
    with pytest.raises(ValueError, match="damaged: its checksum is unreadable"):
        loaded(archive_of(members, comment=b"kernelwise model, format 2"))


def test_a_cut_file_is_refused_wherever_it_is_cut(small_model, loaded):
    data = small_model[2]
    for length in np.linspace(0, len(data) - 1, 25).astype(int):
        with pytest.raises(ValueError, match=r"damaged|not a kernelwise model"):
            loaded(data[:length])


def test_a_later_format_is_refused_in_words(small_model, loaded, monkeypatch):
    data = small_model[2]
    with monkeypatch.context() as patch:
        patch.setattr(archive_module, "KIND", "kernelwise model, format 4")
        later = sealed(archive_of(members_of(data)))
    with pytest.raises(ValueError, match=r"written by a newer kernelwise \(format 4, this one"):
        loaded(later)
    with pytest.raises(ValueError, match=r"another version of kernelwise \('kernelwise model, "):
        loaded(with_text(data, "kind", "kernelwise model, format 2"))


def test_an_archive_of_blanks_is_refused_before_it_is_unpacked(small_model, loaded):
    """Both where the directory tells its size and where it lies about it."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("schema.json", members_of(small_model[2])["schema.json"])
        with archive.open("blanks.npy", "w") as member:
            for _ in range(300):
                member.write(bytes(2**20))
    bomb = sealed(buffer.getvalue())
    assert len(bomb) < 3e6
    refused = "is refused: it would unpack to more than 1.. MB"
    assert peak_while_refused(loaded, bomb, refused) < 30e6
    real, told = struct.pack("<I", 300 * 2**20), struct.pack("<I", 1000)
    assert bomb.count(real) >= 1
    lying = sealed(bomb.replace(real, told))
    assert peak_while_refused(loaded, lying, "is damaged") < 40e6


def test_other_limits(small_model, loaded, monkeypatch):
    members = members_of(small_model[2])
    for kind in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with pytest.raises(ValueError, match="compressed as no kernelwise model is"):
            loaded(sealed(archive_of(members, kind)))
    blanks = members["schema.json"] + b" " * (33 * 2**20)
    with pytest.raises(ValueError, match="is refused: its schema is over 32 MB"):
        loaded(sealed(archive_of(members | {"schema.json": blanks})))
    lists = b'{"lists": [' + b"[]," * 500_000 + b"[]], " + members["schema.json"][1:]
    data = sealed(archive_of(members | {"schema.json": lists}))
    assert peak_while_refused(loaded, data, "schema holds more than 1,000,000 values") < 20e6
    monkeypatch.setattr(archive_module, "MOST_MEMBERS", len(members) - 1)
    with pytest.raises(ValueError, match=r"it holds more than .* parts"):
        loaded(small_model[2])


@pytest.mark.parametrize("depth", [MOST_DEPTH, 100_000])
def test_a_deep_schema_is_refused(small_model, loaded, depth):
    members = members_of(small_model[2])
    deep = b'{"deep": ' + b"[" * depth + b"]" * depth + b", " + members["schema.json"][1:]
    with pytest.raises(ValueError, match=f"schema is nested more than {MOST_DEPTH} deep"):
        loaded(sealed(archive_of(members | {"schema.json": deep})))


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("numeric_columns", 5, r"numeric_columns is no tuple\[str, \.\.\.\]"),
        ("numeric_columns", ["x", 5], r"numeric_columns\[1\] is no str"),
        ("classes", "ab", "classes is no tuple"),
        ("target", None, "target is missing"),
        ("task", "guessing", "task is no typing.Literal"),
        ("rows", 2.5, "rows is no int"),
        ("rows", True, "rows is no int"),
        ("honest_error", [0.1], "honest_error is no dict"),
        ("honest_error", {"value": "low"}, "honest_error is no dict"),
        ("library_versions", {"numpy": 2}, "library_versions.'numpy' is no str"),
        ("\x1b[2J", 1, r"'\\x1b\[2J' is unknown"),
    ],
)
def test_metadata_of_another_type_are_refused(small_model, loaded, field, value, told):
    forged = with_metadata(small_model[2], **{field: value})
    with pytest.raises(ValueError, match=rf"is damaged or was changed \({told}"):
        loaded(forged)


def test_an_unchanged_file_loads_without_a_warning(small_model, loaded):
    model, X, data = small_model
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, metadata = loaded(data)
    np.testing.assert_array_equal(found.predict_proba(X), model.predict_proba(X))
    assert metadata.library_versions == library_versions()
    assert KIND.encode() in data[-2 * DIGITS :]


def other(version, place):
    parts = version.split(".")
    parts[place] = str(int(parts[place]) + 1)
    return ".".join(parts)


@pytest.mark.parametrize("name", ["numpy", "scikit-learn"])
def test_other_versions_are_told_but_patches_are_not(small_model, loaded, name):
    here = library_versions()
    changed = here | {name: other(here[name], 1)}
    with pytest.warns(ModelVersionWarning, match=f"saved with {name} '{changed[name]}'") as told:
        loaded(with_metadata(small_model[2], library_versions=changed))
    assert len(told) == 1 and told[0].filename == __file__
    patched = here | {name: other(here[name], 2), "skops": "99.0"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded(with_metadata(small_model[2], library_versions=patched))


def test_scikit_learn_is_not_told_of_by_each_of_its_parts(small_model, loaded, tmp_path):
    model, X, _ = small_model
    path = tmp_path / "pipeline.skops"
    save_model(make_pipeline(StandardScaler(), clone(model)).fit(X, model.predict(X)), path)
    members = members_of(path.read_bytes())
    here, then = (rf'"\"{version}\""'.encode() for version in (sklearn.__version__, "1.5.2"))
    changed = members["schema.json"].replace(here, then)
    assert changed != members["schema.json"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded(sealed(archive_of(members | {"schema.json": changed})))


def nodes_of(schema):
    """All objects that a schema describes, from the outermost on."""
    if isinstance(schema, dict) and "__class__" in schema:
        yield schema
    if isinstance(schema, (dict, list)):
        for part in schema.values() if isinstance(schema, dict) else schema:
            yield from nodes_of(part)


def test_no_node_of_a_model_can_be_a_call(small_model, loaded):
    """Each in turn is forged, under a number of its own: skops reads a number only once."""
    members = members_of(small_model[2])
    calls = [("os", "system", "FunctionNode"), ("subprocess", "Popen", "ObjectNode")]
    count = sum(1 for _ in nodes_of(json.loads(members["schema.json"])))
    for number in range(1, count):
        schema = json.loads(members["schema.json"])
        node = list(nodes_of(schema))[number]
        node["__module__"], node["__class__"], node["__loader__"] = calls[number % len(calls)]
        node["__id__"] = -number
        forged = members | {"schema.json": json.dumps(schema).encode()}
        with pytest.raises(ValueError, match=r"is refused: it holds '|is damaged"):
            loaded(sealed(archive_of(forged)))
    assert count > 100
