"""The mean of the weights of several encoders that began alike.

    python training/average.py work/m1.pt work/m2.pt work/m.pt

Runs from the same base with other batches end near each other; between them lies a better encoder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch


def main() -> None:
    """Write the mean."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("weights", type=Path, nargs="+")
    arguments.add_argument("output", type=Path)
    given = arguments.parse_args()
    found = [torch.load(path, weights_only=True, map_location="cpu") for path in given.weights]
    mean = {name: sum(one[name].float() for one in found) / len(found) for name in found[0]}
    torch.save({name: weight.half() for name, weight in mean.items()}, given.output)


if __name__ == "__main__":
    main()
