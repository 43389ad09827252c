"""Files: what tf.gfile, tf.io.gfile, tf.python_io and tensorflow.python.lib.io share."""
