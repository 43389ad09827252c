"""Which tensors and operations can be run when some placeholders are fed."""

from kiln.compat import v1 as tf


def kept(items, fed):
    """The tensors and operations that need no placeholder but those that are fed.

    Layers that are called in several models have losses and updates of each call.
    """
    items = list(items)
    if not items:
        return items
    given = {id(tensor) for tensor in fed}
    others = [
        operation
        for operation in tf.get_default_graph().get_operations()
        if operation.type == "Placeholder" and id(operation.outputs[0]) not in given
    ]
    if not others:
        return items
    behind, stack = set(others), list(others)
    while stack:
        for output in stack.pop().outputs:
            for consumer in output.consumers():
                if consumer not in behind:
                    behind.add(consumer)
                    stack.append(consumer)
    return [item for item in items if _operation(item) not in behind]


def _operation(item):
    return item if isinstance(item, tf.Operation) else item.op
