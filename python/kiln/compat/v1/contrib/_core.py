"""What tf.contrib takes of TensorFlow's private modules."""

from kiln.compat.v1.train._moving_averages import assign_moving_average

__all__ = ["assign_moving_average"]
