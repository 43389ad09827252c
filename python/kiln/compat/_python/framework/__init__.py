"""Of tensorflow.python.framework."""
