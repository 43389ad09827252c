"""tf.contrib.tensorboard.plugins: the embedding projector."""
