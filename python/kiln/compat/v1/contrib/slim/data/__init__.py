"""tensorflow.contrib.slim.python.slim.data: data sets, decoders of examples, readers."""
