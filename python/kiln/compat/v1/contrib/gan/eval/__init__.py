"""tf.contrib.gan.eval: images and summaries of models, and scores of generated images.

| looking for | it is in |
| --- | --- |
| image_grid, image_reshaper | `eval_utils.py` |
| add_gan_model_summaries and its kin | `summaries.py` |
| classifier_score, frechet_classifier_distance | `classifier_metrics.py` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.gan.eval.classifier_metrics import *
from kiln.compat.v1.contrib.gan.eval.eval_utils import *
from kiln.compat.v1.contrib.gan.eval.summaries import *

__getattr__, __dir__ = _forwarding(__name__, "")
