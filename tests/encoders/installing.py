"""Real distributions in a folder: what ``pip install`` leaves behind, without pip."""

from __future__ import annotations

from pathlib import Path


def install(place: Path, name: str, module: str, code: str, **encoders: str) -> None:
    """A package with one module, and the entry points by which it announces encoders."""
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{module}.py").write_text(code, encoding="utf-8")
    info = place / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    points = "".join(f"{key} = {value}\n" for key, value in encoders.items())
    (info / "entry_points.txt").write_text(f"[senseshift.encoders]\n{points}")


def folder_code(folder: Path) -> str:
    """A module that knows where an encoder's folder is."""
    return f"from pathlib import Path\nFOLDER = Path({str(folder)!r})\n"
