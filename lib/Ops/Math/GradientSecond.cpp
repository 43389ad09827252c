// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of the ops that gradients of elements are made of.
#include "lib/Autodiff/GradientCall.h"
#include "lib/Ops/Math/Gradient.h"

namespace kiln {
namespace {

/// dx and d(dy) of such an op, from the gradient of its result; a and b are its
/// inputs.
using SecondGradient = std::pair<Output, Output> (*)(const Output &a,
                                                     const Output &b,
                                                     const Output &y,
                                                     const Output &dz);

void addSecond(GradientRegistry &registry,
               std::initializer_list<std::string_view> types,
               SecondGradient gradient) {
  registry.add(types, [gradient](GradientCall &call) {
    Output dz = call.grad();
    ControlScope after({dz});
    auto [first, second] = gradient(call.in(0), call.in(1), call.out(), dz);
    call.set(0, first);
    call.set(1, second);
  });
}

/// The gradient of an op that gives a gradient where a sign or range of x
/// holds: linear in the gradient, flat in x.
void addMasked(GradientRegistry &registry, std::string_view type) {
  registry.add({type}, [op = std::string(type)](GradientCall &call) {
    Output x = call.in(1);
    call.set(0, addOp(op, {call.grad(), x}, call.attrs({"alpha"})));
    call.set(1, ops::zerosLike(x));
  });
}

/// The second derivatives of Elu and Selu, by their outputs.
void addExponential(GradientRegistry &registry, std::string_view type) {
  registry.add({type}, [op = std::string(type)](GradientCall &call) {
    Output y = call.in(1), dz = call.grad();
    call.set(0, addOp(op, {dz, y}));
    call.set(1, ops::where(y < 0.0, dz * call.in(0), ops::zerosLike(y)));
  });
}

} // namespace

void registerSecondGradients(GradientRegistry &registry) {
#define SECOND                                                                 \
  [](const Output &a, const Output &b, const Output &y, const Output &dz)      \
      ->std::pair<Output, Output>
  addSecond(
      registry, {"InvGrad", "ReciprocalGrad"},
      SECOND { return {dz * -2.0 * b * a, addOp("ReciprocalGrad", {a, dz})}; });
  addSecond(
      registry, {"SqrtGrad"}, SECOND {
        Output ratio = dz / a;
        return {-ratio * y, 0.5 * ratio};
      });
  addSecond(
      registry, {"RsqrtGrad"}, SECOND {
        return {-1.5 * dz * b * addOp("Square", {a}),
                addOp("RsqrtGrad", {a, dz})};
      });
  addSecond(
      registry, {"TanhGrad"},
      SECOND { return {dz * -2.0 * b * a, addOp("TanhGrad", {a, dz})}; });
  addSecond(
      registry, {"SigmoidGrad"}, SECOND {
        Output both = dz * b;
        return {both - 2.0 * both * a, addOp("SigmoidGrad", {a, dz})};
      });
  addSecond(
      registry, {"SoftplusGrad"}, SECOND {
        Output second = dz * a / (addOp("Exp", {-b}) + 2.0 + addOp("Exp", {b}));
        return {addOp("SoftplusGrad", {dz, b}), second};
      });
#undef SECOND
  for (std::string_view type : {"ReluGrad", "Relu6Grad", "LeakyReluGrad"})
    addMasked(registry, type);
  for (std::string_view type : {"EluGrad", "SeluGrad"})
    addExponential(registry, type);
}

} // namespace kiln
