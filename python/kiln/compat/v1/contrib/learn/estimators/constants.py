"""Kinds of problems that models solve."""


class ProblemType:
    """What a model predicts. Source: tf.contrib.learn.ProblemType."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3
