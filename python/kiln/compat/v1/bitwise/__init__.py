"""Operations on bits: tf.bitwise."""

from kiln._generated.raw_ops import (
    bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift,
)  # fmt: skip

__all__ = [
    "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift",
]  # fmt: skip
