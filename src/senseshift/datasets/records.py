"""The data sets that can be fetched, each by its record on Zenodo."""

from __future__ import annotations

from dataclasses import dataclass

from senseshift.errors import InputError

_DWUG = (
    "Schlechtweg, Tahmasebi, Hengchen, Dubossarsky and McGillivray (2021). DWUG: A large resource "
    "of diachronic word usage graphs in four languages. EMNLP."
)
_MORE = (
    "Schlechtweg, Cassotti, Noble, Alfter, Schulte im Walde and Tahmasebi (2024). More DWUGs: "
    "Extending and evaluating word usage graph datasets in multiple languages. EMNLP."
)


@dataclass(frozen=True)
class Dataset:
    """A data set: what it is called, where it lies, and what to cite."""

    name: str
    record: int
    version: str | None
    says: str
    papers: tuple[str, ...] = ()
    licence: str | None = None  # where it is known without asking the record

    @property
    def folder(self) -> str:
        """What its folder is called, in its archive and by default here."""
        return self.name.replace("-", "_")

    @property
    def file(self) -> str:
        """What its archive is called."""
        return f"{self.folder}.zip"


DATASETS = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "dwug-en", 14028531, "3.0.0", "English word usage graphs, two periods",
            (_DWUG, _MORE), "CC BY-ND 4.0",
        ),
        Dataset(
            "dwug-es", 6433667, "4.0.0", "Spanish word usage graphs, two periods",
            ("Zamora-Reina, Bravo-Marquez and Schlechtweg (2022). LSCDiscovery: A shared task on "
             "semantic change discovery and detection in Spanish. LChange.",),
        ),
        Dataset("dwug-de", 14028509, "3.0.0", "German word usage graphs, two periods",
                (_DWUG, _MORE)),
        Dataset("dwug-sv", 14028906, "3.0.0", "Swedish word usage graphs, two periods",
                (_DWUG, _MORE)),
        Dataset("dwug-la", 5255228, None, "Latin word usage graphs, two periods", (_DWUG,)),
        Dataset(
            "chiwug", 10023263, None, "Chinese word usage graphs, two periods",
            ("Chen, Chersoni, Schlechtweg, Prokić and Huang (2023). ChiWUG: A graph-based "
             "evaluation dataset for Chinese lexical semantic change detection. LChange.",),
        ),
        Dataset(
            "discowug", 5791125, None, "German word usage graphs of discovered changes",
            ("Kurtyigit, Park, Schlechtweg, Kuhn and Schulte im Walde (2021). Lexical semantic "
             "change discovery. ACL.",),
        ),
        Dataset("refwug", 5791269, None, "German word usage graphs, annotated for reference"),
        Dataset(
            "durel", 5784453, None, "German usage pairs, two periods",
            ("Schlechtweg, Schulte im Walde and Eckmann (2018). Diachronic usage relatedness "
             "(DURel): A framework for the annotation of lexical semantic change. NAACL.",),
        ),
        Dataset(
            "surel", 5784569, None, "German usage pairs, general and special language",
            ("Hätty, Schlechtweg and Schulte im Walde (2019). SURel: A gold standard for "
             "incorporating meaning shifts into term extraction. *SEM.",),
        ),
    )
}  # fmt: skip


def by_name(name: str) -> Dataset:
    """A data set by its name, dashes or underscores."""
    found = DATASETS.get(name.strip().lower().replace("_", "-"))
    if found is None:
        raise InputError(f"There is no data set {name!r}; there are {', '.join(DATASETS)}.")
    return found
