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
      registry, {"InvGrad", "ReciprocalGrad"}, SECOND {
        Output ca = conjugated(a);
        return {conjugated(dz) * -2.0 * b * ca,
                addOp("ReciprocalGrad", {ca, dz})};
      });
  addSecond(
      registry, {"SqrtGrad"}, SECOND {
        Output ratio = dz / a;
        return {-conjugated(ratio) * y, 0.5 * ratio};
      });
  addSecond(
      registry, {"RsqrtGrad"}, SECOND {
        Output ca = conjugated(a);
        return {-1.5 * conjugated(dz) * b * addOp("Square", {ca}),
                addOp("RsqrtGrad", {ca, dz})};
      });
  addSecond(
      registry, {"TanhGrad"}, SECOND {
        Output ca = conjugated(a), cb = conjugated(b);
        return {dz * -2.0 * cb * ca, addOp("TanhGrad", {ca, dz})};
      });
  addSecond(
      registry, {"SigmoidGrad"}, SECOND {
        Output ca = conjugated(a);
        Output both = dz * conjugated(b);
        return {both - 2.0 * both * ca, addOp("SigmoidGrad", {ca, dz})};
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
