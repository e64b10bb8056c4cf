"""The house as CONTRIBUTING draws it: who imports whom, how long modules are, what is declared."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "senseshift"
MODULES = sorted(SOURCE.rglob("*.py"))

# From left to right: a room imports only from rooms before it. One that is not built yet waits.
ROOMS = [
    "errors", "_version", "places", "locks", "writing", "reading", "folders", "progress", "workers",
    "storage", "executors",
    "usages", "corpus", "vectors", "calibration", "encoders", "datasets",
    "transport", "resampling", "measures", "senses", "shift",
    "projection", "colours", "formats", "study", "findings", "comparing", "discovering",
    "evaluation", "figures", "notebook", "report", "demo", "sample", "cli", "__main__", "__init__",
]  # fmt: skip

# The only ones that reach to the right, when they are called and never at import.
WHEN_CALLED = {
    ("study", "notebook"): "a study's methods show a word in a notebook",
    ("study", "comparing"): "relabelling makes a study's findings anew",
    ("study", "findings"): "a study tells what was found of a word",
    ("evaluation", "figures"): "a reproduction draws its figures when it is written",
}


def imports(module):
    """All that a module imports, anywhere in it: the dotted name, and whether at once."""
    tree = ast.parse(module.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            yield from ((start + alias.name, node in tree.body) for alias in node.names)


def test_nothing_further_right_is_imported_by_anything_further_left():
    place = {name: number for number, name in enumerate(ROOMS)}
    reaching = set()
    for module in MODULES:
        where = module.relative_to(SOURCE)
        here = where.parts[0].removesuffix(".py")
        assert here in place, (
            f"{where} is in no room that is known: put {here} into ROOMS, to the right of "
            "everything that it imports."
        )
        for name, at_once in imports(module):
            package, _, rest = name.partition(".")
            there = rest.partition(".")[0] or "__init__"
            if package == "senseshift" and place.get(there, len(ROOMS)) > place[here]:
                reaching.add((here, there))
                assert (here, there) in WHEN_CALLED, (
                    f"{where} imports {name}, and {there} is not to the left of {here}."
                )
                assert not at_once, f"{where} imports {name} before it is called."
    assert reaching == set(WHEN_CALLED), "An exception that nothing needs is still in the list."


def test_modules_can_be_read_in_one_sitting():
    lines = {str(m.relative_to(SOURCE)): len(m.read_text("utf-8").splitlines()) for m in MODULES}
    assert {name: count for name, count in lines.items() if count > 360} == {}
    assert median(lines.values()) <= 130


def test_what_is_imported_is_declared_and_what_is_declared_is_imported():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    def names(requirements):
        return {re.match(r"[\w.-]+", line)[0].lower() for line in requirements}

    base = names(project["dependencies"])
    extras = {name: names(of) for name, of in project["optional-dependencies"].items()}
    extra = set().union(*(of for name, of in extras.items() if name != "dev"))
    packages = {name.partition(".")[0] for module in MODULES for name, _ in imports(module)}
    packages -= {"senseshift", *sys.stdlib_module_names}
    distributions = packages_distributions()
    used = {distributions.get(package, [package])[0].lower() for package in packages}
    assert used - base - extra == set(), "What is imported must stand in pyproject.toml."
    assert base - used == set(), "What nothing imports need not stand in pyproject.toml."
