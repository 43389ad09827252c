// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of batch and local response normalization.
#include "lib/Autodiff/GradientCall.h"
#include "lib/Ops/Normalization/GradientSecond.h"

namespace kiln {
namespace {

/// **Source**: _BaseFusedBatchNormGrad.
void batchNormGradient(GradientCall &call) {
  const std::string &op = call.node.op();
  std::string backward = op == "FusedBatchNorm"     ? "FusedBatchNormGrad"
                         : op == "FusedBatchNormV2" ? "FusedBatchNormGradV2"
                                                    : "FusedBatchNormGradV3";
  bool isTraining = call.attr<bool>("is_training", true);
  std::string format = call.attr<std::string>("data_format", "NHWC");
  Output x = call.in(0), dy = call.grad(0);
  AttrMap attrs = call.attrs({"epsilon", "is_training", "data_format"});
  std::optional<std::vector<int32_t>> back;
  if (!isTraining && format.starts_with("NC")) {
    bool is3D = format.size() == 5;
    Input perm = is3D ? vectorOf({0, 2, 3, 4, 1}) : vectorOf({0, 2, 3, 1});
    x = ops::permute(x, perm);
    dy = ops::permute(dy, perm);
    back = is3D ? std::vector<int32_t>{0, 4, 1, 2, 3}
                : std::vector<int32_t>{0, 3, 1, 2};
    attrs.set("data_format", is3D ? "NDHWC" : "NHWC");
  }
  std::vector<std::variant<Input, InputList>> inputs = {
      dy, x, call.in(1), isTraining ? call.out(3) : call.in(3),
      isTraining ? call.out(4) : call.in(4)};
  if (backward.ends_with("V3"))
    inputs.push_back(call.out(5));
  auto gradients = addOpOutputs(backward, std::move(inputs), 3, attrs);
  call.set(0, back ? ops::permute(gradients[0], *back) : gradients[0]);
  call.set(1, gradients[1]);
  call.set(2, gradients[2]);
}

/// y = (x - m) * rsqrt(v + e) [* gamma] + beta, over the last axis.
void globalNormGradient(GradientCall &call) {
  Output x = call.in(0), mean = call.in(1), variance = call.in(2);
  Output gamma = call.in(4), dy = call.grad();
  double epsilon = call.attr<float>("variance_epsilon");
  bool isScaled = call.attr<bool>("scale_after_normalization");
  Output inverse = addOp("Rsqrt", {variance + epsilon});
  Output scale = isScaled ? inverse * gamma : inverse;
  Input others = vectorOf({0, 1, 2});
  Output sum = ops::reduceSum(dy, others);
  Output moment = ops::reduceSum(dy * (x - mean), others);
  call.set(0, dy * scale);
  call.set(1, -sum * scale);
  call.set(2, -0.5 * moment * scale * inverse * inverse);
  call.set(3, sum);
  call.set(4, isScaled ? moment * inverse : ops::zerosLike(gamma));
}

} // namespace

void registerNormalizationGradients(GradientRegistry &registry) {
  registry.add({"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"},
               batchNormGradient);
  registry.add(
      {"FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"},
      batchNormSecondGradient);
  registry.add({"BatchNormWithGlobalNormalization"}, globalNormGradient);
  registry.add({"LRN"}, [](GradientCall &call) {
    call.set(0, addOp("LRNGrad", {call.grad(), call.in(0), call.out()},
                      call.attrs({"depth_radius", "bias", "alpha", "beta"})));
  });
}

} // namespace kiln
