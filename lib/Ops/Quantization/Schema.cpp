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
