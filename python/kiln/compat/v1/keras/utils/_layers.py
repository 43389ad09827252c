"""What is done with whole models: their inputs, kernels, devices."""

import numpy as np

from kiln.compat.v1.keras import backend as K


def get_source_inputs(tensor, layer=None, node_index=None):
    """The inputs that a tensor of Keras is computed from: a list.

    Source: tf.keras.utils.get_source_inputs.
    """
    from kiln.compat.v1.keras._engine import _history

    if not _history.is_keras(tensor):
        return tensor
    if layer is None or node_index:
        layer, node_index, _ = tensor._keras_history
    node, sources = layer._inbound_nodes[node_index], []
    if not node.flat_inputs():
        return node.flat_outputs()
    for each in node.flat_inputs():
        for source in get_source_inputs(each):
            if all(source is not other for other in sources):
                sources.append(source)
    return sources


def convert_all_kernels_in_model(model):
    """Turns the kernels of convolutions round, as files of Theano have them.

    Source: tf.keras.utils.convert_all_kernels_in_model.
    """
    classes = {
        "Conv1D", "Conv2D", "Conv3D", "Convolution1D", "Convolution2D", "Convolution3D",
        "AtrousConvolution2D", "Deconvolution2D",
    }  # fmt: skip
    pairs = []
    for layer in model.layers:
        if type(layer).__name__ in classes:
            kernel = np.asarray(K.get_value(layer.kernel))
            axes = tuple(range(kernel.ndim - 2))
            pairs.append((layer.kernel, np.flip(kernel, axes).copy()))
    K.batch_set_value(pairs)


def multi_gpu_model(model, gpus, cpu_merge=True, cpu_relocation=False):
    """Errors: ValueError, since Kiln runs on CPUs. Source: tf.keras.utils.multi_gpu_model."""
    if isinstance(gpus, (list, tuple)):
        count, names = len(gpus), list(gpus)
    else:
        count, names = gpus, list(range(gpus))
    if count <= 1:
        raise ValueError(
            "For multi-gpu usage to be effective, call `multi_gpu_model` with `gpus >= 2`. "
            f"Received: `gpus={gpus}`"
        )
    wanted = ["/cpu:0", *(f"/gpu:{name}" for name in names)]
    raise ValueError(
        f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be "
        f"available: {wanted}. However this machine only has: ['/cpu:0']. Try reducing `gpus`."
    )
