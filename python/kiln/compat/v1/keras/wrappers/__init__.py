"""tf.keras.wrappers: models as other libraries want them."""

from kiln.compat.v1.keras.wrappers import scikit_learn as scikit_learn
