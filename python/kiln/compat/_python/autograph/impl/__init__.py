"""Of tensorflow.python.autograph.impl."""
