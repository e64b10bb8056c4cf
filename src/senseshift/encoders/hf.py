"""Any Hugging Face encoder: the mean of the target's token states, from the layers chosen."""

from __future__ import annotations

from collections.abc import Sequence

from senseshift.encoders.hub import called, extra, model_folder
from senseshift.encoders.protocol import Span, Vectors, fingerprint_of
from senseshift.encoders.tokens import checked_length, cut, pool
from senseshift.encoders.torch_model import TorchModel
from senseshift.errors import InputError


class HfEncoder:
    """Mean of the target's token states in a model of ``transformers``.

    Parameters
    ----------
    model
        A folder, or a name on the hub.
    layers
        The hidden layer to take (0 are the embeddings, −1 is the last), or several to average.
    batch_size
        Usages the model reads at once.
    threads
        For the CPU; torch's choice by default.
    offline
        Never reach the network.
    precise
        On the CPU in float32, even where there is a GPU.
    """

    def __init__(
        self,
        model: str,
        *,
        layers: int | Sequence[int] | None = None,
        batch_size: int = 32,
        threads: int | None = None,
        offline: bool = False,
        precise: bool = False,
    ) -> None:
        self.name = called("hf", model)
        extra("torch", self.name)
        folder = model_folder(model, offline=offline)
        self.torch_model = TorchModel(folder, name=self.name, threads=threads, precise=precise)
        self.layers = _layers(layers, self.torch_model.layers, self.name)
        self.batch_size = batch_size
        self.dimension = self.torch_model.dimension
        self.max_length = checked_length(
            self.torch_model.max_length, self.torch_model.tokenizer, self.name
        )
        settings = {
            "method": "hf target mean 1",
            "content": self.torch_model.content,
            "layers": self.layers or [self.torch_model.layers],
            "max_length": self.max_length,
        }
        self.fingerprint = fingerprint_of(settings)

    def encode(self, texts: Sequence[str], spans: Sequence[Span]) -> Vectors:
        """One row for each text: the mean of its target's tokens."""
        pieces = cut(self.torch_model.tokenizer, texts, spans, self.max_length)
        return pool(
            pieces,
            self.torch_model.pad_id,
            self.batch_size,
            self.dimension,
            lambda batch: self.torch_model.run(batch, self.layers),
        )


def _layers(layers: int | Sequence[int] | None, count: int, name: str) -> list[int] | None:
    """The layers counted from the embeddings, without signs; None for the last alone."""
    if layers is None:
        return None
    chosen = [layers] if isinstance(layers, int) else list(layers)
    if not chosen:
        raise InputError(f"No layers of {name} were chosen: give one at least, or none for last.")
    for layer in chosen:
        if not -count - 1 <= layer <= count:
            raise InputError(
                f"The encoder {name} has no layer {layer}: it has 0 (the embeddings) to {count}, "
                "or −1 (the last) and so on backwards."
            )
    plain = [layer % (count + 1) for layer in chosen]
    return None if plain == [count] else plain
