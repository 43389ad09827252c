"""tf.keras.preprocessing: sequences, texts and images made into arrays."""

from kiln.compat.v1.keras.preprocessing import image as image, sequence as sequence, text as text
