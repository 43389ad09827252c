"""Programs of tf.keras; keras_programs.py says what they are."""
