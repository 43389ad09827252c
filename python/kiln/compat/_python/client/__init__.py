"""Of tensorflow.python.client."""
