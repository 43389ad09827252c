// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of functions of one tensor's elements.
#include "lib/Ops/Math/Gradient.h"
#include "lib/Autodiff/GradientCall.h"

#include <cmath>
#include <numbers>

namespace kiln {
namespace {

using std::numbers::pi;

/// dx of y = f(x), from dy.
using UnaryGradient = Output (*)(const Output &x, const Output &y,
                                 const Output &dy);

/// What most gradients compute from x and y waits for dy: it is not wanted
/// before.
void addUnary(GradientRegistry &registry,
              std::initializer_list<std::string_view> types,
              UnaryGradient gradient) {
  registry.add(types, [gradient](GradientCall &call) {
    Output dy = call.grad();
    ControlScope after({dy});
    call.set(0, gradient(call.in(0), call.out(), dy));
  });
}
void addPlain(GradientRegistry &registry,
              std::initializer_list<std::string_view> types,
              UnaryGradient gradient) {
  registry.add(types, [gradient](GradientCall &call) {
    call.set(0, gradient(call.in(0), call.out(), call.grad()));
  });
}

/// dy * scale * what the function makes. The scale does not wait for dy.
void addScaled(GradientRegistry &registry, std::string_view type, double scale,
               UnaryGradient gradient) {
  registry.add({type}, [scale, gradient](GradientCall &call) {
    Output dy = call.grad();
    Output factor = ops::constant(scale, {.dtype = dy.dtype()});
    ControlScope after({dy});
    Output scaled = dy * factor;
    call.set(0, scaled * gradient(call.in(0), call.out(), dy));
  });
}

Output square(const Output &x) { return addOp("Square", {x}); }
Output reciprocal(const Output &x) { return addOp("Reciprocal", {x}); }
Output like(double value, const Output &tensor) {
  return ops::constant(value, {.dtype = tensor.dtype()});
}

void registerTrigonometric(GradientRegistry &registry) {
#define UNARY [](const Output &x, const Output &y, const Output &dy)->Output
  addUnary(
      registry, {"Sin"}, UNARY { return dy * addOp("Cos", {conjugated(x)}); });
  addUnary(
      registry, {"Cos"}, UNARY { return -dy * addOp("Sin", {conjugated(x)}); });
  addUnary(
      registry, {"Tan"},
      UNARY { return square(reciprocal(addOp("Cos", {conjugated(x)}))) * dy; });
  addUnary(
      registry, {"Asin"}, UNARY {
        return dy * reciprocal(addOp(
                        "Sqrt",
                        {ops::subtract(like(1, dy), square(conjugated(x)))}));
      });
  addUnary(
      registry, {"Acos"}, UNARY {
        return -dy * reciprocal(addOp(
                         "Sqrt",
                         {ops::subtract(like(1, dy), square(conjugated(x)))}));
      });
  addUnary(
      registry, {"Atan"}, UNARY {
        return dy * reciprocal(ops::add(like(1, dy), square(conjugated(x))));
      });
  addUnary(
      registry, {"Sinh"},
      UNARY { return dy * addOp("Cosh", {conjugated(x)}); });
  addUnary(
      registry, {"Cosh"},
      UNARY { return dy * addOp("Sinh", {conjugated(x)}); });
  addUnary(
      registry, {"Tanh"},
      UNARY { return addOp("TanhGrad", {conjugated(y), dy}); });
  addUnary(
      registry, {"Asinh"},
      UNARY { return dy / addOp("Cosh", {conjugated(y)}); });
  addUnary(
      registry, {"Acosh"},
      UNARY { return dy / addOp("Sinh", {conjugated(y)}); });
  addUnary(
      registry, {"Atanh"}, UNARY {
        return dy *
               reciprocal(ops::subtract(like(1, dy), square(conjugated(x))));
      });
}

void registerPowers(GradientRegistry &registry) {
  addPlain(registry, {"Neg"}, UNARY { return -dy; });
  addPlain(registry, {"Abs"}, UNARY { return dy * addOp("Sign", {x}); });
  addPlain(registry, {"Sign"}, UNARY { return ops::zerosLike(x); });
  addPlain(
      registry, {"Inv", "Reciprocal"},
      UNARY { return addOp("ReciprocalGrad", {y, dy}); });
  addUnary(
      registry, {"Square"}, UNARY {
        return ops::multiply(dy, ops::multiply(conjugated(x), like(2, x)));
      });
  addPlain(registry, {"Sqrt"}, UNARY { return addOp("SqrtGrad", {y, dy}); });
  addPlain(registry, {"Rsqrt"}, UNARY { return addOp("RsqrtGrad", {y, dy}); });
  addUnary(registry, {"Exp"}, UNARY { return dy * conjugated(y); });
  addUnary(
      registry, {"Expm1"},
      UNARY { return dy * addOp("Exp", {conjugated(x)}); });
  addUnary(registry, {"Log"}, UNARY { return dy * reciprocal(conjugated(x)); });
  addUnary(
      registry, {"Log1p"},
      UNARY { return dy * reciprocal(1.0 + conjugated(x)); });
  addPlain(registry, {"L2Loss"}, UNARY { return x * dy; });
}

void registerSpecial(GradientRegistry &registry) {
  addScaled(
      registry, "Erf", 2 / std::sqrt(pi),
      UNARY { return addOp("Exp", {-square(x)}); });
  addScaled(
      registry, "Erfc", -2 / std::sqrt(pi),
      UNARY { return addOp("Exp", {-square(x)}); });
  addScaled(
      registry, "Erfinv", std::sqrt(pi) / 2,
      UNARY { return addOp("Exp", {square(y)}); });
  addScaled(
      registry, "Ndtri", std::sqrt(2 * pi),
      UNARY { return addOp("Exp", {square(y) / 2.0}); });
  addUnary(registry, {"Lgamma"}, UNARY { return dy * addOp("Digamma", {x}); });
  addUnary(
      registry, {"Digamma"},
      UNARY { return dy * addOp("Polygamma", {like(1, x), x}); });
  addUnary(
      registry, {"BesselI0"}, UNARY { return dy * addOp("BesselI1", {x}); });
  addUnary(
      registry, {"BesselI0e"}, UNARY {
        return dy * (addOp("BesselI1e", {x}) - addOp("Sign", {x}) * y);
      });
  // At 0 the quotient is no number; its limit is put there.
  addUnary(
      registry, {"BesselI1"}, UNARY {
        return dy * addOp("SelectV2", {addOp("Equal", {x, 0.0}), like(1, x),
                                       addOp("BesselI0", {x}) - y / x});
      });
  addUnary(
      registry, {"BesselI1e"}, UNARY {
        return dy * addOp("SelectV2",
                          {addOp("Equal", {x, 0.0}), like(0.5, x),
                           addOp("BesselI0e", {x}) -
                               y * (addOp("Sign", {x}) + reciprocal(x))});
      });
}

void registerActivations(GradientRegistry &registry) {
  addUnary(
      registry, {"Sigmoid"},
      UNARY { return addOp("SigmoidGrad", {conjugated(y), dy}); });
  addPlain(registry, {"Relu"}, UNARY { return addOp("ReluGrad", {dy, y}); });
  addPlain(registry, {"Relu6"}, UNARY { return addOp("Relu6Grad", {dy, y}); });
  addPlain(registry, {"Elu"}, UNARY { return addOp("EluGrad", {dy, y}); });
  addPlain(registry, {"Selu"}, UNARY { return addOp("SeluGrad", {dy, y}); });
  addPlain(
      registry, {"Softplus"}, UNARY { return dy * addOp("Sigmoid", {x}); });
  addPlain(
      registry, {"Softsign"}, UNARY { return addOp("SoftsignGrad", {dy, x}); });
  addPlain(
      registry, {"Softmax"}, UNARY {
        Output sums = ops::reduceSum(dy * y, -1, {.keepDims = true});
        return (dy - sums) * y;
      });
  addPlain(
      registry, {"LogSoftmax"}, UNARY {
        Output probabilities = addOp("Exp", {y});
        return dy - ops::reduceSum(dy, -1, {.keepDims = true}) * probabilities;
      });
#undef UNARY
  registry.add({"LeakyRelu"}, [](GradientCall &call) {
    call.set(0, addOp("LeakyReluGrad", {call.grad(), call.in(0)},
                      call.attrs({"alpha"})));
  });
}

void registerCasts(GradientRegistry &registry) {
  registry.add({"Cast"}, [](GradientCall &call) {
    DType from = call.in(0).dtype(), to = call.out().dtype();
    auto flows = [](DType dtype) {
      return isFloating(dtype) || isComplex(dtype);
    };
    if (flows(from) && flows(to))
      call.set(0, ops::cast(call.grad(), from));
  });
  registry.add({"BiasAdd"}, [](GradientCall &call) {
    call.set(0, call.grad());
    call.set(1,
             addOp("BiasAddGrad", {call.grad()}, call.attrs({"data_format"})));
  });
  registry.add({"BiasAddV1"}, [](GradientCall &call) {
    call.set(0, call.grad());
    std::vector<int64_t> axes;
    for (int i = 0; i + 1 < call.grad().shape().rank(); ++i)
      axes.push_back(i);
    call.set(1, ops::reduceSum(call.grad(), axes));
  });
  registry.add({"BiasAddGrad"}, [](GradientCall &call) {
    Output shape = ops::shape(call.in(0)), dy = call.grad();
    Output bias = ops::shape(dy);
    bool channelsFirst = call.attr<std::string>("data_format") == "NCHW";
    auto part = [&](int64_t from, int64_t to, bool toEnd) {
      return ops::stridedSlice(shape, {from}, {to}, {1},
                               {.endMask = toEnd ? 1 : 0});
    };
    Output before = channelsFirst ? part(0, 1, false) : part(0, -1, false);
    std::vector<Output> ones = {ops::onesLike(before), bias};
    std::vector<Output> repeats = {before,
                                   ops::constant(std::vector<int32_t>{1})};
    if (channelsFirst) {
      Output behind = part(2, 0, true);
      ones.push_back(ops::onesLike(behind));
      repeats.push_back(behind);
    }
    Output spread = addOp("Reshape", {dy, ops::concat(ones, 0)});
    call.set(0, addOp("Tile", {spread, ops::concat(repeats, 0)}));
  });
}

} // namespace

void registerMathGradients(GradientRegistry &registry) {
  registerTrigonometric(registry);
  registerPowers(registry);
  registerSpecial(registry);
  registerActivations(registry);
  registerCasts(registry);
  registerBinaryGradients(registry);
  registerSecondGradients(registry);
  // Steps: zero wherever they have a derivative.
  registry.add({"Ceil", "Floor", "FloorDiv", "Rint", "Round", "TruncateDiv"},
               [](GradientCall &) {});
}

} // namespace kiln
