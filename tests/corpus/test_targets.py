"""Lists of words as they are typed or read from a file."""

import pytest

from senseshift.corpus import find, word_list
from senseshift.errors import InputError


def test_words_with_commas():
    assert list(word_list("cell, hot dog,,mouse ")) == ["cell", "hot dog", "mouse"]
    assert list(word_list("cell")) == ["cell"]
    many = ",".join(f"word{k}" for k in range(500))
    assert len(word_list(many)) == 500


def test_words_from_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes(b"\xef\xbb\xbf# targets\r\ncell_nn\t0.7\r\n\r\nhot dog\r\n")
    assert list(word_list(str(path))) == list(word_list(path)) == ["cell_nn", "hot dog"]
    table = tmp_path / "words.csv"
    table.write_text('"cell",12\nmouse,7\n')
    assert list(word_list(table)) == ["cell", "mouse"]
    bare = tmp_path / "targets"
    bare.write_text("cell\nmouse\n")
    assert list(word_list(str(bare))) == ["cell", "mouse"]


def test_expressions_keep_their_commas(tmp_path):
    assert word_list("colou?r{1,2},[a,b]c,(x,y)", "regex") == {
        expression: expression for expression in ("colou?r{1,2}", "[a,b]c", "(x,y)")
    }
    path = tmp_path / "words.txt"
    path.write_text("colour\tcolou?r{1,2}\nmice\n")
    assert word_list(path, "regex") == {"colour": "colou?r{1,2}", "mice": "mice"}


@pytest.mark.parametrize(
    "name", ["words.txt", "lists/words", "WORDS.CSV", "w.lst", "./words", "x" * 300 + ".txt"]
)
def test_a_missing_file_is_no_word(name):
    with pytest.raises(InputError, match="does not exist: give words with commas"):
        word_list(name)


def test_a_word_file_that_cannot_be_read(tmp_path):
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(InputError, match=r"folder.txt does not exist"):
        word_list(tmp_path / "folder.txt")
    path = tmp_path / "words.txt"
    path.write_bytes("cell\n".encode("utf-16"))
    with pytest.raises(InputError, match=r"words.txt: expected UTF-8, found UTF-16"):
        word_list(path)


def test_what_errors_quote_is_cut(tmp_path):
    path = tmp_path / "old.txt"
    path.write_text("A cell.")
    for words, by in ((["+" * 10**6], "lemma"), (["(" * 10**6], "regex")):
        with pytest.raises(InputError) as caught:
            find({"old": path}, words, by=by)
        assert len(str(caught.value)) < 400
