"""Of tensorflow.python.platform."""
