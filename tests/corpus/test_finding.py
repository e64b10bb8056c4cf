"""Corpora of every format, contexts, samples, duplicates, reports."""

import gzip
import json
import tracemalloc
from pathlib import Path

import polars as pl
import pytest

from senseshift.corpus import find
from senseshift.corpus.text import ENOUGH, guess_layout
from senseshift.errors import InputError, UnreadWarning
from senseshift.usages import read

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def texts(usages):
    return usages.table["text"].to_list()


def targets(usages):
    return [usages.target(row) for row in range(len(usages))]


OLD = "The monk left his cell.\nHe prayed in it.\nNo other cell was as cold.\n"
NEW = "Cells divide.\nA cell is small.\n"
RUNNING = (
    "It was the best of times, it was the worst of times; the monk sat in\n"
    "his small cell. Mr. Smith, who was a naturalist, looked at another\n"
    "cell through his glass! Nothing happened there for a very long time\n"
    "and all were sad.\n\nThe end of the cell.\n"
)


def test_two_text_files(tmp_path):
    corpora = {"old": write(tmp_path / "old.txt", OLD), "new": write(tmp_path / "new.txt.gz", NEW)}
    usages = find(corpora, ["cell", "monk"])
    assert usages.periods == ("old", "new")
    assert usages.words == ("cell", "monk")
    assert usages.counts().rows() == [("cell", 2, 2), ("monk", 1, 0)]
    assert usages.skipped == {"monk": "no usages in the period new"}
    assert texts(usages.select("cell")) == [
        "The monk left his cell.", "No other cell was as cold.",
        "Cells divide.", "A cell is small.",
    ]  # fmt: skip
    assert usages.table["id"].to_list() == [
        "old.txt:1:18", "old.txt:3:9", "new.txt.gz:1:0", "new.txt.gz:2:2", "old.txt:1:4",
    ]  # fmt: skip
    assert set(usages.table["source"]) == {"old.txt", "new.txt.gz"}
    usages.write(tmp_path / "usages.tsv")
    assert read(tmp_path / "usages.tsv").table.equals(usages.table)


def test_folders_and_names_that_clash(tmp_path):
    for period in ("a", "b"):
        write(tmp_path / period / "corpus" / "x.txt", OLD)
        write(tmp_path / period / "corpus" / "deep" / "y.txt.gz", NEW)
        write(tmp_path / period / "corpus" / "README.md", "cell")
        write(tmp_path / period / "corpus" / "metadata.csv", "file,author\nx.txt,cell\n")
        write(tmp_path / period / "corpus" / "._x.txt", b"\xff")
    with pytest.warns(UnreadWarning, match=r"^2 files .* metadata.csv, metadata.csv \(a t"):
        usages = find({p: tmp_path / p / "corpus" for p in ("a", "b")}, ["cell"])
    assert usages.counts().rows() == [("cell", 4, 4)]
    assert usages.table["id"].n_unique() == 8
    with pytest.raises(InputError, match="is given twice for the period a"):
        find({"a": [tmp_path / "a", tmp_path / "a" / "corpus" / "x.txt"]}, ["cell"])
    several = find({"a": [tmp_path / "a/corpus/x.txt", str(tmp_path / "b/corpus/x.txt")]}, ["cell"])
    assert len(several) == 2
    assert several.dropped == ["a: 2 duplicates of a context were dropped."]


def test_texts_and_conllu_in_one_folder_may_be_the_same_corpus(tmp_path):
    write(tmp_path / "x.txt", OLD)
    write(tmp_path / "x.conllu", CONLLU)
    with pytest.raises(InputError, match=r"found both x.txt and x.conllu"):
        find({"old": tmp_path}, ["cell"])


def test_layouts_are_guessed():
    assert guess_layout(RUNNING.split("\n")) == "running"
    assert guess_layout(OLD.split("\n")) == "lines"
    assert (
        guess_layout(["the monk leave he cell", "he pray", "cell be cold in the winter"]) == "lines"
    )
    assert guess_layout(["One sentence. Another one.", "He said so. Then he left."]) == "paragraphs"
    assert guess_layout([]) == "lines"


