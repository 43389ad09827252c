"""Files of models and their weights: HDF5, checkpoints of TensorFlow."""
