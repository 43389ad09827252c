"""Of tensorflow.python.ops."""
