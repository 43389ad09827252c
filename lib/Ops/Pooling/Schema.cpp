// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Pooling: largest elements and means of windows.
#include "lib/Ops/Families.h"
#include "lib/Ops/Pooling/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

#define KILN_FRACTIONAL                                                        \
  "output: T, row_pooling_sequence: int64, col_pooling_sequence: int64",       \
      "pooling_ratio: list(float) >= 4; pseudo_random: bool = false; "         \
      "overlapping: bool = false; deterministic: bool = false; seed: int = "   \
      "0; seed2: int = 0; T: {float32, float64, int32, int64}"

constexpr OpRecord records[] = {
    {"MaxPool", "input: T", "output: T",
     "T: realNumbers = float32; ksize: list(int); strides: list(int); "
     "padding: string {SAME, VALID, EXPLICIT}; explicit_paddings: list(int) "
     "= []; data_format: string {NHWC, NCHW, NCHW_VECT_C} = NHWC",
     "The largest element of each window.", inferPool2D},
    {"MaxPoolV2", "input: T, ksize: int32, strides: int32", "output: T",
     "T: realNumbers = float32; padding: string {SAME, VALID}; data_format: "
     "string {NHWC, NCHW, NCHW_VECT_C} = NHWC",
     "MaxPool with windows that inputs tell.", inferPoolComputed},
    {"MaxPoolGrad", "orig_input: T, orig_output: T, grad: T", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID, "
     "EXPLICIT}; explicit_paddings: list(int) = []; data_format: string "
     "{NHWC, NCHW} = NHWC; T: realNumbers = float32",
     "The gradient of MaxPool: each goes to the first largest element of its"
     " window.",
     inferPoolGradient2D},
    {"MaxPoolGradV2",
     "orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32",
     "output: T",
     "padding: string {SAME, VALID}; data_format: string {NHWC, NCHW} = "
     "NHWC; T: realNumbers = float32",
     "MaxPoolGrad with windows that inputs tell.", inferPoolGradientComputed},
    {"MaxPoolGradGrad", "orig_input: T, orig_output: T, grad: T", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NHWC, NCHW} = NHWC; T: realNumbers",
     "What lies where each window has its first largest element.",
     inferPoolGradientOfGradient2D},
    {"MaxPoolGradGradV2",
     "orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32",
     "output: T",
     "padding: string {SAME, VALID}; data_format: string {NHWC, NCHW} = NHWC; "
     "T: realNumbers",
     "MaxPoolGradGrad with windows that inputs tell.",
     inferPoolGradientOfGradientComputed},
    {"MaxPool3DGradGrad", "orig_input: T, orig_output: T, grad: T", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NDHWC, NCDHW} = NDHWC; T: realNumbers",
     "MaxPoolGradGrad of windows in three dimensions.",
     inferPoolGradientOfGradient3D},
    {"QuantizedAvgPool", "input: T, min_input: float32, max_input: float32",
     "output: T, min_output: float32, max_output: float32",
     "T: quantized; ksize: list(int); strides: list(int); padding: string "
     "{SAME, VALID}",
     "The mean of the integers of each window, rounded towards zero.",
     inferQuantizedPool, takesQuantized},
    {"QuantizedMaxPool", "input: T, min_input: float32, max_input: float32",
     "output: T, min_output: float32, max_output: float32",
     "T: quantized; ksize: list(int); strides: list(int); padding: string "
     "{SAME, VALID}",
     "The largest integer of each window.", inferQuantizedPool, takesQuantized},
    {"MaxPoolWithArgmax", "input: T", "output: T, argmax: Targmax",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "Targmax: indexTypes = int64; include_batch_in_index: bool = false; T: "
     "realNumbers",
     "The largest element of each window, and its place in the image.",
     inferPool2D},
    {"MaxPoolGradWithArgmax", "input: T, grad: T, argmax: Targmax", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "include_batch_in_index: bool = false; Targmax: indexTypes; T: "
     "realNumbers",
     "The gradient of MaxPoolWithArgmax: each goes to its place.",
     inferPoolGradientOfPlaces},
    {"FractionalMaxPool", "value: T", KILN_FRACTIONAL,
     "The largest element of each window, whose sizes are a ratio on the "
     "average, in a random order.",
     inferFractionalPool, draws},
    {"FractionalAvgPool", "value: T", KILN_FRACTIONAL,
     "The mean of each such window.", inferFractionalPool, draws},
    {"FractionalMaxPoolGrad",
     "orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence: "
     "int64, col_pooling_sequence: int64",
     "output: T",
     "overlapping: bool = false; T: {float32, float64, int32, int64}",
     "The gradient of FractionalMaxPool: each goes to the first largest "
     "element of its window.",
     inferFractionalMaxPoolGrad},
    {"FractionalAvgPoolGrad",
     "orig_input_tensor_shape: int64, out_backprop: T, row_pooling_sequence: "
     "int64, col_pooling_sequence: int64",
     "output: T",
     "overlapping: bool = false; T: {float32, float64, int32, int64}",
     "The gradient of FractionalAvgPool: each goes to its window in equal "
     "parts.",
     inferFractionalAvgPoolGrad},
    {"Dilation2D", "input: T, filter: T", "output: T",
     "T: realNumbers; strides: list(int) >= 4; rates: list(int) >= 4; padding: "
     "string {SAME, VALID}",
     "The largest sum of an element of each window and the filter's.",
     inferDilation},
    {"Dilation2DBackpropInput", "input: T, filter: T, out_backprop: T",
     "in_backprop: T",
     "T: realNumbers; strides: list(int) >= 4; rates: list(int) >= 4; padding: "
     "string {SAME, VALID}",
     "The gradient of Dilation2D for the image.", inferDilationGradient},
    {"Dilation2DBackpropFilter", "input: T, filter: T, out_backprop: T",
     "filter_backprop: T",
     "T: realNumbers; strides: list(int) >= 4; rates: list(int) >= 4; padding: "
     "string {SAME, VALID}",
     "The gradient of Dilation2D for the filter.", inferDilationGradient},
    {"AvgPool", "value: T", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NHWC, NCHW} = NHWC; T: nnFloats",
     "The mean of the elements of each window, without padding.", inferPool2D},
    {"AvgPoolGrad", "orig_input_shape: int32, grad: T", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NHWC, NCHW} = NHWC; T: nnFloats",
     "The gradient of AvgPool, also for windows larger than the image, where "
     "TensorFlow divides by elements that are not there.",
     inferAveragePoolGradient2D},
    {"MaxPool3D", "input: T", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NDHWC, NCDHW} = NDHWC; T: {float16, bfloat16, "
     "float32}",
     "MaxPool in three dimensions.", inferPool3D},
    {"MaxPool3DGrad", "orig_input: TInput, orig_output: TInput, grad: T",
     "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NDHWC, NCDHW} = NDHWC; T: {float16, bfloat16, "
     "float32} = float32; TInput: {float16, bfloat16, float32} = float32",
     "The gradient of MaxPool3D.", inferPoolGradient3D},
    {"AvgPool3D", "input: T", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NDHWC, NCDHW} = NDHWC; T: nnFloats",
     "AvgPool in three dimensions.", inferPool3D},
    {"AvgPool3DGrad", "orig_input_shape: int32, grad: T", "output: T",
     "ksize: list(int); strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NDHWC, NCDHW} = NDHWC; T: nnFloats",
     "The gradient of AvgPool3D.", inferAveragePoolGradient3D},
};

} // namespace

OpFamily poolingFamily() {
  return {"Pooling", "largest elements and means of windows", records};
}

} // namespace kiln
