"""Texts in any encoding, and what is said of those that are in another one."""

import gzip

import pytest

from senseshift.corpus import find
from senseshift.errors import InputError

SENTENCES = "The monk’s cell is naïve.\nA cell – or two.\n"


def corpus(folder, **texts):
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in texts.items():
        (folder / f"{name}.txt").write_bytes(data)
    return {"old": folder}


def texts(usages):
    return usages.table["text"].to_list()


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le", "utf-8-sig", "utf-32"])
def test_every_encoding_can_be_named(tmp_path, encoding):
    usages = find(corpus(tmp_path, a=SENTENCES.encode(encoding)), ["cell"], encoding=encoding)
    assert texts(usages) == SENTENCES.splitlines()
    packed = tmp_path / "more" / "a.txt.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(SENTENCES.encode(encoding)))
    assert texts(find({"old": packed}, ["cell"], encoding=encoding)) == SENTENCES.splitlines()


@pytest.mark.parametrize(
    ("encoding", "advice"),
    [
        ("cp1252", "--encoding cp1252 "),
        ("utf-16", "--encoding utf-16 "),
        ("utf-16-le", "--encoding utf-16-le "),
    ],
)
def test_the_advice_fits_the_encoding_and_works(tmp_path, encoding, advice):
    folder = corpus(tmp_path, a=SENTENCES.encode(encoding))
    with pytest.raises(InputError, match=advice):
        find(folder, ["cell"])
    name = advice.split()[1]
    assert len(find(folder, ["cell"], encoding=name)) == 2


def test_of_another_script_no_encoding_is_made_up(tmp_path):
    folder = corpus(tmp_path, a="Авторитета и авторитетом".encode("koi8-r"))
    with pytest.raises(InputError, match=r"say with --encoding .* which it is"):
        find(folder, ["авторитет"], language="ru")


def test_all_files_that_do_not_fit_are_told_at_once(tmp_path):
    bad = {f"bad{k}": SENTENCES.encode("cp1252") for k in range(7)}
    folder = corpus(tmp_path, good=SENTENCES.encode(), zgood=b"A cell.", **bad)
    with pytest.raises(InputError, match=r"^7 of 9 files are not UTF-8: ") as caught:
        find(folder, ["cell"])
    message = str(caught.value)
    assert "bad0.txt (line 1, byte 0x92)" in message
    assert "and 2 more; they look like cp1252: say --encoding utf-8,cp1252 " in message
    usages = find(folder, ["cell"], encoding="utf-8,cp1252", max_usages=None)
    assert len(usages.corpora.files.filter(encoding="cp1252")) == 7
    assert set(texts(usages)) == {*SENTENCES.splitlines(), "A cell."}


def test_with_skip_bad_only_the_lines_that_cannot_be_read_are_left_out(tmp_path):
    folder = corpus(tmp_path, a=SENTENCES.encode("latin-1", "replace") + b"Cells.\n")
    usages = find(folder, ["cell"], skip_bad=True)
    assert texts(usages) == ["A cell ? or two.", "Cells."]
    wide = corpus(tmp_path / "wide", a=b"A cell.", b=SENTENCES.encode("utf-16"))
    usages = find(wide, ["cell"], skip_bad=True)
    assert texts(usages) == ["A cell."]
    assert any("b.txt: expected utf-8, found another encoding" in note for note in usages.dropped)


def test_tables_and_conllu_are_read_in_the_encoding_too(tmp_path):
    table = tmp_path / "corpus.csv"
    table.write_bytes("text,author\nA naïve cell.,Zoë\n".encode("cp1252"))
    usages = find({"old": table}, ["cell"], encoding="cp1252")
    assert usages.table.select("text", "author").row(0) == ("A naïve cell.", "Zoë")
    tagged = tmp_path / "corpus.conllu"
    tagged.write_bytes("1\tZellen\tZelle\tNOUN\t_\t_\t_\t_\t_\tnaïve\n\n".encode("utf-16"))
    assert len(find({"old": tagged}, ["Zelle"], encoding="utf-16")) == 1


@pytest.mark.parametrize("name", ["no-such", "base64", "", "utf-8\0", ","])
def test_what_is_no_encoding_is_told(tmp_path, name):
    with pytest.raises(InputError, match="There is no encoding"):
        find(corpus(tmp_path, a=b"cell"), ["cell"], encoding=name)


def test_a_word_file_in_another_encoding_is_one_sentence(tmp_path):
    words = tmp_path / "words.txt"
    words.write_bytes("naïve\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"words.txt, line 1 .*expected UTF-8, found"):
        find(corpus(tmp_path / "c", a=b"cell"), words)
