"""Names of predictions. Source: tf.contrib.learn.PredictionKey."""


class PredictionKey:
    """The names that predictions have."""

    CLASSES = "classes"
    PROBABILITIES = "probabilities"
    LOGITS = "logits"
    LOGISTIC = "logistic"
    SCORES = "scores"
    TOP_K = "top_k"
    GENERIC = "output"
