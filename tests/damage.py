"""Sound files spoilt: cut, flipped, with odd things put in, in other encodings."""

from contextlib import contextmanager

from hypothesis import strategies as st

from senseshift.errors import InputError

ODD = [
    b"\x00", b"\xff\xfe", "١٨١٥".encode(), b"9" * 5000, b"1e400", b"NaN", b"[" * 10_000,
    b'{"a":' * 3000, b'"', b";", b"\t", b"\r", b"\n", b" " * 10_000, b"x" * 10_000, b"\\ud800",
    b"null", b"true", b"[1]", b'{"x":1}', b"-1", b"18446744073709551616", b"#place", b"lemma",
]  # fmt: skip


@st.composite
def damaged(draw, files):
    """One of some files, by name, and what became of its bytes."""
    name = draw(st.sampled_from(sorted(files)))
    data = files[name]
    for _ in range(draw(st.integers(1, 3))):
        # Near the end as often as anywhere: there Parquet and archives say what is in them.
        at = draw(st.integers(0, len(data)) | st.integers(max(0, len(data) - 400), len(data)))
        end = min(len(data), at + draw(st.integers(0, 20)))
        way = draw(st.sampled_from(["cut", "flip", "put", "remove", "repeat", "encode"]))
        if way == "cut":
            data = data[:at]
        elif way == "flip" and at < len(data):
            flipped = data[at] ^ 1 << draw(st.integers(0, 7))
            data = data[:at] + bytes([flipped]) + data[at + 1 :]
        elif way == "put":
            data = data[:at] + draw(st.sampled_from(ODD)) + data[draw(st.sampled_from([at, end])) :]
        elif way == "remove":
            data = data[:at] + data[end:]
        elif way == "repeat":
            data = data[:at] + data[at:end] * 50 + data[end:]
        elif way == "encode":
            encoding = draw(st.sampled_from(["utf-16", "utf-16-be", "cp1252", "utf-32"]))
            data = data.decode("utf-8", "ignore").encode(encoding, "ignore")
    return name, data


def is_one_sentence(error):
    """Whether an error says what it has to in one line that can be read."""
    message = str(error)
    return "\n" not in message and len(message) < 1000 and message.endswith(".")


@contextmanager
def read_or_told():
    """Reading may succeed, or end with one sentence, and in no other way."""
    told = None
    try:
        yield
    except InputError as error:
        told = error
    assert told is None or is_one_sentence(told), told
