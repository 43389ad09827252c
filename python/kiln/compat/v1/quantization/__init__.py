"""Numbers of few bits: tf.quantization."""

from kiln.compat.v1._quantization_ops import (
    dequantize, fake_quant_with_min_max_args, fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars, fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel, fake_quant_with_min_max_vars_per_channel_gradient,
    quantize, quantize_and_dequantize, quantized_concat,
)  # fmt: skip

__all__ = [
    "dequantize", "fake_quant_with_min_max_args", "fake_quant_with_min_max_args_gradient",
    "fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars_gradient",
    "fake_quant_with_min_max_vars_per_channel", "fake_quant_with_min_max_vars_per_channel_gradient",
    "quantize", "quantize_and_dequantize", "quantized_concat",
]  # fmt: skip
