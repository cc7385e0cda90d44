"""A clinic's table, and models fitted to it from the command line."""

import numpy as np
import pytest
from command_line import CHEAP, run


def patients(rows=60, seed=0):
    """A clinic's export: semicolons, decimal commas, dates, gaps, ids and a numbered target."""
    generator = np.random.default_rng(seed)
    dose, weight = generator.random(rows) * 4, 60 + 20 * generator.random(rows)
    sick = dose + generator.normal(size=rows) / 3 > 2
    lines = ["patient_id;aufnahme;dosis;gewicht;geschlecht;diagnose;dauer"]
    for i in range(rows):
        lines.append(
            f"{1000 + 3 * i};{1 + i % 28:02}.{1 + i % 12:02}.2021;{dose[i]:.2f};"
            f"{'?' if i % 9 == 0 else f'{weight[i]:.1f}'};{'wm'[i % 2]};"
            f"{'krank' if sick[i] else 'gesund'};{3 * dose[i] + weight[i] / 20:.3f}"
        )
    return "\n".join(lines).replace(".", ",").replace(",2021", ".2021") + "\n"


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    """A folder with such a file in Latin-1, and a classifier and a regressor fitted to it."""
    folder = tmp_path_factory.mktemp("clinic")
    text = patients().replace("diagnose", "befund für arzt")
    rows = [line.split(";") for line in text.splitlines()]
    for row in rows[1:]:
        row[1] = row[1].replace(",", ".")
    text = "\n".join(";".join(row) for row in rows) + "\n"
    (folder / "klinik.csv").write_bytes(text.encode("latin-1"))
    for target, name in (("befund für arzt", "classes"), ("dauer", "days")):
        drop = "dauer" if name == "classes" else "befund für arzt"
        result = run(
            *("fit", folder / "klinik.csv", "--target", target, "--drop", drop, *CHEAP),
            *("--out", folder / f"{name}.skops"),
        )
        assert result.exit_code == 0, result.output
        (folder / f"{name}.txt").write_text(result.output)
    return folder
