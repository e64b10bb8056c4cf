from clusters import crew  # noqa: F401
