"""Results of ops with several outputs, some of which are lists."""


def grouped(operation, lengths):
    """The outputs of an operation, one by one or as lists.

    lengths: for each output None, or the name of the attribute that tells how
    many tensors it has (a number) or their types (a list).
    """
    from kiln._kiln import front as _c

    outputs, results, at = operation.outputs, [], 0
    for attribute in lengths:
        if attribute is None:
            results.append(outputs[at])
            at += 1
            continue
        value = _c.attribute(operation, attribute)
        count = value if isinstance(value, int) else len(value)
        results.append(outputs[at : at + count])
        at += count
    return results