def test_running_text_is_split_into_sentences(tmp_path):
    path = write(tmp_path / "old.txt", RUNNING)
    usages = find({"old": path}, ["cell"])
    assert texts(usages) == [
        "It was the best of times, it was the worst of times; the monk sat in his small cell.",
        "Mr. Smith, who was a naturalist, looked at another cell through his glass!",
        "The end of the cell.",
    ]
    assert texts(find({"old": path}, ["cell"], layout="lines"))[0] == (
        "his small cell. Mr. Smith, who was a naturalist, looked at another"
    )


def test_a_paragraph_without_end_is_cut_between_sentences(tmp_path):
    sentence = "It was the best of times, it was the worst of times; the monk sat\nin cell {}.\n"
    path = write(tmp_path / "old.txt", "".join(sentence.format(k) for k in range(1000, 9000)))
    usages = find({"old": path}, ["cell"], max_usages=None)
    assert len(usages) == 8000
    assert set(usages.table["text"].str.replace(r"\d+", "N")) == {
        sentence.format("N").strip().replace("\n", " ")
    }


@pytest.mark.parametrize("layout", [None, "lines", "paragraphs", "running"])
def test_a_file_of_one_endless_line(tmp_path, layout):
    line = " ".join(f"the cell {k} is here and" for k in range(24_000))
    assert len(line) > ENOUGH
    path = write(tmp_path / "old.txt", line)
    usages = find({"old": path}, ["cell"], layout=layout, max_usages=500)
    assert len(usages) == 500
    assert usages.table["id"].n_unique() == 500
    assert set(targets(usages)) == {"cell"}
    assert usages.table["text"].str.len_chars().max() <= 10_000
    assert set(usages.table["id"].str.extract(r"^(.*):\d+$")) == {"old.txt:1"}


def test_lines_are_numbered_across_chunks(tmp_path):
    lines = ["x " * 200_000, "", "a cell", "y " * 300_000, "cells"]
    usages = find({"old": write(tmp_path / "old.txt", "\n".join(lines))}, ["cell"], layout="lines")
    assert usages.table["id"].to_list() == ["old.txt:3:2", "old.txt:5:0"]


def test_nothing_to_find_in(tmp_path):
    usages = find({"old": write(tmp_path / "old.txt", "")}, ["cell"])
    assert (len(usages), list(usages.skipped)) == (0, ["cell"])
    for suffix in (".csv", ".jsonl", ".parquet"):
        usages.write(tmp_path / f"usages{suffix}")
        assert len(read(tmp_path / f"usages{suffix}")) == 0


def test_context_to_both_sides(tmp_path):
    path = write(tmp_path / "old.txt", OLD)
    plain, wide = find({"o": path}, ["pray"]), find({"o": path}, ["pray"], context=11)
    assert texts(plain) == ["He prayed in it."]
    assert texts(wide) == ["his cell. He prayed in it. No other"]
    assert targets(wide) == ["prayed"]
    assert texts(find({"o": path}, ["pray"], context=999)) == [OLD.strip().replace("\n", " ")]
    running = write(tmp_path / "running.txt", RUNNING)
    found = find({"o": running}, ["naturalist"], context=12)
    assert texts(found) == [
        "small cell. Mr. Smith, who was a naturalist, looked at another cell through his glass! "
        "Nothing"
    ]


def test_duplicates_of_a_context_are_dropped_and_counted(tmp_path):
    path = write(tmp_path / "old.txt", "A cell.\nA cell.\nA cell and a cell.\nA cell.\n")
    usages = find({"old": path, "new": path}, ["cell"])
    assert usages.counts().rows() == [("cell", 3, 3)]
    assert "old: 2 duplicates of a context were dropped." in usages.dropped


