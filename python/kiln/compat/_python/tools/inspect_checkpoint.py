"""Shows what a checkpoint holds."""

import math
import re

from kiln.compat import v1 as tf


def print_tensors_in_checkpoint_file(
    file_name, tensor_name, all_tensors, all_tensor_names=False, count_exclude_pattern=""
):
    """Prints names, dtypes and shapes, with all_tensors the values too; or one tensor; or a summary.

    count_exclude_pattern: a regular expression of what the number of parameters leaves out. An
    error of the file is printed.
    """
    try:
        reader = tf.train.NewCheckpointReader(file_name)
        shapes, dtypes = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
        if not (all_tensors or all_tensor_names or tensor_name):
            print(reader.debug_string().decode("utf-8", errors="ignore"))
        elif not (all_tensors or all_tensor_names) and tensor_name not in shapes:
            print(f"Tensor {tensor_name} not found in checkpoint")
            return
        else:
            shown = sorted(shapes) if all_tensors or all_tensor_names else [tensor_name]
            for name in shown:
                print(f"tensor: {name} ({dtypes[name].name}) {shapes[name]}")
                if all_tensors or not all_tensor_names:
                    print(reader.get_tensor(name))
        print(f"# Total number of params: {_count(shapes, count_exclude_pattern)}")
    except (tf.errors.OpError, ValueError) as error:
        print(error)


def _count(shapes, without):
    sizes = {name: math.prod(shape) for name, shape in shapes.items()}
    left_out = [size for name, size in sizes.items() if without and re.search(without, name)]
    if without:
        print(
            f"# Excluding {len(left_out)} tensors ({sum(left_out)} params) that match {without} "
            "when counting."
        )
    return sum(sizes.values()) - sum(left_out)
