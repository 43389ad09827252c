"""What is made of weighted losses."""


class Reduction:
    """What the sum of weighted losses is divided by.

    NONE: there is no sum. SUM: nothing. MEAN: the sum of the weights. SUM_OVER_BATCH_SIZE: the
    number of losses. SUM_BY_NONZERO_WEIGHTS: the number of those whose weight is not 0. Source:
    tf.losses.Reduction.
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls):
        return (
            cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )  # fmt: skip

    @classmethod
    def validate(cls, key):
        """Errors: ValueError for another key."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}. Key should be one of {cls.all()}.")
