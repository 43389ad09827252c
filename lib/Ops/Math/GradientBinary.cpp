// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of arithmetic with two operands, of selections and of special
// functions of two operands.
#include "kiln/ops/ElementwiseOps.h"
#include "lib/Autodiff/GradientCall.h"
#include "lib/Ops/Math/Gradient.h"

namespace kiln {
namespace {

/// The parts of x and y before they are summed to the operands' shapes.
using Parts = std::pair<Output, Output>;
using BinaryGradient = Parts (*)(const Output &x, const Output &y,
                                 const Output &z, const Output &dz);

void setBoth(GradientCall &call, const Parts &parts) {
  call.set(0, parts.first);
  call.set(1, parts.second);
}

void addBinary(GradientRegistry &registry,
               std::initializer_list<std::string_view> types,
               BinaryGradient gradient, bool waits = false) {
  registry.add(types, [gradient, waits](GradientCall &call) {
    Output x = call.in(0), y = call.in(1), dz = call.grad();
    std::optional<ControlScope> after;
    if (waits)
      after.emplace(std::initializer_list<ControlInput>{dz});
    Parts parts = gradient(x, y, call.out(), dz);
    if (waits)
      after.reset();
    setBoth(call, reduceToOperands(x, y, parts.first, parts.second));
  });
}

/// The same, where TensorFlow finds the axes in the run, whatever is known.
void addSummed(GradientRegistry &registry, std::string_view type,
               BinaryGradient gradient) {
  registry.add({type}, [gradient](GradientCall &call) {
    Output x = call.in(0), y = call.in(1), dz = call.grad();
    Output shapeX = ops::shape(x), shapeY = ops::shape(y);
    ControlScope after({dz});
    Parts parts = gradient(x, y, call.out(), dz);
    setBoth(call, sumToOperands(shapeX, shapeY, parts.first, parts.second));
  });
}

#define BINARY                                                                 \
  [](const Output &x, const Output &y, const Output &z, const Output &dz)->Parts

void registerArithmetic(GradientRegistry &registry) {
  registry.add({"Add", "AddV2"}, [](GradientCall &call) {
    const Gradient &given = call.sparseGrad();
    Output x = call.in(0), y = call.in(1);
    if (!given.isSparse() && sameKnownShape(x, y, given.tensor()))
      return setBoth(call, {given.tensor(), given.tensor()});
    Output dz = call.grad();
    setBoth(call, reduceToOperands(x, y, dz, dz));
  });
  registry.add({"Sub"}, [](GradientCall &call) {
    Output x = call.in(0), y = call.in(1), dz = call.grad();
    Parts parts(dz, -dz);
    if (sameKnownShape(x, y, dz))
      return setBoth(call, parts);
    setBoth(call, reduceToOperands(x, y, parts.first, parts.second));
  });
  registry.add({"Mul"}, [](GradientCall &call) {
    Output x = call.in(0), y = call.in(1), dz = call.grad();
    bool isPlain = sameKnownShape(x, y, dz) && dz.dtype() == DType::Float32;
    Output dx = addOp("Mul", {dz, conjugated(y)});
    Output dy =
        isPlain ? addOp("Mul", {dz, x}) : addOp("Mul", {conjugated(x), dz});
    if (isPlain)
      return setBoth(call, {dx, dy});
    setBoth(call, reduceToOperands(x, y, dx, dy));
  });
  addBinary(
      registry, {"Div", "RealDiv"}, BINARY {
        Output cx = conjugated(x), cy = conjugated(y);
        Output dx = addOp("RealDiv", {dz, cy});
        Output quotient = addOp("RealDiv", {addOp("RealDiv", {-cx, cy}), cy});
        return {dx, dz * quotient};
      });
  addBinary(
      registry, {"DivNoNan"}, BINARY {
        Output cx = conjugated(x), cy = conjugated(y);
        Output dx = ops::divNoNan(dz, cy);
        Output quotient = ops::divNoNan(ops::divNoNan(-cx, cy), cy);
        return {dx, dz * quotient};
      });
  addBinary(
      registry, {"MulNoNan"}, BINARY {
        return {addOp("MulNoNan", {dz, y}), addOp("MulNoNan", {x, dz})};
      });
  addBinary(
      registry, {"FloorMod"},
      BINARY { return {dz, dz * ops::negative(addOp("FloorDiv", {x, y}))}; });
}

void registerPowers(GradientRegistry &registry) {
  addBinary(
      registry, {"Pow"}, BINARY {
        Output cx = conjugated(x), cy = conjugated(y);
        Output dx = dz * cy * ops::pow(cx, cy - 1.0);
        // The logarithm of what is not positive is no number that one could
        // use; of complex numbers only that of 0.
        Output isSafe =
            isComplex(x.dtype()) ? addOp("NotEqual", {cx, 0.0}) : cx > 0.0;
        Output safe = ops::where(isSafe, cx, ops::onesLike(x));
        Output logarithm =
            ops::where(isSafe, addOp("Log", {safe}), ops::zerosLike(x));
        return {dx, dz * conjugated(z) * logarithm};
      });
  registry.add({"SquaredDifference"}, [](GradientCall &call) {
    Output x = call.in(0), y = call.in(1), dz = call.grad();
    Output dx;
    {
      ControlScope after({dz});
      Output scale =
          ops::constant(2.0, {.dtype = dz.dtype(), .name = "scalar"});
      dx = addOp("Mul", {scale, dz}) * (x - y);
    }
    Output dy = -dx;
    if (sameKnownShape(x, y, dz))
      return setBoth(call, {dx, dy});
    setBoth(call, reduceToOperands(x, y, dx, dy));
  });
  registry.add({"Atan2"}, [](GradientCall &call) {
    Output y = call.in(0), x = call.in(1), dz = call.grad();
    ControlScope after({dz});
    Output squares = addOp("Square", {y});
    Output inverse = dz / (squares + addOp("Square", {x}));
    Output dy = x * inverse;
    Output negative = -y;
    setBoth(call, reduceToOperands(y, x, dy, negative * inverse));
  });
}

template <const char *op>
Parts largerOrSmaller(const Output &x, const Output &y, const Output &,
                      const Output &dz) {
  Output zeros = ops::zerosLike(dz);
  Output isX = addOp(op, {x, y});
  return {addOp("SelectV2", {isX, dz, zeros}),
          addOp("SelectV2", {isX, zeros, dz})};
}
constexpr char greaterEqual[] = "GreaterEqual", lessEqual[] = "LessEqual";

void registerSelections(GradientRegistry &registry) {
  addBinary(registry, {"Maximum"}, largerOrSmaller<greaterEqual>);
  addBinary(registry, {"Minimum"}, largerOrSmaller<lessEqual>);
  registry.add({"Select"}, [](GradientCall &call) {
    Output zeros = ops::zerosLike(call.in(1));
    call.set(1, ops::where(call.in(0), call.grad(), zeros));
    call.set(2, ops::where(call.in(0), zeros, call.grad()));
  });
  registry.add({"SelectV2"}, [](GradientCall &call) {
    Output dz = call.grad(), condition = call.in(0);
    Output zero = ops::zeros(Shape(), {.dtype = dz.dtype()});
    Output dx = addOp("SelectV2", {condition, dz, zero});
    Output dy = addOp("SelectV2", {condition, zero, dz});
    call.set(1, reduceToOperands(call.in(1), call.out(), dx, {}).first);
    call.set(2, reduceToOperands(call.in(2), call.out(), dy, {}).first);
  });
  registry.add({"AccumulateNV2"}, [](GradientCall &call) {
    for (int i = 0; i < call.node.numInputs(); ++i)
      call.set(i, call.grad());
  });
  registry.add({"AddN"}, [](GradientCall &call) {
    for (int i = 0; i < call.node.numInputs(); ++i)
      call.set(i, call.sparseGrad());
  });
  // Each element goes to what was chosen; where a bound is chosen, all of it
  // goes there, summed where the bound is one number.
  registry.add({"ClipByValue"}, [](GradientCall &call) {
    Output x = call.in(0), least = call.in(1), most = call.in(2);
    Output dz = call.grad();
    Output zeros = ops::zerosLike(dz);
    Output isLow = addOp("Less", {x, least}),
           isHigh = addOp("Greater", {x, most});
    Output isBound = addOp("LogicalOr", {isLow, isHigh});
    call.set(0, addOp("SelectV2", {isBound, zeros, dz}));
    Output low = addOp("SelectV2", {isLow, dz, zeros});
    Output high = addOp("SelectV2", {isHigh, dz, zeros});
    call.set(1, reduceToOperands(x, least, {}, low).second);
    call.set(2, reduceToOperands(x, most, {}, high).second);
  });
}

Output notZero(const Output &x) {
  return ops::cast(addOp("NotEqual", {x, 0.0}), x.dtype());
}

/// Igamma where the sign is 1, Igammac where it is -1.
void incompleteGamma(GradientCall &call, double sign) {
  Output a = call.in(0), x = call.in(1), dz = call.grad();
  Output shapeA = ops::shape(a), shapeX = ops::shape(x);
  ControlScope after({dz});
  Output da = addOp("IgammaGradA", {a, x});
  Output dx =
      addOp("Exp", {(a - 1.0) * addOp("Log", {x}) - x - addOp("Lgamma", {a})});
  auto [toA, toX] =
      sumToOperands(shapeA, shapeX, sign * da * dz, sign * dx * dz);
  call.set(0, toA);
  call.set(1, toX);
}

void registerSpecialPairs(GradientRegistry &registry) {
  addSummed(
      registry, "Xlogy", BINARY {
        Output dx = addOp("Xlogy", {notZero(x), y}),
               dy = addOp("Xdivy", {x, y});
        return {dx * dz, dy * dz};
      });
  addSummed(
      registry, "Xlog1py", BINARY {
        Output dx = addOp("Xlog1py", {notZero(x), y});
        Output dy = addOp("Xdivy", {x, y + 1.0});
        return {dx * dz, dy * dz};
      });
  addSummed(
      registry, "Xdivy", BINARY {
        Output dx = addOp("Xdivy", {notZero(x), y});
        Output dy = addOp("Xdivy", {ops::negative(x), ops::multiply(y, y)});
        return {dx * dz, dy * dz};
      });
  // With respect to the second operand alone.
  addSummed(
      registry, "Zeta",
      BINARY { return {Output(), -x * addOp("Zeta", {x + 1.0, y}) * dz}; });
  addSummed(
      registry, "Polygamma",
      BINARY { return {Output(), addOp("Polygamma", {x + 1.0, y}) * dz}; });
#undef BINARY
  registry.add({"Igamma"},
               [](GradientCall &call) { incompleteGamma(call, 1); });
  registry.add({"Igammac"},
               [](GradientCall &call) { incompleteGamma(call, -1); });
}

} // namespace

void registerBinaryGradients(GradientRegistry &registry) {
  registerArithmetic(registry);
  registerPowers(registry);
  registerSelections(registry);
  registerSpecialPairs(registry);
}

} // namespace kiln