def test_a_sample_is_seeded_and_fair(tmp_path):
    path = write(tmp_path / "old.txt", "".join(f"The cell {k} a monk.\n" for k in range(300)) * 2)
    everything = find({"old": path}, ["cell", "monk"])
    one, again = (find({"old": path}, ["cell", "monk"], max_usages=50, seed=1) for _ in range(2))
    other = find({"old": path}, ["cell", "monk"], max_usages=50, seed=2)
    assert one.table.equals(again.table)
    assert not one.table.equals(other.table)
    assert one.counts().rows() == [("cell", 50), ("monk", 50)]
    assert one.table.join(everything.table, on=everything.table.columns, how="semi").height == 100
    # In the order of the corpus, no context twice.
    lines = [int(id_.split(":")[1]) for id_ in one.select("cell").table["id"]]
    assert lines == sorted(set(lines))
    assert one.table["text"].n_unique() == len(
        set(texts(one.select("cell"))) | set(texts(one.select("monk")))
    )
    # Each usage is about as likely as any other: over 60 seeds the mean line is near the middle.
    drawn = [
        int(usage.split()[2])
        for seed in range(60)
        for usage in texts(find({"old": path}, ["cell"], max_usages=20, seed=seed))
    ]
    assert abs(sum(drawn) / len(drawn) - 149.5) < 10


def test_a_sample_does_not_depend_on_how_the_corpus_is_cut(tmp_path):
    lines = [f"The cell {k}.\n" for k in range(100)]
    whole = write(tmp_path / "whole.txt", "".join(lines))
    halves = [
        write(tmp_path / "b.txt", "".join(lines[50:])),
        write(tmp_path / "a.txt", "".join(lines[:50])),
    ]
    samples = [find({"o": paths}, ["cell"], max_usages=10) for paths in (whole, halves)]
    assert sorted(texts(samples[0])) == sorted(texts(samples[1]))


def test_words_never_found_are_told_with_the_reason(tmp_path):
    path = write(tmp_path / "old.txt", OLD)
    usages = find({"old": path}, ["monks", "unicorn", "cell"])
    assert usages.missing == {
        "monks": "never found by lemma in any period; "
        "it is a form of 'monk', which can be looked for",
        "unicorn": "never found by lemma in any period",
    }
    assert usages.skipped == usages.missing
    assert usages.select("unicorn").skipped == {"unicorn": usages.missing["unicorn"]}


CONLLU = """# newdoc id = one
# sent_id = 1
# text = They attack the cell's don't.
1\tThey\tthey\tPRON\t_\t_\t_\t_\t_\t_
2\tattack\tattack\tVERB\t_\t_\t_\t_\t_\t_
3\tthe\tthe\tDET\t_\t_\t_\t_\t_\t_
4-5\tcell's\t_\t_\t_\t_\t_\t_\t_\t_
4\tcell\tcell\tNOUN\t_\t_\t_\t_\t_\t_
5\t's\t's\tPART\t_\t_\t_\t_\t_\t_
6-7\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
6\tdo\tdo\tAUX\t_\t_\t_\t_\t_\t_
7\tnot\tnot\tPART\t_\t_\t_\t_\t_\t_
8\t.\t.\tPUNCT\t_\t_\t_\t_\t_\t_

# sent_id = 2
1\tAttacks\tattack\tNOUN\t_\t_\t_\t_\t_\t_
1.1\tghost\tcell\tNOUN\t_\t_\t_\t_\t_\t_
2\twent\tgo\tVERB\t_\t_\t_\t_\t_\t_
3\ton\ton\tADP\t_\t_\t_\t_\t_\tSpaceAfter=No
4\t!\t!\tPUNCT\t_\t_\t_\t_\t_\t_
"""


def test_conllu_by_its_own_lemmas_and_tags(tmp_path):
    path = write(tmp_path / "old.conllu.gz", CONLLU)
    usages = find(
        {"old": path}, ["attack_nn", "attack_vb", "attack", "cell", "not_rb", "go on", "do_vb"]
    )
    found = {word: targets(usages.select(word)) for word in usages.words}
    assert found == {
        "attack_nn": ["Attacks"],
        "attack_vb": ["attack"],
        "attack": ["attack", "Attacks"],
        "cell": ["cell"],
        "go on": ["went on"],
        "do_vb": ["don't"],
    }
    assert texts(usages.select("attack_nn")) == ["Attacks went on!"]
    assert list(usages.missing) == ["not_rb"]
    assert targets(find({"old": path}, ["attacks"], by="form")) == ["Attacks"]
    assert texts(find({"old": path}, ["go"], context=14)) == ["cell's don't. Attacks went on!"]


