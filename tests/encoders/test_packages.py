"""Encoders that installed packages announce, in real processes on real distributions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from installing import folder_code, install

from senseshift import compare, find, read
from senseshift.encoders import encode, load
from senseshift.encoders.folder import FolderSettings
from senseshift.encoders.packages import GROUP, MULTILINGUAL, announced, installed
from senseshift.errors import InputError
from senseshift.usages import Usages
from tiny_models import random_usages

PACKAGE = Path(__file__).resolve().parents[2] / "packages" / "senseshift-xx"
GERMAN = "Der Hund bellte die ganze Nacht im Hof, und niemand konnte schlafen."
ENGLISH = "The dog barked all night in the yard, and nobody could sleep."


@pytest.fixture
def model(graph, tmp_path):
    """A folder whose encoder says that it knows two languages."""
    folder = tmp_path / "model"
    shutil.copytree(graph.folder, folder)
    (folder / "senseshift.json").write_text('{"name": "two", "languages": ["de", "zu"]}')
    return folder


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where packages are installed for this process; whatever else there is announces nothing."""
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    yield tmp_path / "site"
    for name in [name for name in sys.modules if name.startswith("made_")]:
        del sys.modules[name]


def command(place, folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(place), *sys.path])}
    return subprocess.run(
        [sys.executable, "-m", "senseshift", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def usages(text, word="Hund"):
    start = text.index(word)
    row = {"word": word, "text": text, "start": start, "end": start + len(word)}
    return Usages.from_records(row | {"period": p, "id": f"{p}1"} for p in ("old", "new"))


def test_a_folder_is_read_as_any_onnx_folder_in_a_process_that_knows_nothing(
    model, place, tmp_path
):
    install(place, "made-two", "made_two", folder_code(model), two="made_two:FOLDER")
    usages(GERMAN).write(tmp_path / "usages.csv")
    for name, encoder in (("a", "two"), ("b", f"onnx:{model}")):
        done = command(
            place, tmp_path, "encode", "usages.csv", "-o", f"{name}.npy", "--encoder", encoder
        )
        assert done.returncode == 0, done.stderr
        assert "warning" not in done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))


def test_the_language_takes_the_encoder_that_knows_it(model, place, tmp_path):
    usages(GERMAN).write(tmp_path / "usages.csv")
    arguments = ("encode", "usages.csv", "-o", "v.npy", "--language", "zu")
    refused = command(place, tmp_path, *arguments)
    assert refused.returncode == 2
    assert refused.stderr.startswith(
        "error: No encoder that is installed knows the language 'zu': xl-lexeme"
    )
    assert not (tmp_path / "v.npy").exists()
    install(place, "made-two", "made_two", folder_code(model), two="made_two:FOLDER")
    done = command(place, tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "v.npy").shape == (2, 6)


def test_usages_that_were_found_in_a_language_keep_it(model, place, tmp_path):
    install(place, "made-two", "made_two", folder_code(model), two="made_two:FOLDER")
    for period in ("old", "new"):
        (tmp_path / f"{period}.txt").write_text("Inja ikhonkotha ebusuku.\n" * 3, "utf-8")
    corpora = {period: tmp_path / f"{period}.txt" for period in ("old", "new")}
    find(corpora, ["inja"], language="zu", by="form").write(tmp_path / "found.parquet")
    study = compare(read(tmp_path / "found.parquet"), cache=False, permutations=0)
    assert (study.about["encoder"], study.about["language"]) == ("two", "zu")
    stated = compare(usages(GERMAN), "two", language="de", cache=False, permutations=0)
    assert stated.about["language"] == "de"
    assert compare(usages(GERMAN), "two", cache=False, permutations=0).about["language"] is None


