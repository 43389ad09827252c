"""tf.contrib.stateless: random numbers that a seed alone determines."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, __dir__ = _forwarding(
    __name__,
    """
    stateless_multinomial=random.stateless_multinomial
    stateless_random_normal=random.stateless_normal
    stateless_random_uniform=random.stateless_uniform
    stateless_truncated_normal=random.stateless_truncated_normal
    """,
)
