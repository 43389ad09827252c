"""tf.contrib.tensorboard: what TensorBoard's plug-ins read."""
