"""Of tensorflow.python.eager."""
