"""TensorFlow's tools for graphs: tensorflow.python.tools."""
