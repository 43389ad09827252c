"""Of tensorflow.python.autograph."""
