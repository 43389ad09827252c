// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Quantization: floats rounded to what few bits would hold.
#include "lib/Ops/Families.h"
#include "lib/Ops/Quantization/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"QuantizeAndDequantize", "input: T", "output: T",
     "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; "
     "input_min: float = 0; input_max: float = 0; T: nnFloats",
     "QuantizeAndDequantizeV2 of a range that is fixed.", inferFakeQuant},
    {"QuantizeAndDequantizeV2", "input: T, input_min: T, input_max: T",
     "output: T",
     "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; "
     "T: nnFloats; round_mode: string {HALF_TO_EVEN, HALF_UP} = HALF_TO_EVEN; "
     "narrow_range: bool = false; axis: int = -1",
     "The nearest of the evenly spaced numbers that the bits hold, 0 among "
     "them.",
     inferQuantized},
    {"QuantizeAndDequantizeV3",
     "input: T, input_min: T, input_max: T, num_bits: int32", "output: T",
     "signed_input: bool = true; range_given: bool = true; T: nnFloats; "
     "narrow_range: bool = false; axis: int = -1",
     "QuantizeAndDequantizeV2 of a number of bits that is an input.",
     inferQuantized},
    {"QuantizeAndDequantizeV4", "input: T, input_min: T, input_max: T",
     "output: T",
     "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; "
     "T: nnFloats; round_mode: string {HALF_TO_EVEN, HALF_UP} = HALF_TO_EVEN; "
     "narrow_range: bool = false; axis: int = -1",
     "QuantizeAndDequantizeV2 whose gradient is 0 outside of the range.",
     inferQuantized, noFlags, "QuantizeAndDequantizeV2"},
    {"QuantizeAndDequantizeV4Grad",
     "gradients: T, input: T, input_min: T, input_max: T",
     "input_backprop: T, input_min_backprop: T, input_max_backprop: T",
     "T: nnFloats; axis: int = -1",
     "gradients where the input is in its range, else 0.", inferQuantizedGrad},
    {"QuantizeV2", "input: float32, min_range: float32, max_range: float32",
     "output: T, output_min: float32, output_max: float32",
     "T: {qint8, quint8, qint32, qint16, quint16}; mode: string {MIN_COMBINED, "
     "MIN_FIRST, SCALED} = MIN_COMBINED; round_mode: string "
     "{HALF_AWAY_FROM_ZERO, HALF_TO_EVEN} = HALF_AWAY_FROM_ZERO; narrow_range: "
     "bool = false; axis: int = -1; ensure_minimum_range: float = 0.01",
     "The integers that stand for the floats in a range, and the range that "
     "they have then.",
     inferQuantize, takesQuantized},
    {"Dequantize", "input: T, min_range: float32, max_range: float32",
     "output: dtype",
     "T: {qint8, quint8, qint32, qint16, quint16}; mode: string {MIN_COMBINED, "
     "MIN_FIRST, SCALED} = MIN_COMBINED; narrow_range: bool = false; axis: int "
     "= -1; dtype: {bfloat16, float32} = float32",
     "The floats that integers of a range stand for.", inferDequantize,
     takesQuantized},
    {"Requantize",
     "input: Tinput, input_min: float32, input_max: float32, "
     "requested_output_min: float32, requested_output_max: float32",
     "output: out_type, output_min: float32, output_max: float32",
     "Tinput: quantized; out_type: quantized",
     "Integers of a range as those of another, narrower type and range.",
     inferRequantize, takesQuantized},
    {"RequantizationRange",
     "input: Tinput, input_min: float32, input_max: float32",
     "output_min: float32, output_max: float32", "Tinput: quantized",
     "The range of the numbers that integers of a range stand for, with 0.",
     inferRequantizationRange, takesQuantized},
    {"QuantizeDownAndShrinkRange",
     "input: Tinput, input_min: float32, input_max: float32",
     "output: out_type, output_min: float32, output_max: float32",
     "Tinput: quantized; out_type: quantized",
     "Requantize to the range that RequantizationRange gives.", inferRequantize,
     takesQuantized},
    {"QuantizedMatMul",
     "a: T1, b: T2, min_a: float32, max_a: float32, min_b: float32, max_b: "
     "float32",
     "out: Toutput, min_out: float32, max_out: float32",
     "T1: quantized; T2: quantized; Toutput: quantized = qint32; transpose_a: "
     "bool = false; transpose_b: bool = false; Tactivation: quantized = quint8",
     "The product of two matrices of integers, in 32 bits.",
     inferQuantizedMatMul, takesQuantized},
    {"QuantizedConv2D",
     "input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, "
     "min_filter: float32, max_filter: float32",
     "output: out_type, min_output: float32, max_output: float32",
     "Tinput: quantized; Tfilter: quantized; out_type: quantized = qint32; "
     "strides: list(int); padding: string {SAME, VALID}; dilations: list(int) "
     "= [1, 1, 1, 1]",
     "Conv2D of integers, in 32 bits.", inferQuantizedConv2D, takesQuantized},
    {"QuantizedBiasAdd",
     "input: T1, bias: T2, min_input: float32, max_input: float32, min_bias: "
     "float32, max_bias: float32",
     "output: out_type, min_out: float32, max_out: float32",
     "T1: quantized; T2: quantized; out_type: quantized",
     "BiasAdd of integers, in a range that has room for both.",
     inferQuantizedBiasAdd, takesQuantized},
    {"QuantizedAdd",
     "x: T1, y: T2, min_x: float32, max_x: float32, min_y: float32, max_y: "
     "float32",
     "z: Toutput, min_z: float32, max_z: float32",
     "T1: quantized; T2: quantized; Toutput: quantized = qint32",
     "Sums of integers, in a range that has room for both.",
     inferQuantizedBinary, takesQuantized},
    {"QuantizedMul",
     "x: T1, y: T2, min_x: float32, max_x: float32, min_y: float32, max_y: "
     "float32",
     "z: Toutput, min_z: float32, max_z: float32",
     "T1: quantized; T2: quantized; Toutput: quantized = qint32",
     "Products of integers, in 32 bits.", inferQuantizedBinary, takesQuantized},
    {"QuantizedRelu",
     "features: Tinput, min_features: float32, max_features: float32",
     "activations: out_type, min_activations: float32, max_activations: "
     "float32",
     "Tinput: quantized; out_type: quantized = quint8",
     "Integers no less than what stands for 0.", inferQuantizedActivation,
     takesQuantized},
    {"QuantizedRelu6",
     "features: Tinput, min_features: float32, max_features: float32",
     "activations: out_type, min_activations: float32, max_activations: "
     "float32",
     "Tinput: quantized; out_type: quantized = quint8",
     "QuantizedRelu, and no more than what stands for 6.",
     inferQuantizedActivation, takesQuantized},
    {"QuantizedReluX",
     "features: Tinput, max_value: float32, min_features: float32, "
     "max_features: float32",
     "activations: out_type, min_activations: float32, max_activations: "
     "float32",
     "Tinput: quantized; out_type: quantized = quint8",
     "QuantizedRelu, and no more than what stands for max_value.",
     inferQuantizedActivation, takesQuantized},
    {"QuantizedConcat",
     "concat_dim: int32, values: N*T, input_mins: N*float32, input_maxes: "
     "N*float32",
     "output: T, output_min: float32, output_max: float32",
     "N: int >= 2; T: type",
     "Integers joined along an axis, in a range that holds those of all.",
     inferQuantizedConcat, takesQuantized},
    {"QuantizedReshape",
     "tensor: T, shape: Tshape, input_min: float32, input_max: float32",
     "output: T, output_min: float32, output_max: float32",
     "T: type; Tshape: indexTypes = int32", "Reshape, with a range that stays.",
     inferQuantizedReshape, takesQuantized},
    {"RequantizePerChannel",
     "input: T, input_min: float32, input_max: float32, requested_output_min: "
     "float32, requested_output_max: float32",
     "output: out_type, output_min: float32, output_max: float32",
     "T: quantized = qint32; out_type: quantized = quint8",
     "Requantize of an image that has a range for each channel.",
     inferRequantizeChannels, takesQuantized},
    {"RequantizationRangePerChannel",
     "input: T, input_min: float32, input_max: float32",
     "output_min: float32, output_max: float32",
     "T: quantized = qint32; clip_value_max: float",
     "One range for what the integers of all channels' ranges stand for.",
     inferRangeOfChannels, takesQuantized},
    {"QuantizedDepthwiseConv2D",
     "input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, "
     "min_filter: float32, max_filter: float32",
     "output: out_type, min_output: float32, max_output: float32",
     "Tinput: quantized; Tfilter: quantized; out_type: quantized = qint32; "
     "strides: list(int); padding: string {SAME, VALID}; dilations: list(int) "
     "= [1, 1, 1, 1]",
     "DepthwiseConv2dNative of integers, in 32 bits.", inferQuantizedDepthwise,
     takesQuantized},
    {"QuantizedDepthwiseConv2DWithBias",
     "input: Tinput, filter: Tfilter, bias: float32, min_input: float32, "
     "max_input: float32, min_filter: float32, max_filter: float32",
     "output: out_type, min_output: float32, max_output: float32",
     "Tinput: quantized; Tfilter: quantized; out_type: quantized = qint32; "
     "strides: list(int); padding: string {SAME, VALID}; dilations: list(int) "
     "= [1, 1, 1, 1]",
     "QuantizedDepthwiseConv2D, and a number added to each channel.",
     inferQuantizedDepthwise, takesQuantized},
    {"QuantizedDepthwiseConv2DWithBiasAndRelu",
     "input: Tinput, filter: Tfilter, bias: float32, min_input: float32, "
     "max_input: float32, min_filter: float32, max_filter: float32",
     "output: out_type, min_output: float32, max_output: float32",
     "Tinput: quantized; Tfilter: quantized; out_type: quantized = qint32; "
     "strides: list(int); padding: string {SAME, VALID}; dilations: list(int) "
     "= [1, 1, 1, 1]; padding_list: list(int) = []",
     "QuantizedDepthwiseConv2DWithBias, and no less than 0.",
     inferQuantizedDepthwise, takesQuantized},
    {"QuantizedBatchNormWithGlobalNormalization",
     "t: Tinput, t_min: float32, t_max: float32, m: Tinput, m_min: float32, "
     "m_max: float32, v: Tinput, v_min: float32, v_max: float32, beta: Tinput, "
     "beta_min: float32, beta_max: float32, gamma: Tinput, gamma_min: float32, "
     "gamma_max: float32",
     "result: out_type, result_min: float32, result_max: float32",
     "Tinput: quantized; out_type: quantized; variance_epsilon: float; "
     "scale_after_normalization: bool",
     "BatchNormWithGlobalNormalization of integers, in a fixed range.",
     inferQuantizedBatchNorm, takesQuantized},
    {"QuantizedInstanceNorm", "x: T, x_min: float32, x_max: float32",
     "y: T, y_min: float32, y_max: float32",
     "T: quantized; output_range_given: bool = false; given_y_min: float = 0; "
     "given_y_max: float = 0; variance_epsilon: float = 1e-5; min_separation: "
     "float = 1e-3",
     "Integers of images whose channels have a mean of 0 and a variance of 1.",
     inferQuantizedInstanceNorm, takesQuantized},
    {"QuantizedResizeBilinear",
     "images: T, size: int32, min: float32, max: float32",
     "resized_images: T, out_min: float32, out_max: float32",
     "T: {quint8, qint32, float32}; align_corners: bool = false; "
     "half_pixel_centers: bool = false",
     "ResizeBilinear of integers, which stay in their range.",
     inferQuantizedResize, takesQuantized},
    {"FakeQuantWithMinMaxArgs", "inputs: float32", "outputs: float32",
     "min: float = -6; max: float = 6; num_bits: int = 8; narrow_range: bool = "
     "false",
     "The nearest number of an evenly spaced range, moved so that 0 is one of "
     "them.",
     inferFakeQuant},
    {"FakeQuantWithMinMaxArgsGradient", "gradients: float32, inputs: float32",
     "backprops: float32",
     "min: float = -6; max: float = 6; num_bits: int = 8; narrow_range: bool = "
     "false",
     "gradients where the input is in its range, else 0.", inferFakeQuantGrad,
     stopsGradient},
    {"FakeQuantWithMinMaxVars", "inputs: float32, min: float32, max: float32",
     "outputs: float32", "num_bits: int = 8; narrow_range: bool = false",
     "FakeQuantWithMinMaxArgs of a range that is an input.", inferFakeQuant},
    {"FakeQuantWithMinMaxVarsGradient",
     "gradients: float32, inputs: float32, min: float32, max: float32",
     "backprops_wrt_input: float32, backprop_wrt_min: float32, "
     "backprop_wrt_max: float32",
     "num_bits: int = 8; narrow_range: bool = false",
     "The gradients of FakeQuantWithMinMaxVars.", inferFakeQuantGrad,
     stopsGradient},
    {"FakeQuantWithMinMaxVarsPerChannel",
     "inputs: float32, min: float32, max: float32", "outputs: float32",
     "num_bits: int = 8; narrow_range: bool = false",
     "FakeQuantWithMinMaxVars of a range for each place of the last axis.",
     inferFakeQuant},
    {"FakeQuantWithMinMaxVarsPerChannelGradient",
     "gradients: float32, inputs: float32, min: float32, max: float32",
     "backprops_wrt_input: float32, backprop_wrt_min: float32, "
     "backprop_wrt_max: float32",
     "num_bits: int = 8; narrow_range: bool = false",
     "The gradients of FakeQuantWithMinMaxVarsPerChannel.", inferFakeQuantGrad,
     stopsGradient},
};

} // namespace

OpFamily quantizationFamily() {
  return {"Quantization", "floats rounded to what few bits would hold",
          records};
}

} // namespace kiln
