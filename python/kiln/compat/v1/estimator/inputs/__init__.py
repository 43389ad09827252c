"""tf.estimator.inputs: input functions of arrays and data frames."""

from kiln.compat.v1.estimator.inputs._functions import *