def test_a_broken_conllu_row(tmp_path):
    path = write(tmp_path / "old.conllu", CONLLU.replace("2\twent\tgo", "2\twent"))
    with pytest.raises(
        InputError, match=r"old.conllu, line 18: expected the 10 columns .* found 9"
    ):
        find({"old": path}, ["attack"])
    usages = find({"old": path}, ["attack"], skip_bad=True)
    assert targets(usages) == ["attack"]
    assert len(usages.dropped) == 1


def semeval(folder, tokens, lemmas):
    write(folder / "token" / "ccoha1.txt.gz", tokens)
    write(folder / "lemma" / "ccoha1.txt.gz", lemmas)
    return folder


def test_semeval_parallel_files(tmp_path):
    folder = semeval(
        tmp_path / "corpus1",
        "they attack him\nthe attacks went on\nTrees fell\n",
        "they attack he\nthe attack_nn go on\ntree fall\n",
    )
    usages = find({"1": folder}, ["attack_nn", "tree", "attack"])
    assert targets(usages.select("attack_nn")) == ["attacks"]
    assert targets(usages.select("tree")) == ["Trees"]
    assert targets(usages.select("attack")) == ["attack", "attacks"]
    assert usages.table["source"][0] == "corpus1/ccoha1.txt.gz"


def test_semeval_files_that_do_not_fit(tmp_path):
    folder = semeval(tmp_path / "a", "one two\nthree\n", "one two\nthree four\n")
    with pytest.raises(InputError, match=r"line 2: expected 2 words as in .*, found 1"):
        find({"1": folder}, ["one"])
    assert len(find({"1": folder}, ["one"], skip_bad=True)) == 1
    folder = semeval(tmp_path / "b", "one\ntwo\n", "one\n")
    with pytest.raises(InputError, match="line 2: expected the same lines"):
        find({"1": folder}, ["one"])
    (folder / "lemma" / "ccoha1.txt.gz").unlink()
    with pytest.raises(InputError, match="expected its lemmas in"):
        find({"1": folder}, ["one"])


ROWS = [
    {"body": 'The monk.\nHis cell, "cold". The end.', "year": "1815-03-02", "source": "A"},
    {"body": "Cells divide.\n\nA cell is small.", "year": "1965", "source": "B"},
    {"body": "A cell of 1700.", "year": "1700", "source": "C"},
]


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv", ".jsonl", ".parquet"])
def test_tables_with_dates(tmp_path, suffix):
    path = tmp_path / f"corpus{suffix}"
    frame = pl.DataFrame(ROWS)
    if suffix == ".parquet":
        frame.write_parquet(path, row_group_size=1)
    elif suffix == ".jsonl":
        write(path, "\n".join(map(json.dumps, ROWS)))
    else:
        write(path, frame.write_csv(separator="\t" if ".tsv" in suffix else ","))
    options = {"text_column": "body", "date_column": "year"}
    usages = find(path, ["cell"], split_year=1900, **options)
    assert usages.periods == ("before 1900", "from 1900")
    assert texts(usages) == [
        'His cell, "cold".',
        "A cell of 1700.",
        "Cells divide.",
        "A cell is small.",
    ]
    assert usages.table["date"].to_list() == ["1815-03-02", "1700", "1965", "1965"]
    assert usages.table["source"].to_list() == ["A", "C", "B", "B"]
    ranges = find(path, ["cell"], periods="1800-1849,1950-1999", layout="lines", **options)
    assert texts(ranges)[0] == 'The monk. His cell, "cold". The end.'
    assert ranges.counts().rows() == [("cell", 1, 2)]
    assert ranges.dropped == ["1 usages dated outside the periods were left out."]
    with pytest.raises(InputError, match=r"expected a.*text"):
        find({"old": path}, ["cell"])


def test_the_split_year_itself_is_new(tmp_path):
    path = write(tmp_path / "corpus.csv", "text,date\nA cell.,1900\nA cell!,1899\n")
    assert texts(find(path, ["cell"], split_year=1900).select(period="from 1900")) == ["A cell."]


