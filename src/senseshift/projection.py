"""Where usages lie on a map of two dimensions: near each other when their vectors are."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.vectors import unit

Method = Literal["auto", "tsne", "pca"]

# Above this t-SNE takes minutes; PCA is there at once.
MOST_FOR_TSNE = 3_000


def positions(
    vectors: ArrayLike, *, method: Method = "auto", perplexity: float = 30.0, seed: int = 0
) -> NDArray[np.float64]:
    """Place each vector on a map; the same vectors and seed give the same map.

    Parameters
    ----------
    vectors
        One row for each usage; only their directions count.
    method
        ``"tsne"``, ``"pca"``, or ``"auto"``: t-SNE for up to 3,000 usages and PCA beyond.
    perplexity
        Of t-SNE: about how many neighbours a usage keeps. Lowered where there are too few usages.
    seed
        Of t-SNE.

    Examples
    --------
    >>> import numpy as np
    >>> positions(np.eye(4)).shape
    (4, 2)
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    units = unit(np.asarray(vectors, dtype=np.float64), "vectors")
    # The steps are short: several threads wait for each other, many times as long as one needs.
    with threadpool_limits(1):
        flat = _principal(units)
        # Points of no extent, such as one sentence repeated, have no map that t-SNE could find.
        if (
            method == "pca"
            or (method == "auto" and len(units) > MOST_FOR_TSNE)
            or len(units) < 4
            or not np.ptp(flat) > 1e-9
        ):
            return flat
        from sklearn.manifold import TSNE

        tsne = TSNE(
            perplexity=min(perplexity, (len(units) - 1) / 3),
            init=flat / np.std(flat[:, 0]) * 1e-4,
            metric="cosine",
            random_state=seed,
        )
        placed: NDArray[np.float64] = tsne.fit_transform(units)
    return placed.astype(np.float64)


def _principal(units: NDArray[np.float64]) -> NDArray[np.float64]:
    """The vectors in the two directions in which they differ most; their signs are fixed."""
    centred = units - units.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    plane = np.zeros((2, units.shape[1]))
    plane[: min(2, len(axes))] = axes[:2]
    plane *= np.where(plane[np.arange(2), np.abs(plane).argmax(axis=1)] < 0, -1.0, 1.0)[:, None]
    flat: NDArray[np.float64] = centred @ plane.T
    return flat
