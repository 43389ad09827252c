"""Tags of a SavedModel's graphs."""

GPU = "gpu"
SERVING = "serve"
TPU = "tpu"
TRAINING = "train"
