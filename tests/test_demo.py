import senseshift
from senseshift.demo import SHARES, USAGES, generated_words


def test_changed_words_stand_above_unchanged_ones():
    words = generated_words()
    assert list(words) == list(SHARES)
    assert all(len(side) == USAGES for pair in words.values() for side in pair)
    changed, unchanged = [], []
    for name, pair in words.items():
        old, new = SHARES[name]
        (changed if old != new else unchanged).append(senseshift.sus(*pair).magnitude)
    assert min(changed) > max(unchanged)
    assert senseshift.sus(*words["gained a sense"]).scope > 0
    assert senseshift.sus(*words["lost a sense"]).scope < 0