def test_broken_rows_of_tables(tmp_path):
    path = write(tmp_path / "corpus.csv", "text,date\nA cell.,soon\nA cell!,1815\n")
    with pytest.raises(InputError, match=r"corpus.csv, line 2, column date: .*found 'soon'"):
        find(path, ["cell"], split_year=1900)
    usages = find(path, ["cell"], split_year=1900, skip_bad=True)
    assert texts(usages) == ["A cell!"]
    assert len(usages.dropped) == 1
    path = write(tmp_path / "corpus.jsonl", '{"text": "A cell."}\nno\n')
    with pytest.raises(InputError, match=r"corpus.jsonl, line 2: expected a JSON object"):
        find({"old": path}, ["cell"])


def test_wrong_encoding_is_named_by_line(tmp_path):
    path = write(tmp_path / "old.txt", b"A cell.\nna\xefve\nCells.\n")
    with pytest.raises(
        InputError, match=r"old.txt, line 2: expected UTF-8, found .* 0xef; .*latin-1"
    ):
        find({"old": path}, ["cell"])
    assert texts(find({"old": path}, ["cell"], skip_bad=True)) == ["A cell.", "Cells."]


def test_windows_and_old_mac_lines_and_byte_order_mark(tmp_path):
    path = write(tmp_path / "old.txt", b"\xef\xbb\xbfCell one.\r\nCell two.\rCell three.")
    assert texts(find({"old": path}, ["cell"], layout="lines")) == [
        "Cell one.",
        "Cell two.",
        "Cell three.",
    ]


def test_wrong_arguments(tmp_path):
    path = write(tmp_path / "old.txt", OLD)
    for options, message in [
        ({"context": -1}, "context is -1"),
        ({"max_usages": 0}, "max_usages is 0"),
        ({"layout": "verse"}, "layout='verse' is not one of"),
        ({"split_year": 1900}, "given by name"),
        ({"seed": "x"}, "seed is 'x'"),
    ]:
        with pytest.raises(InputError, match=message):
            find({"old": path}, ["cell"], **options)
    with pytest.raises(InputError, match="There are no periods"):
        find(path, ["cell"])
    with pytest.raises(InputError, match="only tables have dates"):
        find(path, ["cell"], split_year=1900)
    with pytest.raises(InputError, match="does not exist"):
        find({"old": tmp_path / "none.txt"}, ["cell"])
    with pytest.raises(InputError, match=r"found \.pdf"):
        find({"old": write(tmp_path / "x.pdf", "")}, ["cell"])
    with pytest.raises(InputError, match="in it, found none"):
        find({"old": write(tmp_path / "empty" / "x.pdf", "").parent}, ["cell"])
    broken = tmp_path / "broken.txt.gz"
    broken.write_bytes(gzip.compress(OLD.encode() * 100)[:-20])
    with pytest.raises(InputError, match="expected a complete gzip file"):
        find({"old": broken}, ["cell"])


def test_progress_reaches_the_total(tmp_path):
    calls = []
    paths = {"o": write(tmp_path / "o.txt", OLD * 50_000), "n": write(tmp_path / "n.txt.gz", NEW)}
    find(paths, ["unicorn"], progress=lambda done, total: calls.append((done, total)))
    total = sum(path.stat().st_size for path in paths.values())
    assert calls[-1] == (total, total)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert len(calls) > 2


def test_memory_does_not_grow_with_the_corpus(tmp_path):
    def peak(copies):
        path = write(tmp_path / "big.txt", OLD.replace("cell", "sell") * copies)
        tracemalloc.start()
        find({"old": path}, ["cell"])
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1)  # dictionaries are loaded once
    small, large = peak(16_000), peak(48_000)
    assert large < 1.3 * small


@pytest.mark.skipif(not SHARED.is_dir(), reason="DWUG EN is not beside the repository")
def test_the_targets_of_dwug_en_are_found_again(tmp_path):
    known = read(SHARED / "dwug_en")
    path = tmp_path / "corpus.parquet"
    known.table.select("text").write_parquet(path)
    found = find({"corpus": path}, known.words, layout="lines", max_usages=None, names="in")
    spans = known.table.select("word", pl.col("text").str.normalize("NFC"), "start", "end")
    again = spans.join(found.table, on=["word", "text", "start", "end"], how="semi")
    # The rest are slips of theirs: lassi is no lass, and pining is not to pin.
    assert again.height >= 9095
