"""Arithmetic on quantized numbers, whose ranges are arguments and results.

Each gives (its result, the minimum, the maximum) as its op does.
"""

from kiln._generated.raw_ops import quantized_avg_pool, quantized_conv2d, quantized_max_pool, quantized_relu_x

__all__ = ["quantized_avg_pool", "quantized_conv2d", "quantized_max_pool", "quantized_relu_x"]
