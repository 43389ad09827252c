"""tf.contrib.predictor: SavedModels and estimators as functions of arrays.

    predict = tf.contrib.predictor.from_saved_model("/tmp/model/1574")
    predict({"x": [[1.0, 2.0]]})
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.predictor._predictors import (
    Predictor as Predictor,
    from_estimator as from_estimator,
    from_saved_model as from_saved_model,
)

__getattr__, __dir__ = _forwarding(__name__, "")
