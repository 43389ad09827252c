"""The targets of sessions: this process, and the servers that were started in it."""

import collections

import kiln

# resources: the kiln.ResourceManager that sessions share; server_def: a ServerDef.
_Server = collections.namedtuple("_Server", ["resources", "server_def"])
_servers = {}
_HERE = ("", "local")


def _text(target):
    return target.decode() if isinstance(target, bytes) else target or ""


def add(target, resources, server_def):
    """Lets sessions name a server."""
    _servers[target] = _Server(resources, server_def)


def server_of(target):
    """The server that a session's target names; None for this process.

    Errors: UnimplementedError for what is in another one.
    """
    text = _text(target)
    if text in _HERE:
        return None
    if text not in _servers:
        raise kiln.errors.UnimplementedError(
            None,
            None,
            f"Kiln runs graphs in this process alone; the target {text!r} is another one. "
            "A tf.train.Server that was started in this process has a target that works.",
        )
    return _servers[text]
