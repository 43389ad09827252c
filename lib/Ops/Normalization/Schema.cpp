// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Normalization: batch and local response normalization.
#include "lib/Ops/Families.h"
#include "lib/Ops/Normalization/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"FusedBatchNorm", "x: T, scale: T, offset: T, mean: T, variance: T",
     "y: T, batch_mean: T, batch_variance: T, reserve_space_1: T, "
     "reserve_space_2: T",
     "T: {float32}; epsilon: float = 0.0001; exponential_avg_factor: float ="
     " 1; data_format: string {NHWC, NCHW} = NHWC; is_training: bool = true",
     "Each channel less its mean, divided by its deviation, scaled and "
     "moved.",
     inferBatchNorm},
    {"FusedBatchNormV2", "x: T, scale: U, offset: U, mean: U, variance: U",
     "y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, "
     "reserve_space_2: U",
     "T: {float16, bfloat16, float32}; U: {float32}; epsilon: float = "
     "0.0001; exponential_avg_factor: float = 1; data_format: string {NHWC, "
     "NCHW} = NHWC; is_training: bool = true",
     "As FusedBatchNorm.", inferBatchNorm},
    {"FusedBatchNormV3", "x: T, scale: U, offset: U, mean: U, variance: U",
     "y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, "
     "reserve_space_2: U, reserve_space_3: U",
     "T: {float16, bfloat16, float32}; U: {bfloat16, float32}; epsilon: "
     "float = 0.0001; exponential_avg_factor: float = 1; data_format: string"
     " {NHWC, NCHW, NDHWC, NCDHW} = NHWC; is_training: bool = true",
     "As FusedBatchNorm.", inferBatchNorm},
    {"FusedBatchNormGrad",
     "y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T",
     "x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: "
     "T, reserve_space_4: T",
     "T: {float32}; epsilon: float = 0.0001; data_format: string {NHWC, "
     "NCHW} = NHWC; is_training: bool = true",
     "The gradients of FusedBatchNorm.", inferBatchNormGradient},
    {"FusedBatchNormGradV2",
     "y_backprop: T, x: T, scale: float32, reserve_space_1: U, "
     "reserve_space_2: U",
     "x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: "
     "U, reserve_space_4: U",
     "T: {float16, bfloat16, float32}; U: {float32}; epsilon: float = "
     "0.0001; data_format: string {NHWC, NCHW} = NHWC; is_training: bool = "
     "true",
     "The gradients of FusedBatchNormV2.", inferBatchNormGradient},
    {"FusedBatchNormGradV3",
     "y_backprop: T, x: T, scale: float32, reserve_space_1: U, "
     "reserve_space_2: U, reserve_space_3: U",
     "x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_4: "
     "U, reserve_space_5: U",
     "T: {float16, bfloat16, float32}; U: {float32}; epsilon: float = "
     "0.0001; data_format: string {NHWC, NCHW, NDHWC, NCDHW} = NHWC; "
     "is_training: bool = true",
     "The gradients of FusedBatchNormV3.", inferBatchNormGradient},
    {"BatchNormWithGlobalNormalization", "t: T, m: T, v: T, beta: T, gamma: T",
     "result: T",
     "T: nnFloats; variance_epsilon: float; scale_after_normalization: bool",
     "Batch normalization by given means and variances; the oldest form.",
     inferGlobalNorm},
    {"BatchNormWithGlobalNormalizationGrad",
     "t: T, m: T, v: T, gamma: T, backprop: T",
     "dx: T, dm: T, dv: T, db: T, "
     "dg: T",
     "T: nnFloats; variance_epsilon: float; scale_after_normalization: bool",
     "The gradients of BatchNormWithGlobalNormalization.",
     inferGlobalNormGradient},
    {"LRN", "input: T", "output: T",
     "depth_radius: int = 5; bias: float = 1; alpha: float = 1; beta: float "
     "= 0.5; T: {float16, bfloat16, float32} = float32",
     "Divides each element by a power of the squares of the channels around "
     "it.",
     inferResponseNorm},
    {"LRNGrad", "input_grads: T, input_image: T, output_image: T", "output: T",
     "depth_radius: int = 5; bias: float = 1; alpha: float = 1; beta: float "
     "= 0.5; T: {float16, bfloat16, float32} = float32",
     "The gradient of LRN.", inferResponseNormGradient},
};

} // namespace

OpFamily normalizationFamily() {
  return {"Normalization", "batch and local response normalization", records};
}

} // namespace kiln
