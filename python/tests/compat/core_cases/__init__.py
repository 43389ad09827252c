"""What TensorFlow makes of the core's functions: see core_graphs.py."""
