"""A transformers model with its tokenizer, loaded, hashed and run: what hf and xl-lexeme share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senseshift.encoders.hub import check_folder, extra
from senseshift.encoders.protocol import Vectors
from senseshift.encoders.tokens import Batch, positions, shortest
from senseshift.errors import InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# These say where and by what a model was saved, not what it computes.
INCIDENTAL = {"_name_or_path", "transformers_version", "dtype", "torch_dtype", "architectures"}


class TorchModel:
    """A model on the GPU in float16 if there is one, else (or if precise) on the CPU in float32.

    Attributes
    ----------
    tokenizer
        The fast tokenizer, neither truncating nor padding.
    max_length
        Tokens it can read, special ones included, by tokenizer and configuration.
    dimension, layers
        Length of its states; number of its hidden layers.
    pad_id
        Id of the padding token.
    module
        The model itself.
    content
        Hash of weights, configuration, tokenizer and precision.
    """

    def __init__(
        self, folder: Path, *, name: str, threads: int | None = None, precise: bool = False
    ) -> None:
        self._torch = extra("torch", name)
        transformers = extra("transformers", name)
        self._threads = threads
        self._device, kind = ("cpu", self._torch.float32) if precise else device(self._torch)
        check_folder(folder)
        with _quiet(transformers):
            tokenizer, model, missing = _load(transformers, folder, kind)
            self.tokenizer = _fast(tokenizer, folder)
        # Heads that vectors do not pass through may be missing; any other part would be random.
        random = sorted(key for key in missing if "pooler" not in key)
        if random:
            raise InputError(
                f"The weights in {folder} lack {random[0]} ({len(random)} missing in all): it "
                "would be random; give the folder of a whole model."
            )
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        config = model.config.to_dict()
        self.max_length = shortest(tokenizer.model_max_length, positions(config))
        self.pad_id = int(tokenizer.pad_token_id or 0)
        self.content = _content(model, set(missing), config, self.tokenizer, str(kind))
        if model.config.is_encoder_decoder:
            model = model.get_encoder()
        self.dimension = int(model.config.hidden_size)
        self.layers = int(model.config.num_hidden_layers)
        self.module = model.eval().to(self._device)

    def run(self, batch: Batch, layers: Sequence[int] | None = None) -> Vectors:
        """Weighted means of the states of the last layer, or of the mean of several layers."""
        torch = self._torch
        feeds = {"input_ids": batch.ids, "attention_mask": batch.mask}
        if batch.types.any():
            feeds["token_type_ids"] = batch.types
        with self._limited(), torch.inference_mode():
            tensors = {key: torch.from_numpy(value) for key, value in feeds.items()}
            tensors = {key: value.to(self._device) for key, value in tensors.items()}
            output = self.module(**tensors, output_hidden_states=layers is not None)
            if layers is None:
                states = output.last_hidden_state.float()
            else:
                chosen = [output.hidden_states[layer].float() for layer in layers]
                states = torch.stack(chosen).mean(dim=0)
            weights = torch.from_numpy(batch.weights).to(self._device)
            # Padding may have states that are not finite, which a weight of zero would not undo.
            states = states.masked_fill(weights[:, :, None] == 0, 0.0)
            vectors: Vectors = torch.einsum("bt,btd->bd", weights, states).cpu().numpy()
        return vectors

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """The number of threads asked for; torch knows one for the whole process only."""
        before = self._torch.get_num_threads()
        if self._threads is not None:
            self._torch.set_num_threads(self._threads)
        try:
            yield
        finally:
            self._torch.set_num_threads(before)


def device(torch: Any) -> tuple[str, Any]:
    """Where to run and in which precision: halved on a GPU, where that is twice as fast."""
    return ("cuda", torch.float16) if torch.cuda.is_available() else ("cpu", torch.float32)


def _load(transformers: Any, folder: Path, kind: Any) -> tuple[Any, Any, set[str]]:
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model, info = transformers.AutoModel.from_pretrained(
            folder, dtype=kind, local_files_only=True, output_loading_info=True
        )
    except Exception as error:  # Of transformers, safetensors or torch: no common base.
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"The model in {folder} cannot be loaded: {reason}") from error
    return tokenizer, model, set(info["missing_keys"])


def _fast(tokenizer: Any, folder: Path) -> Tokenizer:
    """The model's ``tokenizer.json`` as it is, where there is one.

    transformers 5 builds the tokenizers of some models anew from their vocabulary and leaves out
    what else the file says: XLM-R loses its Unicode normalisation, and with it its vectors.
    """
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    if path.is_file():
        fast = Tokenizer.from_file(str(path))
        # Tokens added later may stand in another file, which transformers has read.
        for number, token in sorted(tokenizer.added_tokens_decoder.items()):
            if fast.token_to_id(token.content) is None:
                fast.add_tokens([token])
            if fast.token_to_id(token.content) != number:
                raise InputError(
                    f"The token {token.content} has the id {number} in the settings in {folder}, "
                    f"but {fast.token_to_id(token.content)} in tokenizer.json: save it anew."
                )
        return fast
    if getattr(tokenizer, "backend_tokenizer", None) is None:
        raise InputError(
            f"The model in {folder} has no fast tokenizer, which knows the characters of its "
            "tokens: save it with its tokenizer.json."
        )
    backend: Tokenizer = tokenizer.backend_tokenizer
    return backend


def _content(
    model: Any, missing: set[str], config: dict[str, Any], tokenizer: Tokenizer, kind: str
) -> str:
    total = hashlib.blake2b(digest_size=16)
    kept = {key: value for key, value in config.items() if key not in INCIDENTAL}
    total.update(json.dumps([kind, kept], sort_keys=True, default=str).encode())
    total.update(tokenizer.to_str().encode())
    for key, tensor in sorted(model.state_dict().items()):
        if key not in missing:
            total.update(f"{key} {tuple(tensor.shape)} ".encode())
            total.update(tensor.contiguous().reshape(-1).numpy().data)
    return total.hexdigest()


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """No bars and reports on the terminal while loading; what matters is raised as an error."""
    logging = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
