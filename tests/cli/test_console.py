"""What reaches the terminal: text of someone else's file must not steer it."""

import pytest
import typer
from forged_models import with_metadata
from typer.testing import CliRunner

from kernelwise import cli
from kernelwise.cli import console, results
from kernelwise.report.grids import Grid

HOSTILE = "a\x1b]0;owned\x07b\x9b2Jc\u202ed\u2066e\x7f\r\u2028"
SHOWN = r"a\x1b]0;owned\x07b\x9b2Jc\u202ed\u2066e\x7f"


def is_harmless(text):
    return all(part.isprintable() for part in text.rstrip("\n").split("\n"))


def test_results_notes_and_errors_show_control_characters(capsys):
    console.say(HOSTILE)
    assert capsys.readouterr().out == SHOWN + r"\r\u2028" + "\n"
    console.note(HOSTILE)
    assert capsys.readouterr().err == f"note: {SHOWN}\n"

    @console.errors_in_one_line
    def command():
        raise ValueError(HOSTILE)

    with pytest.raises(typer.Exit):
        command()
    assert capsys.readouterr().err == f"error: {SHOWN}\n"


def test_tables_show_control_characters(capsys):
    results.show_relevance([HOSTILE, "x"], [0.9, 0.1])
    console.show_grid(Grid(("", HOSTILE), ((HOSTILE, "1"), ("x", "22"))))
    found = capsys.readouterr().out
    assert is_harmless(found) and found.count(r"\x1b]0;owned") == 3
    heading, *lines = found.splitlines()[-3:]
    assert {len(line) for line in lines} == {len(heading)}  # as wide as what is shown


def test_tracebacks_show_control_characters(capsys, monkeypatch):
    monkeypatch.setenv("KERNELWISE_TRACEBACK", "1")

    @console.errors_in_one_line
    def command():
        raise ValueError(HOSTILE)

    with pytest.raises(typer.Exit):
        command()
    found = capsys.readouterr().err
    assert "Traceback" in found and is_harmless(found)


def test_ordinary_letters_of_all_writings_stay(capsys):
    text = "größe 高さ ارتفاع 👩\u200d🔬"  # the joiner belongs to the picture
    console.say(text)
    assert capsys.readouterr().out == text + "\n"


def test_a_model_of_someone_else_cannot_steer_the_terminal(small_model, tmp_path):
    forged = with_metadata(small_model[2], target=HOSTILE, library_versions={"numpy": HOSTILE})
    model, table = tmp_path / "model.skops", tmp_path / "rows.csv"
    model.write_bytes(forged)
    table.write_text(f"x0,x1,{HOSTILE[:3]}\n1,2,3\n")
    arguments = ["predict", str(model), str(table), "--out", str(tmp_path / "out.csv")]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0, result.output
    assert is_harmless(result.output)
    assert "note: " in result.stderr and "saved with numpy" in result.stderr
    assert rf"Predicted '{SHOWN}" in result.stdout
