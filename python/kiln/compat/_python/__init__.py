"""What only TensorFlow's private modules have: a file here holds the names of tensorflow.python at
the same path.

The table of kiln/compat/_aliases.py says where their other names come from.
"""
