"""What layers and models of Keras are made of."""
