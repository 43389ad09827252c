"""Cases of contrib_graphs.py, and what TensorFlow makes of them."""
