import gzip
import json
import subprocess
import sys
from pathlib import Path

TRAINING = Path(__file__).parents[2] / "training"

DICTIONARY = r"""
Lantern \Lan"tern\, n. [OE. lanterne; see
   {Lamp}.]
   1. Something inclosing a light; as, a dark lantern; the
      lanterns of the fleet at sea.
      [1913 Webster]

            He held his lantern low, and . . . counted them.
                                                  --Nobody.
      [1913 Webster]

   2. (Arch.) An open structure on a roof. [Obs.]
      [1913 Webster]

            The lantern lets the light into the nave. --Some One.
      [1913 Webster]

   3. A later sense, from elsewhere, for all the lanterns.
      [PJC]

            A later lantern that nobody owns.
      [PJC]

   {Lantern fly} (Zool.), an insect with a lantern for a head.
      [1913 Webster]

            No quotation for this lantern, which is a fly.
      [1913 Webster]

Lave \Lave\, v. t. [imp. & p. p. {Laved}; p. pr. & vb. n.
   {Laving}.]
   To wash; to bathe; as, to lave.
   [1913 Webster]

            In her chaste current oft the goddess laves.
                                                  --Anybody.
   [1913 Webster]
"""


def test_quotations_and_examples_have_the_sense_they_stand_under(tmp_path):
    (tmp_path / "dictionary").write_text(DICTIONARY)
    command = [sys.executable, TRAINING / "webster.py", "dictionary", "labelled.gz", "plain.txt"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "{'definition': 3, 'example': 1, 'quotation': 3} 7 texts\n"
    with gzip.open(tmp_path / "labelled.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = [(sense, text, text[start:end]) for _, sense, text, start, end in rows]
    assert found == [
        ("webster-lantern.n-1-1", "the lanterns of the fleet at sea.", "lanterns"),
        ("webster-lantern.n-1-1", "He held his lantern low, and … counted them.", "lantern"),
        ("webster-lantern.n-1-2", "The lantern lets the light into the nave.", "lantern"),
        ("webster-lave.v-1-0", "In her chaste current oft the goddess laves.", "laves"),
    ]
    assert [row[0] for row in rows] == ["lantern.n", "lantern.n", "lantern.n", "lave.v"]
    texts = (tmp_path / "plain.txt").read_text().splitlines()
    assert "Something inclosing a light" in texts
    assert not any("later" in text or "insect" in text for text in texts)
