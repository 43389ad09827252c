// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of complex numbers as TensorFlow's Python functions add them.
#include "kiln/ops/ComplexOps.h"

#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Complex.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <numbers>

namespace kiln::ops {
namespace {

DType partOf(DType dtype) {
  return dtype == DType::Complex128 ? DType::Float64 : DType::Float32;
}

bool isNumeric(DType dtype) {
  return isInteger(dtype) || isFloating(dtype) || isComplex(dtype);
}

} // namespace

Output complex(const Input &real, const Input &imag, const OpOptions &options) {
  Output re = convert(real, "real"), im = convert(imag, "imag");
  FunctionScope scope(options.name, "Complex", {&real, &imag});
  if (!re.node || !im.node)
    return {};
  const DType part = re.dtype();
  if (part != im.dtype() || (part != DType::Float32 && part != DType::Float64))
    return failed(
        invalidArgumentError(strCat(
            "The `real` and `imag` components have incorrect types: ",
            dtypeName(part), " ", dtypeName(im.dtype()),
            ". They must be consistent, and one of [tf.float32, tf.float64]")),
        scope);
  return rawOps::complex(
      re, im,
      {.tout = part == DType::Float64 ? DType::Complex128 : DType::Complex64,
       .name = scope});
}

Output real(const Input &input, const OpOptions &options) {
  FunctionScope scope(options.name, "Real", {&input});
  Output x = convert(input, "input");
  if (!x.node)
    return {};
  if (isComplex(x.dtype()))
    return rawOps::real(x, {.tout = partOf(x.dtype()), .name = scope});
  if (isNumeric(x.dtype()))
    return x;
  return failed(invalidArgumentError("input must be a numeric tensor, but got "
                                     "tensor with dtype " +
                                     std::string(dtypeName(x.dtype()))),
                scope);
}

Output imag(const Input &input, const OpOptions &options) {
  FunctionScope scope(options.name, "Imag", {&input});
  Output x = convert(input, "input");
  if (!x.node)
    return {};
  return isComplex(x.dtype())
             ? rawOps::imag(x, {.tout = partOf(x.dtype()), .name = scope})
             : zerosLike(x);
}

Output angle(const Input &input, const OpOptions &options) {
  FunctionScope scope(options.name, "Angle", {&input});
  Output x = convert(input, "input");
  if (!x.node)
    return {};
  if (isComplex(x.dtype()))
    return rawOps::angle(x, {.tout = partOf(x.dtype()), .name = scope});
  return where(x < 0, std::numbers::pi * onesLike(x), zerosLike(x));
}

Output conj(const Input &x, const OpOptions &options) {
  if (const Output *tensor = x.output();
      tensor && tensor->node &&
      (isInteger(tensor->dtype()) || isFloating(tensor->dtype())))
    return *tensor;
  FunctionScope scope(options.name, "Conj", {&x});
  Output converted = convert(x, "x");
  if (!converted.node)
    return {};
  const DType dtype = converted.dtype();
  if (isComplex(dtype) || dtype == DType::Variant)
    return rawOps::conj(converted, {.name = scope});
  if (isNumeric(dtype))
    return converted;
  return failed(
      invalidArgumentError(strCat(
          "Expected numeric or variant tensor, got dtype ", dtypeName(dtype))),
      scope);
}

} // namespace kiln::ops
