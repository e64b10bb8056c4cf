"""How the words of a study are measured, checked before any work is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, get_args

from senseshift.errors import InputError
from senseshift.measures import WORD, WordMeasure
from senseshift.measures.registry import chosen
from senseshift.measures.widid import MOST_UNASKED
from senseshift.transport.problem import Penalty, as_penalties
from senseshift.transport.solvers import Method
from senseshift.vectors import Weighting


@dataclass(frozen=True)
class Settings:
    """How the words of a study are measured.

    ``measures`` are names of word-level measures; ``asked`` says whether somebody chose them, so
    that the slow ones among them are computed however many usages a word has.
    """

    measures: tuple[str, ...]
    asked: bool
    rho: float | None
    lam: Penalty | None
    method: Method
    weights: Weighting
    damping: float
    r: float
    compat: bool
    permutations: int
    early: bool
    seed: int
    cost: str | None
    senses: str

    @classmethod
    def checked(
        cls,
        measures: Sequence[str] | None = None,
        *,
        rho: float | None = None,
        lam: Penalty | None = None,
        method: Method = "exact",
        weights: Weighting = "uniform",
        damping: float = 0.9,
        r: float = 0.5,
        compat: bool = False,
        permutations: int = 0,
        early: bool = True,
        seed: int = 0,
        cost: str | None = None,
        senses: str = "induced",
    ) -> Settings:
        """Settings that make sense; anything else is said at once, not after hours of encoding."""
        names = tuple(measure.name for measure in chosen(WORD, measures))
        if not names:
            raise InputError("There is nothing to measure: name at least one measure.")
        relative, first, second = as_penalties(rho, lam)
        for name, value, known in (
            ("method", method, ("exact", "mm")),
            ("weights", weights, get_args(Weighting)),
            ("cost", cost or "cosine", ("sense", "cosine")),
            ("senses", senses, ("induced", "given", "none")),
        ):
            if value not in known:
                raise InputError(f"The {name} {value!r} is not one of {', '.join(known)}.")
        if not 0.5 <= damping < 1.0:
            raise InputError(f"The damping is {damping}: it must be at least 0.5 and below 1.")
        if not 0.0 <= r <= 1.0:
            raise InputError(f"The share r is {r}: it must be between 0 and 1.")
        if permutations < 0:
            raise InputError(f"The number of permutations is {permutations}: it must be 0 or more.")
        raw: Penalty | None = None
        if relative is None:
            raw = first if first == second else (first, second)
        return cls(
            names, measures is not None, relative, raw, method, weights, damping, r, compat,
            permutations, early, seed, cost, senses,
        )  # fmt: skip

    @classmethod
    def recorded(cls, made: Mapping[str, Any]) -> Settings:
        """The settings that a study records; what it does not know of is as it is by default."""
        known = {field.name: made[field.name] for field in fields(cls) if field.name in made}
        return replace(cls.checked(), **known | {"measures": tuple(made["measures"])})

    @property
    def word_measures(self) -> list[WordMeasure]:
        """The word-level measures."""
        return chosen(WORD, self.measures)

    def clusters(self, usages: int) -> bool:
        """Whether WiDiD's clusters are wanted for a word with so many usages."""
        slow = any(measure.slow for measure in self.word_measures)
        return slow and (self.asked or usages <= MOST_UNASKED)

    def to_dict(self) -> dict[str, Any]:
        """As a study records them."""
        lam = list(self.lam) if isinstance(self.lam, tuple) else self.lam  # as JSON has it
        return asdict(self) | {"measures": list(self.measures), "lam": lam}
