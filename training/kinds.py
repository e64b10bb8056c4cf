"""Where a usage comes from."""

IN_TEXT, EXAMPLE, GLOSS, BARE, WEBSTER, WRITTEN, READ = range(7)
