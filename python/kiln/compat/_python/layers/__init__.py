"""Of tensorflow.python.layers."""
