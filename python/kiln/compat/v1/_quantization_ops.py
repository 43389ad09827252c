"""Numbers of few bits, and what rounding to them makes of floats: tf.quantization."""

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import (
    fake_quant_with_min_max_vars, fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel, fake_quant_with_min_max_vars_per_channel_gradient,
    quantized_concat,
)  # fmt: skip
from kiln.compat.v1._deprecations import deprecated

__all__ = [
    "dequantize", "fake_quant_with_min_max_args", "fake_quant_with_min_max_args_gradient",
    "fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars_gradient",
    "fake_quant_with_min_max_vars_per_channel", "fake_quant_with_min_max_vars_per_channel_gradient",
    "quantize", "quantize_v2", "quantized_concat",
]  # fmt: skip


def quantize(
    input,
    min_range,
    max_range,
    T,
    mode="MIN_COMBINED",
    round_mode="HALF_AWAY_FROM_ZERO",
    name=None,
):
    """(output, its minimum, its maximum): floats as numbers of a quantized dtype T.

    Source: tf.quantization.quantize.
    """
    return _raw.quantize_v2(input, min_range, max_range, T, mode, round_mode, name=name)


def quantize_v2(
    input,
    min_range,
    max_range,
    T,
    mode="MIN_COMBINED",
    name=None,
    round_mode="HALF_AWAY_FROM_ZERO",
):
    """The older form of tf.quantization.quantize(). Source: tf.quantize_v2."""
    deprecated(
        "ops.array_ops.quantize_v2",
        "`tf.quantize_v2` is deprecated, please use `tf.quantization.quantize` instead.",
        "2017-10-25",
    )
    return _raw.quantize_v2(input, min_range, max_range, T, mode, round_mode, name=name)


def dequantize(input, min_range, max_range, mode="MIN_COMBINED", name=None):
    """Floats of numbers of a quantized dtype. Source: tf.quantization.dequantize."""
    return _raw.dequantize(input, min_range, max_range, mode, name=name)


def quantize_and_dequantize(
    input,
    input_min,
    input_max,
    signed_input=True,
    num_bits=8,
    range_given=False,
    round_mode="HALF_TO_EVEN",
    name=None,
    narrow_range=False,
):
    """Floats rounded to what so many bits can hold. Source: tf.quantization.quantize_and_dequantize."""
    deprecated(
        "ops.array_ops.quantize_and_dequantize",
        "This Op has been deprecated, use`quantize_and_dequantize_v2` instead. To To simulate the V1 the "
        "behavior of tf.quantization.quantize_and_dequantize(...) use tf.grad_pass_through("
        "tf.quantization.quantize_and_dequantize_v2)(...).",
    )
    return _raw.quantize_and_dequantize_v2(
        input, input_min, input_max, signed_input, num_bits, range_given, round_mode, narrow_range, -1, name
    )


def fake_quant_with_min_max_args(inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None):
    """Floats rounded to so many bits between two limits. Source: tf.quantization.fake_quant_with_min_max_args."""
    return _raw.fake_quant_with_min_max_args(inputs, min, max, num_bits, narrow_range, name)


def fake_quant_with_min_max_args_gradient(
    gradients, inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None
):
    """Gradients of fake_quant_with_min_max_args(): 0 outside of the limits.

    Source: tf.quantization.fake_quant_with_min_max_args_gradient.
    """
    return _raw.fake_quant_with_min_max_args_gradient(gradients, inputs, min, max, num_bits, narrow_range, name)