def test_usages_in_another_script_or_language_name_the_encoder_that_knows_it(model, place):
    install(place, "made-two", "made_two", folder_code(model), two="made_two:FOLDER")
    greek = usages("Ο σκύλος γάβγιζε όλη τη νύχτα", "σκύλος")
    with pytest.warns(UserWarning, match=r"^2 of 2 usages are not in a language that \(de, zu\)"):
        encode(greek, "two", cache=False)
    with pytest.warns(
        UserWarning, match="in the language 'en', the only one.*take the encoder (multilingual|two)"
    ):
        encode(usages(GERMAN), "bundled", cache=False)
    with pytest.warns(
        UserWarning, match=r"^The usages, found in the language 'de',.*take the encoder"
    ):
        encode(usages(GERMAN), "bundled", cache=False, language="de")
    with pytest.warns(UserWarning, match="xl-lexeme knows a hundred languages"):
        encode(usages(ENGLISH, "dog"), "two", cache=False, language="sw")
    encode(usages(GERMAN), "two", cache=False)  # which it knows: nothing is said


def test_encoders_and_functions_can_be_announced(place):
    code = "def lengths(texts, spans):\n    return [[len(t), 1] for t in texts]\n"
    install(place, "made-code", "made_code", code, lengths="made_code:lengths")
    table = random_usages(5).table
    assert "lengths" in installed()
    np.testing.assert_array_equal(
        encode(table, "lengths")[:, 0], table["text"].str.len_chars().to_numpy()
    )
    assert load("lengths").fingerprint is None


BROKEN = {
    "import": ("raise RuntimeError('no\\nluck')", "cannot be loaded (RuntimeError: no luck)"),
    "attribute": ("", "cannot be loaded (AttributeError"),
    "kind": ("THING = 3", "leads to a int: it must lead to a folder"),
    "folder": ("THING = '/no/such/folder'", "leads to the folder /no/such/folder, which holds no"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_told_in_one_sentence(place, case):
    code, message = BROKEN[case]
    install(place, "made-broken", f"made_{case}", code, broken=f"made_{case}:THING")
    with pytest.raises(InputError) as told:
        load("broken")
    assert message in str(told.value)
    assert "package made-broken" in str(told.value)
    assert "\n" not in str(told.value)


def test_a_broken_package_stands_in_the_way_of_nothing_but_itself(model, place):
    install(place, "made-broken", "made_broken", "raise OSError", broken="made_broken:THING")
    with pytest.raises(InputError, match="'broken' of the package made-broken cannot be loaded"):
        load(language="zu")
    with pytest.warns(UserWarning, match="2 of 2 usages are not in the language"):
        encode(usages(GERMAN), "bundled", cache=False)
    install(place, "made-two", "made_two", folder_code(model), two="made_two:FOLDER")
    assert load(language="zu").name == "two"


def test_two_packages_with_one_name_are_told_of(model, place):
    for name in ("made_a", "made_b"):
        install(place, name, name, folder_code(model), two=f"{name}:FOLDER")
    with pytest.raises(InputError, match="made_a and made_b both announce an encoder 'two'"):
        load("two")


def test_our_own_names_stay_ours(model, place):
    install(place, "made-x", "made_x", folder_code(model), bundled="made_x:FOLDER")
    assert load("bundled").name.startswith("senseshift-en")
    assert "bundled" not in installed()
    with pytest.raises(InputError, match="made-x announces an encoder 'bundled', which is one of"):
        announced("bundled")


@pytest.mark.skipif(MULTILINGUAL.encoder in installed(), reason="it is installed")
def test_without_the_package_its_encoder_names_it():
    with pytest.raises(InputError, match="in the package senseshift-xx, which is not installed"):
        load("multilingual")
    with pytest.raises(InputError, match=r"'de': pip install senseshift-xx .*, or choose one"):
        load(language="de")


def test_the_package_is_what_we_say_of_it():
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == MULTILINGUAL.name
    assert list(project["entry-points"][GROUP]) == [MULTILINGUAL.encoder]
    folder = PACKAGE / "src" / "senseshift_xx" / "model"
    if not (folder / "model.onnx").is_file():
        pytest.skip("its weights are not here")
    settings = FolderSettings.read(folder)
    assert sorted(settings.languages) == sorted(MULTILINGUAL.languages)
    assert settings.calibration is not None
    assert settings.calibration.cut is not None
    assert json.loads((folder / "senseshift.json").read_text())["max_length"] >= 64


def test_the_bundled_encoder_knows_what_is_said_of_it():
    from senseshift.encoders.language import DEFAULT_KNOWS

    assert load("bundled").languages == (DEFAULT_KNOWS,)
