"""Of tensorflow.python.training."""
