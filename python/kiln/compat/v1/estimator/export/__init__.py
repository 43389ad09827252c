"""tf.estimator.export: what an exported model is fed, and what it gives."""

from kiln.compat.v1.estimator.export._outputs import *
from kiln.compat.v1.estimator.export._receivers import *
