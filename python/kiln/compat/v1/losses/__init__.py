"""tf.losses: losses with weights, which the graph's collections keep."""

from kiln.compat.v1.losses._losses import *
from kiln.compat.v1.losses._reduction import Reduction as Reduction
from kiln.compat.v1.losses._sums import (
    add_loss as add_loss,
    get_losses as get_losses,
    get_regularization_loss as get_regularization_loss,
    get_regularization_losses as get_regularization_losses,
    get_total_loss as get_total_loss,
)
