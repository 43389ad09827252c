"""tf.contrib.slim.model_analyzer: the sizes of operations and variables."""

__all__ = ["analyze_ops", "analyze_vars", "tensor_description"]


def tensor_description(var):
    """The dtype and shape of a tensor, as "(float32 3x4)". Source: tf.contrib.slim.model_analyzer."""
    extents = "x".join(str(extent) for extent in var.get_shape())
    return f"({var.dtype.name} {extents})"


def _title(print_info, text):
    if print_info:
        print("---------", text, "---------", sep="\n")


def analyze_ops(graph, print_info=False):
    """The number of elements of all outputs in a graph. Source: tf.contrib.slim.model_analyzer.analyze_ops."""
    _title(print_info, "Operations: name -> (type shapes) [size]")
    total = 0
    for op in graph.get_operations():
        size = sum(output.get_shape().num_elements() or 0 for output in op.outputs)
        if print_info:
            shapes = [tensor_description(output) for output in op.outputs if output.get_shape()]
            print(op.name, "\t->", ", ".join(shapes), f"[{size}]")
        total += size
    return total


def analyze_vars(variables, print_info=False):
    """The number of elements and bytes of variables. Source: tf.contrib.slim.model_analyzer.analyze_vars."""
    _title(print_info, "Variables: name (type shape) [size]")
    total_size = total_bytes = 0
    for var in variables:
        # What has an unknown extent counts nothing.
        size = var.get_shape().num_elements() or 0
        of_bytes = size * var.dtype.size
        total_size += size
        total_bytes += of_bytes
        if print_info:
            print(var.name, tensor_description(var), "[%d, bytes: %d]" % (size, of_bytes))
    if print_info:
        print("Total size of variables: %d" % total_size)
        print("Total bytes of variables: %d" % total_bytes)
    return total_size, total_bytes
