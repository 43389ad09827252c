"""Paths as tf.gfile takes them, with the scheme file:// or none; and patterns of them."""

import functools
import os
import re

from kiln import errors
from kiln.compat.v1 import compat

_SCHEME = re.compile("([a-zA-Z][0-9a-zA-Z.]*)://")
_HOST = re.compile("[^/]*")


def local(path):
    """Returns a path as text without its scheme.

    Errors: TypeError for what is no path; UnimplementedError for a scheme other than file.
    """
    text = os.fsdecode(compat.path_to_bytes(path))
    scheme = _SCHEME.match(text)
    if not scheme:
        return text
    if scheme[1] != "file":
        message = f"File system scheme '{scheme[1]}' not implemented (file: '{text}')"
        raise errors.UnimplementedError(None, None, message)
    return text[_HOST.match(text, scheme.end()).end() :]


@functools.lru_cache(maxsize=64)
def _regular_expression(pattern):
    """Returns what a pattern means; None where a bracket is not closed, which matches nothing.

    "*" and "?" stand for characters other than "/", also for a dot at the beginning;
    "[a-c]", "[!a]" and "[^a]" for one of, or none of, some; a backslash takes the next
    character for itself.
    """
    parts = []
    at = 0
    while at < len(pattern):
        c = pattern[at]
        at += 1
        if c == "*":
            parts.append("[^/]*")
        elif c == "?":
            parts.append("[^/]")
        elif c == "\\" and at < len(pattern):
            parts.append(re.escape(pattern[at]))
            at += 1
        elif c == "[":
            choice, at = _choice(pattern, at)
            if choice is None:
                return None
            parts.append(choice)
        else:
            parts.append(re.escape(c))
    return re.compile("".join(parts), re.DOTALL)


def _choice(pattern, at):
    """Returns the expression of a bracket that begins before a place, and the place behind it."""
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    items = []
    first = True
    while at < len(pattern) and (first or pattern[at] != "]"):
        first = False
        if pattern[at] == "\\" and at + 1 < len(pattern):
            at += 1
        low = high = pattern[at]
        at += 1
        if pattern[at : at + 1] == "-" and pattern[at + 1 : at + 2] not in ("", "]"):
            at += 1
            if pattern[at] == "\\" and at + 1 < len(pattern):
                at += 1
            high = pattern[at]
            at += 1
        if low <= high:
            items.append(f"{re.escape(low)}-{re.escape(high)}")
    if at >= len(pattern):
        return None, at
    inside = "".join(items)
    if negated:
        return f"(?!/)[^{inside}]" if inside else "[^/]", at + 1
    return f"(?!/)[{inside}]" if inside else "(?!)", at + 1


def matches(path, pattern):
    """Tells whether a path is one that a pattern means."""
    expression = _regular_expression(pattern)
    return expression is not None and expression.fullmatch(path) is not None


def _folder(path):
    """Returns what is before the last slash: "" without one, "/" where it comes first."""
    at = path.rfind("/")
    return path[: max(at, 1)] if at >= 0 else ""


def _joined(folder, name):
    return folder + name if folder.endswith("/") else f"{folder}/{name}"


def _prefixes(pattern):
    """Returns the pattern and the folders above it, from the outermost on."""
    found = []
    if pattern.endswith("/"):
        pattern = _folder(pattern)
    while pattern and (not found or pattern != found[-1]):
        found.append(pattern)
        pattern = _folder(pattern)
    return found[::-1]


def matching(pattern):
    """Returns the paths that a pattern means, in the order in which the system lists folders.

    A pattern whose first name has wildcards means paths that begin with "./". A "*" does
    not reach across a "/". Source: tf.gfile.Glob.
    """
    local(pattern)  # or it is an error with the whole pattern
    wildcard = re.search(r"[*?\[\\]", pattern)
    if wildcard and not _folder(pattern[: wildcard.start()]):
        pattern = "./" + pattern
    levels = _prefixes(pattern)
    first = next((i for i, level in enumerate(levels) if re.search(r"[*?\[\\]", level)), None)
    if first is None:
        return [pattern] if pattern and os.path.exists(local(pattern)) else []
    found = [levels[first - 1]]
    for i in range(first, len(levels)):
        folders, found = found, []
        for folder in folders:
            try:
                names = os.listdir(local(folder))
            except OSError:
                continue
            paths = (_joined(folder, name) for name in names)
            found += [path for path in paths if matches(path, levels[i])]
    return found
