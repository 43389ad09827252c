"""tf.metrics: sums over many batches in local variables, and what they come to."""

from kiln.compat.v1.metrics._counts import *
from kiln.compat.v1.metrics._means import *
from kiln.compat.v1.metrics._ranks import *
from kiln.compat.v1.metrics._thresholds import *
