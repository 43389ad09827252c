"""tf.keras.applications.resnet50: the older name of tf.keras.applications.resnet."""

from kiln.compat.v1.keras.applications.resnet import (
    ResNet50 as ResNet50,
    decode_predictions as decode_predictions,
    preprocess_input as preprocess_input,
)
