// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of what makes complex numbers and takes them apart. The gradient of
// a complex number is conjugated, as TensorFlow's is.
#include "kiln/ops/ElementwiseOps.h"
#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

Output complex(const Input &real, const Input &imag, DType part) {
  return addOp("Complex", {real, imag},
               {{"Tout", part == DType::Float64 ? DType::Complex128
                                                : DType::Complex64}});
}

Output part(std::string_view op, const Output &numbers) {
  return addOp(
      op, {numbers},
      {{"Tout", numbers.dtype() == DType::Complex128 ? DType::Float64
                                                     : DType::Float32}});
}

Output zero(const Output &like) {
  return ops::constant(0.0, {.dtype = like.dtype()});
}

} // namespace

void registerComplexGradients(GradientRegistry &registry) {
  registry.add({"Complex"}, [](GradientCall &call) {
    Output dz = call.grad();
    Output real = part("Real", dz), imag = part("Imag", dz);
    auto [dx, dy] = reduceToOperands(call.in(0), call.in(1), real, imag);
    call.set(0, dx);
    call.set(1, dy);
  });
  registry.add({"Real"}, [](GradientCall &call) {
    Output dy = call.grad();
    call.set(0, complex(dy, zero(dy), dy.dtype()));
  });
  registry.add({"Imag"}, [](GradientCall &call) {
    Output dy = call.grad();
    call.set(0, complex(zero(dy), dy, dy.dtype()));
  });
  registry.add({"Conj"}, [](GradientCall &call) {
    call.set(0, conjugated(call.grad()));
  });
  registry.add({"ComplexAbs"}, [](GradientCall &call) {
    Output dy = call.grad(), y = call.out();
    Output along = complex(dy, ops::zerosLike(dy), dy.dtype()) * call.in(0);
    call.set(0, ops::divNoNan(along, complex(y, ops::zerosLike(y), y.dtype())));
  });
  registry.add({"Angle"}, [](GradientCall &call) {
    Output x = call.in(0), dy = call.grad();
    ControlScope after({dy});
    Output real = part("Real", x), imag = part("Imag", x);
    Output slope = addOp("Reciprocal", {complex(imag, real, dy.dtype())});
    call.set(0, -complex(dy, zero(dy), dy.dtype()) * slope);
  });
}

} // namespace kiln
