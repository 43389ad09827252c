# Writes the ops that TensorFlow 2.21 has a gradient for ("yes") or says are not differentiable ("no"), one a line:
# python list_gradients.py > gradients.txt
import importlib

import tensorflow as tf
from tensorflow.python.framework import ops

for module in ("linalg_grad", "rnn_grad", "sparse_grad", "cudnn_rnn_grad", "signal.fft_ops"):
    importlib.import_module("tensorflow.python.ops." + module)
tf.compat.v1.disable_v2_behavior()
registry = ops.gradient_registry
for name in sorted(registry.list()):
    print(name, "no" if registry.lookup(name) is None else "yes")
