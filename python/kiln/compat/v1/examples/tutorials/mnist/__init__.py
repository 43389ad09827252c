"""tensorflow.examples.tutorials.mnist: a data set of handwritten digits, and a network for it."""

from kiln.compat.v1.examples.tutorials.mnist import input_data, mnist

__all__ = ["input_data", "mnist"]
