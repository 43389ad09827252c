"""Of tensorflow.python.util."""
