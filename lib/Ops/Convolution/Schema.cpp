// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Convolution: products of windows and filters.
#include "lib/Ops/Convolution/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Conv", "input: T, filter: T", "output: T",
     "T: {float16, bfloat16, float32, float64, int32}; strides: list(int); "
     "padding: string {SAME, VALID, EXPLICIT}; explicit_paddings: list(int) "
     "= []; data_format: string {CHANNELS_FIRST, CHANNELS_LAST} = "
     "CHANNELS_LAST; dilations: list(int) = []; batch_dims: int = 1; groups: "
     "int = 1",
     "Conv2D or Conv3D, by the filter's rank, of images with any number of "
     "batch dimensions.",
     inferConv},
    {"Conv2D", "input: T, filter: T", "output: T",
     "T: {float16, bfloat16, float32, float64, int32}; strides: list(int); "
     "use_cudnn_on_gpu: bool = true; padding: string {SAME, VALID, "
     "EXPLICIT}; explicit_paddings: list(int) = []; data_format: string "
     "{NHWC, NCHW} = NHWC; dilations: list(int) = [1, 1, 1, 1]",
     "The product of each window of images with each filter.", inferConv2D},
    {"Conv2DBackpropInput", "input_sizes: int32, filter: T, out_backprop: T",
     "output: T",
     "T: {float16, bfloat16, float32, float64, int32}; strides: list(int); "
     "use_cudnn_on_gpu: bool = true; padding: string {SAME, VALID, "
     "EXPLICIT}; explicit_paddings: list(int) = []; data_format: string "
     "{NHWC, NCHW} = NHWC; dilations: list(int) = [1, 1, 1, 1]",
     "The gradient of Conv2D with regard to its input; also the transposed "
     "convolution.",
     inferConv2DInputGradient},
    {"Conv2DBackpropFilter", "input: T, filter_sizes: int32, out_backprop: T",
     "output: T",
     "T: nnFloats; strides: list(int); use_cudnn_on_gpu: bool = true; "
     "padding: string {SAME, VALID, EXPLICIT}; explicit_paddings: list(int) "
     "= []; data_format: string {NHWC, NCHW} = NHWC; dilations: list(int) = "
     "[1, 1, 1, 1]",
     "The gradient of Conv2D with regard to its filter.",
     inferConv2DFilterGradient},
    {"Conv3D", "input: T, filter: T", "output: T",
     "T: nnFloats; strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NDHWC, NCDHW} = NDHWC; dilations: list(int) = [1,"
     " 1, 1, 1, 1]",
     "Conv2D in three dimensions.", inferConv3D},
    {"Conv3DBackpropInputV2", "input_sizes: Tshape, filter: T, out_backprop: T",
     "output: T",
     "T: nnFloats; strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NDHWC, NCDHW} = NDHWC; dilations: list(int) = [1,"
     " 1, 1, 1, 1]; Tshape: indexTypes = int32",
     "The gradient of Conv3D with regard to its input.",
     inferConv3DInputGradient},
    {"Conv3DBackpropFilterV2", "input: T, filter_sizes: int32, out_backprop: T",
     "output: T",
     "T: nnFloats; strides: list(int); padding: string {SAME, VALID}; "
     "data_format: string {NDHWC, NCDHW} = NDHWC; dilations: list(int) = [1,"
     " 1, 1, 1, 1]",
     "The gradient of Conv3D with regard to its filter.",
     inferConv3DFilterGradient},
    {"Conv3DBackpropInput", "input: T, filter: T, out_backprop: T", "output: T",
     "T: {float16, float32, float64}; strides: list(int); padding: string "
     "{SAME, VALID}; dilations: list(int) = [1, 1, 1, 1, 1]",
     "As Conv3DBackpropInputV2, of an input of that shape.",
     inferConv3DInputGradient},
    {"Conv3DBackpropFilter", "input: T, filter: T, out_backprop: T",
     "output: T",
     "T: {float16, float32, float64}; strides: list(int); padding: string "
     "{SAME, VALID}; dilations: list(int) = [1, 1, 1, 1, 1]",
     "As Conv3DBackpropFilterV2, of a filter of that shape.",
     inferConv3DFilterGradient},
    {"DepthwiseConv2dNative", "input: T, filter: T", "output: T",
     "T: nnFloats; strides: list(int); padding: string {SAME, VALID, "
     "EXPLICIT}; explicit_paddings: list(int) = []; data_format: string "
     "{NHWC, NCHW} = NHWC; dilations: list(int) = [1, 1, 1, 1]",
     "Conv2D of each channel with filters of its own.", inferDepthwise},
    {"DepthwiseConv2dNativeBackpropInput",
     "input_sizes: int32, filter: T, out_backprop: T", "output: T",
     "T: nnFloats; strides: list(int); padding: string {SAME, VALID, "
     "EXPLICIT}; explicit_paddings: list(int) = []; data_format: string "
     "{NHWC, NCHW} = NHWC; dilations: list(int) = [1, 1, 1, 1]",
     "The gradient of DepthwiseConv2dNative with regard to its input.",
     inferDepthwiseInputGradient},
    {"DepthwiseConv2dNativeBackpropFilter",
     "input: T, filter_sizes: int32, out_backprop: T", "output: T",
     "T: nnFloats; strides: list(int); padding: string {SAME, VALID, "
     "EXPLICIT}; explicit_paddings: list(int) = []; data_format: string "
     "{NHWC, NCHW} = NHWC; dilations: list(int) = [1, 1, 1, 1]",
     "The gradient of DepthwiseConv2dNative with regard to its filter.",
     inferDepthwiseFilterGradient},
};

} // namespace

OpFamily convolutionFamily() {
  return {"Convolution", "products of windows and filters", records};
}

} // namespace kiln
