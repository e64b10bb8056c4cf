"""Names look like words, but for their capitals."""

import pytest

from senseshift.corpus import find
from senseshift.corpus.names import begins_sentence, capitalises_nouns
from senseshift.errors import NamesWarning


@pytest.fixture
def found(tmp_path):
    def search(text, word, **options):
        path = tmp_path / "corpus.txt"
        path.write_text(text, encoding="utf-8")
        usages = find({"old": path}, [word], **({"layout": "lines"} | options))
        return [usages.target(row) for row in range(len(usages))]

    return search


@pytest.mark.parametrize(
    ("text", "word", "targets"),
    [
        ("Poor Miss Rivers saw the rivers.", "river", ["rivers"]),
        ("The prior of Matching Priory had no match.", "match", ["match"]),
        ("I met DR. Livesey on the drive.", "drive", ["drive"]),
        ("DR. LIVESEY. Come in.", "drive", []),
        ("DR. JEKYLL AND MR. HYDE\nTHE DRIVE\n", "drive", ["DRIVE"]),
        ("St. John Rivers, Mr. Rivers and J. Rivers.", "river", []),
        ("All rivers flow. Rivers rise.", "river", ["rivers", "Rivers"]),
        ("“Rivers rise.” ‘Rivers fall.’ (Rivers flow.)", "river", ["Rivers"] * 3),
        ("He cried: “Rivers!” She said, 'Rivers.'", "river", ["Rivers"] * 2),
        ('He said , " Rivers flow . " And so they do .', "river", ["Rivers"]),
        ("— Rivers rise.\n3. Rivers fall.\n* Rivers\n_Rivers_ flow.", "river", ["Rivers"] * 4),
        ("CHAPTER I. THE RIVER OF LIFE", "river", ["RIVER"]),
        ("THE RIVER was high and the RIVER wide.", "river", ["RIVER"]),
        ("In the White House a white house was seen.", "white house", ["white house"]),
        ("The Hot dogs of Mr. Dog", "dog", ["dogs"]),
    ],
)
def test_capitals_inside_a_sentence_are_names(found, text, word, targets):
    assert found(text, word) == targets


def test_names_are_in_where_they_are_asked_for(found):
    text = "Poor Miss Rivers saw the rivers."
    assert found(text, "river", names="in") == ["Rivers", "rivers"]
    assert found(text, "Rivers", by="form") == ["Rivers", "rivers"]
    assert found("The Polish polish.", "Polish", fold_case=False) == ["Polish"]
    assert found("Miss Rivers", "rivers?", by="regex") == ["Rivers"]


def test_where_nouns_are_capitalised_capitals_say_nothing(found):
    assert found("In der Zelle saß ein Mönch.", "Zelle", language="de") == ["Zelle"]
    assert found("In der Zelle saß ein Mönch.", "zelle", language="de") == ["Zelle"]
    old = "And when the Monk had closed the Door of his Cell he went to his Rest in great Peace. "
    new = "And when the monk had closed the door of his cell he saw Miss Cell in great peace. "
    assert found(old * 12, "cell", layout="paragraphs", context=1) == ["Cell"]
    with pytest.warns(NamesWarning):
        assert found(new * 12, "cell", layout="paragraphs", context=1) == ["cell"]
    assert capitalises_nouns([old * 12])
    assert not capitalises_nouns([old])  # too little to tell
    assert not capitalises_nouns([new * 12])


def test_the_lemmas_of_a_corpus_know_better(tmp_path):
    path = tmp_path / "corpus.conllu"
    path.write_text(
        "1\tMiss\tMiss\tPROPN\t_\t_\t_\t_\t_\t_\n2\tRivers\tRivers\tPROPN\t_\t_\t_\t_\t_\t_\n\n"
        "1\tthe\tthe\tDET\t_\t_\t_\t_\t_\t_\n2\tRivers\triver\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
    )
    usages = find({"old": path}, ["river"])
    assert usages.table["text"].to_list() == ["the Rivers"]


def test_names_are_counted_and_told_where_they_are_many(tmp_path):
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("".join(f"Miss Rivers saw river {k}.\n" for k in range(4)))
    new.write_text("".join(f"Miss Rivers saw {k} rivers with Mr. Bell.\n" for k in range(4)))
    with pytest.warns(NamesWarning, match=r"left out: river \(8 of 16\); keep them with names='in"):
        usages = find({"old": old, "new": new}, ["river", "bell"])
    assert usages.corpora.counts.select("word", "period", "found", "names").rows() == [
        ("river", "old", 4, 4), ("river", "new", 4, 4), ("bell", "old", 0, 0), ("bell", "new", 0, 4)
    ]  # fmt: skip
    assert usages.missing["bell"] == (
        "never found by lemma in any period but 4 times capitalised as names are; "
        "ask for 'Bell', or for names='in' (--names in)"
    )
    kept = find({"old": old, "new": new}, ["river"], names="in").corpora.counts
    assert kept.select("found", "names").rows() == [(8, 4), (8, 4)]


def test_where_sentences_begin():
    text = "One. Two? Three… four: Five; Six, Mr. Seven vs. Eight (Nine) a.m. Ten\n\nEleven d'Or"
    inside = [word for word in text.split() if not begins_sentence(text, text.index(word))]
    assert inside == ["Six,", "Mr.", "Seven", "vs.", "Eight", "(Nine)", "a.m.", "d'Or"]
    assert begins_sentence(text, text.index("Nine"))
    assert not begins_sentence(text, text.index("Or"))
