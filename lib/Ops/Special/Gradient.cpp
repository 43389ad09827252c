// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of Bessel functions, of integrals and of the incomplete beta
// function.
#include "lib/Autodiff/GradientCall.h"

#include <numbers>

namespace kiln {
namespace {

/// The derivative of y = f(x).
using Derivative = Output (*)(const Output &x, const Output &y);

void addUnary(GradientRegistry &registry, std::string_view type,
              Derivative derivative) {
  registry.add({type}, [derivative](GradientCall &call) {
    Output dy = call.grad();
    ControlScope after({dy});
    call.set(0, dy * derivative(call.in(0), call.out()));
  });
}

Output like(double value, const Output &tensor) {
  return ops::constant(value, {.dtype = tensor.dtype()});
}

/// Another value where x is one number at which the formula has none.
Output exceptAt(double place, const Output &x, double there,
                const Output &elsewhere) {
  return addOp("SelectV2",
               {addOp("Equal", {x, place}), like(there, x), elsewhere});
}

#define DERIVATIVE [](const Output &x, const Output &y)->Output

void registerIntegrals(GradientRegistry &registry) {
  addUnary(registry, "Dawsn", DERIVATIVE { return 1.0 - 2.0 * x * y; });
  addUnary(
      registry, "Expint", DERIVATIVE {
        (void)y;
        return addOp("Exp", {x}) / x;
      });
  addUnary(
      registry, "FresnelCos", DERIVATIVE {
        (void)y;
        return addOp("Cos", {std::numbers::pi / 2 * addOp("Square", {x})});
      });
  addUnary(
      registry, "FresnelSin", DERIVATIVE {
        (void)y;
        return addOp("Sin", {std::numbers::pi / 2 * addOp("Square", {x})});
      });
  addUnary(
      registry, "Spence", DERIVATIVE {
        (void)y;
        return exceptAt(1, x, -1, addOp("Log", {x}) / (1.0 - x));
      });
}

void registerBessel(GradientRegistry &registry) {
  addUnary(
      registry, "BesselJ0", DERIVATIVE {
        (void)y;
        return -addOp("BesselJ1", {x});
      });
  addUnary(
      registry, "BesselJ1", DERIVATIVE {
        return exceptAt(0, x, 0.5, addOp("BesselJ0", {x}) - y / x);
      });
  addUnary(
      registry, "BesselK0", DERIVATIVE {
        (void)y;
        return -addOp("BesselK1", {x});
      });
  addUnary(
      registry, "BesselK0e",
      DERIVATIVE { return y - addOp("BesselK1e", {x}); });
  addUnary(
      registry, "BesselK1",
      DERIVATIVE { return -addOp("BesselK0", {x}) - y / x; });
  addUnary(
      registry, "BesselK1e", DERIVATIVE {
        return y * (1.0 - addOp("Reciprocal", {x})) - addOp("BesselK0e", {x});
      });
  addUnary(
      registry, "BesselY0", DERIVATIVE {
        (void)y;
        return -addOp("BesselY1", {x});
      });
  addUnary(
      registry, "BesselY1",
      DERIVATIVE { return addOp("BesselY0", {x}) - y / x; });
#undef DERIVATIVE
}

/// With respect to x alone, as in TensorFlow.
void incompleteBeta(GradientCall &call) {
  Output a = call.in(0), b = call.in(1), x = call.in(2), dz = call.grad();
  Output logBeta =
      addOp("Lgamma", {a}) + addOp("Lgamma", {b}) - addOp("Lgamma", {a + b});
  Output dx = addOp("Exp", {(b - 1.0) * addOp("Log1p", {-x}) +
                            addOp("Xlogy", {a - 1.0, x}) - logBeta});
  call.set(2, sumToOperands(ops::shape(a), ops::shape(x), {}, dx * dz).second);
}

} // namespace

void registerSpecialGradients(GradientRegistry &registry) {
  registerIntegrals(registry);
  registerBessel(registry);
  registry.add({"Betainc"}, incompleteBeta);
  // It is as good as x itself.
  registry.add({"NextAfter"}, [](GradientCall &call) {
    Output x = call.in(0), y = call.in(1), dz = call.grad();
    Output shapeX = ops::shape(x), shapeY = ops::shape(y);
    auto [toX, toY] = sumToOperands(shapeX, shapeY, dz, ops::zerosLike(dz));
    call.set(0, toX);
    call.set(1, toY);
  });
}

} // namespace kiln
