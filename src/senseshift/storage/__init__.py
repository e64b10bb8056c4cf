"""Places to keep files in, on a disk or in an object store, that every worker can see."""

from senseshift.storage.folder import Folder

__all__ = ["Folder"]
