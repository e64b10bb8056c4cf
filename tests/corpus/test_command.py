"""``senseshift find`` as it is typed."""

import subprocess
import sys

import pytest

from senseshift.usages import read


@pytest.fixture
def typed(tmp_path, called):
    """What a command line ends with: its code, what it printed and what it told."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "letter").write_text("The cell of Miss Rivers.\nCells by rivers.\n")
    (tmp_path / "old" / "page.xml").write_text("<p>cell</p>")
    (tmp_path / "new.txt").write_bytes("“Cells” divide.\n".encode("cp1252"))

    def run(*arguments, output="usages.csv", by=called):
        command = "find", "--old", "old", "--new", "new.txt", "-o", output, *arguments
        done = by(*command, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    return run


def process(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "senseshift", *arguments],
        capture_output=True, text=True, cwd=cwd, check=False,
    )  # fmt: skip


def test_find_says_what_it_read_and_what_not(typed):
    given = ("--words", "cell,river", "--encoding", "utf-8,cp1252")
    code, out, told = typed(*given, by=process)
    assert code == 0
    assert "4 usages written to usages.csv" in out
    assert "warning: 1 file of the corpora is not read: page.xml (of a kind" in told
    assert "read 2 files; a line is a sentence (guessed: --layout says otherwise)" in told
    assert "old: 8 words in 1 document" in told
    code, out, _ = typed(*given, "--names", "in")
    assert "5 usages written" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--words", "cell"], "1 of 2 files is not UTF-8: new.txt (line 1, byte 0x93); it looks"),
        (["--words", "words.txt"], "words.txt does not exist"),
        (["--words", "cell", "--encoding", "klingon"], "There is no encoding 'klingon'"),
        (["--words", "cell", "--names", "some"], "names='some' is not one of out, in"),
        (["--words", "cell", "--seed", "9" * 30], "seed is a number of more than 64 bits"),
    ],
)
def test_what_cannot_be_is_one_sentence(typed, arguments, complaint, tmp_path):
    code, _, told = typed(*arguments)
    assert code == 2
    assert complaint in told
    assert not (tmp_path / "usages.csv").exists()


def test_the_name_of_the_output_is_looked_at_first(typed):
    code, _, told = typed("--words", "cell", output="usages.docx")
    assert code == 2
    assert "usages are written as" in told
    assert "UTF-8" not in told


def test_the_cap_and_how_it_is_lifted(typed, tmp_path):
    (tmp_path / "new.txt").write_text("".join(f"Cell {k} divides.\n" for k in range(500)))
    many = ",".join(f"word{k}" for k in range(100))
    _, _, told = typed("--words", f"cell,{many}")
    assert "Of 1 word a random sample was kept, at most 400 a period (seed 0)" in told
    assert read(tmp_path / "usages.csv").counts().row(0) == ("cell", 2, 400)
    typed("--words", "cell", "--max-usages", "0")
    assert read(tmp_path / "usages.csv").counts().row(0) == ("cell", 2, 500)
    typed("--words", "cell", "--max-per-document", "3")
    assert read(tmp_path / "usages.csv").counts().row(0) == ("cell", 2, 3)
