"""Delta debugging: drops runs, fetches, feeds and statements as long as the program still fails alike."""

import copy

from compare import Difference, compare
from program import PLACEHOLDERS, all_blocks


def lists_of(program):
    """The lists of which elements may be dropped, the coarsest first."""
    lists = [program.runs]
    lists += [block.statements for block in all_blocks(program.body)]
    lists += [run.fetches for run in program.runs]
    lists += [statement.options["controls"] for statement in program.body.statements if "controls" in statement.options]
    return lists


def attempts(program):
    """What may be dropped: which list, where it begins and how much, large pieces first."""
    found = []
    for which, items in enumerate(lists_of(program)):
        size = len(items)
        while size:
            found += [(which, begin, size) for begin in range(0, len(items), size)]
            size //= 2
    return found


def without(program, which, begin, size):
    changed = copy.deepcopy(program)
    del lists_of(changed)[which][begin:begin + size]
    return changed


def fails_alike(program, difference):
    try:
        came = compare(program)
    except Exception:  # not a program any more
        return None
    return came if isinstance(came, Difference) and came.kind == difference.kind else None


def feeds_of(program):
    return [(index, name) for index, run in enumerate(program.runs) for name in run.feeds if name not in PLACEHOLDERS]


def without_feed(program, index, name):
    changed = copy.deepcopy(program)
    del changed.runs[index].feeds[name]
    return changed


def passes(program):
    """The changes that one pass tries: pieces of lists, then feeds of what is computed."""
    return [(without, attempt) for attempt in attempts(program)] + [(without_feed, feed) for feed in feeds_of(program)]


def reduced(program, difference):
    """The smallest program that was found, and its difference."""
    shrinks = True
    while shrinks:
        shrinks, position = False, 0
        while position < len(changes := passes(program)):
            change, what = changes[position]
            changed = change(program, *what)
            if came := fails_alike(changed, difference):
                program, difference, shrinks = changed, came, True
            else:
                position += 1
    return program, difference
