import gzip
import json
import subprocess
import sys
from pathlib import Path

TRAINING = Path(__file__).parents[2] / "training"

TEXT = """<contextfile concordance=brown>
<context filename=br-a01 paras=yes>
<p pnum=1>
<s snum=1>
<wf cmd=ignore pos=DT>The</wf>
<wf cmd=done rdf=group pos=NNP lemma=group wnsn=1 lexsn=1:03:00:: pn=group>Harbour_Board</wf>
<wf cmd=done pos=VB lemma=say wnsn=1 lexsn=2:32:00::>said</wf>
<punc>``</punc>
<wf cmd=ignore pos=DT>no</wf>
<wf cmd=done pos=NN lemma=evidence wnsn=2;1 lexsn=1:09:01::;1:09:00::>evidence</wf>
<punc>''</punc>
<punc>,</punc>
<wf cmd=done pos=NN lemma=unknown wnsn=0 lexsn=9:99:99::>twice</wf>
<punc>.</punc>
</s>
</p>
</context>
</contextfile>
"""
SENSES = """group%1:03:00:: 00031264 1 6
say%2:32:00:: 01009240 1 7
evidence%1:09:01:: 00000007 2 1
"""
NOUN = (
    "  1 a line of the licence\n"
    '00003553 03 n 02 whole 0 unit 0 001 @ 00002684 n 0000 | a thing; "two units of the whole"\n'
)


def test_usages_of_both_sources_point_at_their_words(tmp_path):
    (tmp_path / "semcor/brown1/tagfiles").mkdir(parents=True)
    (tmp_path / "semcor/brown1/tagfiles/br-a01").write_text(TEXT)
    (tmp_path / "dict").mkdir()
    (tmp_path / "dict/index.sense").write_text(SENSES)
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"dict/data.{part}").write_text(NOUN if part == "noun" else "")
    command = [sys.executable, TRAINING / "extract.py", "semcor", "dict", "usages.jsonl.gz"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "3 usages in SemCor, 2 in examples of WordNet\n"
    with gzip.open(tmp_path / "usages.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    sentence = "The Harbour Board said ``no evidence'', twice."
    assert [row[:3] for row in rows[:3]] == [
        ["group.n", "eng30-00031264-n", sentence],
        ["say.v", "eng30-01009240-v", sentence],
        ["evidence.n", "eng30-00000007-n", sentence],
    ]
    found = [text[start:end] for _, _, text, start, end in rows]
    assert found == ["Harbour Board", "said", "evidence", "whole", "units"]
