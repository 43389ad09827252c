"""How often a module warns of a deprecated name."""

_PER_MODULE_WARNING_LIMIT = 1
