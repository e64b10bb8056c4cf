from clusters import crew, store  # noqa: F401
