"""From usages to vectors: encoders, precomputed vectors, and the cache between them.

``encode`` is the one call for most people; ``load`` makes the encoder it uses. Models and their
libraries are imported when they are asked for.
"""

from senseshift.encoders.cache import Cache, CachedEncoder, CacheReport
from senseshift.encoders.encoding import encode
from senseshift.encoders.precomputed import Precomputed, read_vectors, write_vectors
from senseshift.encoders.protocol import Encoder
from senseshift.encoders.resolve import load

__all__ = [
    "Cache",
    "CacheReport",
    "CachedEncoder",
    "Encoder",
    "Precomputed",
    "encode",
    "load",
    "read_vectors",
    "write_vectors",
]
