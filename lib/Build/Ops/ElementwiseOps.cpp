// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of single elements, as TensorFlow's Python adds them.
#include "kiln/ops/ElementwiseOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace kiln::ops {

Output scalarMul(const Input &scalar, const Output &x,
                 const OpOptions &options) {
  Input given(x);
  GraphScope graph(builderOf(given));
  if (!x.node)
    return {};
  Output factor = convert(scalar, "scalar", x.dtype());
  if (!factor.node)
    return {};
  if (factor.shape().rank() != 0)
    return failed(invalidArgumentError(
                      strCat("The input scalar must be a 0-D value. Received "
                             "shape ",
                             factor.shape().toTupleString(), ".")),
                  options.name);
  return rawOps::mul(factor, x, options);
}

Output logicalXor(const Input &x, const Input &y, const OpOptions &options) {
  GraphScope graph(builderOf(x.output() ? x : y));
  Output either = rawOps::logicalOr(x, y);
  Output notBoth = rawOps::logicalNot(rawOps::logicalAnd(x, y));
  return rawOps::logicalAnd(
      either, notBoth,
      {.name = options.name.empty() ? "LogicalXor" : options.name});
}

Output round(const Input &x, const OpOptions &options) {
  GraphScope graph(builderOf(x));
  Output values = convert(x, "x");
  if (!values.node || isInteger(values.dtype()))
    return values;
  return rawOps::round(values, options);
}
Output sign(const Input &x, const OpOptions &options) {
  GraphScope graph(builderOf(x));
  return rawOps::sign(valueOf(x), options);
}
Output logSigmoid(const Input &x, const OpOptions &options) {
  FunctionScope scope(options.name, "LogSigmoid", {&x});
  Output values = convert(x, "x");
  if (!values.node)
    return {};
  return rawOps::neg(rawOps::softplus(-values), {.name = scope});
}

namespace {

Status dtypesDiffer(const Output &x, const Output &y, std::string_view end) {
  return invalidArgumentError(strCat("`x` and `y` must have the same dtype, "
                                     "got tf.",
                                     dtypeName(x.dtype()), " != tf.",
                                     dtypeName(y.dtype()), end));
}

} // namespace

Output divNoNan(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "div_no_nan", {&x, &y});
  Output a, b;
  auto isTensor = [](const Input &value) {
    return value.output() ||
           std::holds_alternative<std::shared_ptr<const VariableData>>(
               value.value());
  };
  if (!isTensor(x) && isTensor(y)) {
    b = convert(y, "y");
    a = convert(x, "x", b.node ? b.dtype() : DType::Invalid);
  } else {
    a = convert(x, "x");
    b = convertLike(y, a, "y");
  }
  if (!a.node || !b.node)
    return {};
  if (a.dtype() != b.dtype())
    return failed(dtypesDiffer(a, b, "."), scope);
  if (isInteger(a.dtype())) {
    DType wide = dtypeSize(a.dtype()) < 4 ? DType::Float32 : DType::Float64;
    a = cast(a, wide);
    b = cast(b, wide);
  }
  return rawOps::divNoNan(a, b, {.name = scope});
}

Output multiplyNoNan(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "multiply_no_nan", {&x, &y});
  Output a = convert(x, "x");
  if (!a.node)
    return {};
  return rawOps::mulNoNan(a, convert(y, "y", a.dtype()), {.name = scope});
}

Output reciprocalNoNan(const Input &x, const OpOptions &options) {
  FunctionScope scope(options.name, "reciprocal_no_nan", {&x});
  Output values = convert(x, "x");
  if (!values.node)
    return {};
  Output one = constant(1, {.dtype = values.dtype(), .name = "one"});
  return rawOps::divNoNan(one, values, {.name = scope});
}

Output xdivy(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "xdivy", {&x, &y});
  return rawOps::xdivy(x, y);
}
Output xlog1py(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "xlog1py", {&x, &y});
  return rawOps::xlog1py(x, y);
}
Output erfinv(const Input &x, const OpOptions &options) {
  FunctionScope scope(options.name, "erfinv", {&x});
  return rawOps::erfinv(x);
}
Output ndtri(const Input &x, const OpOptions &options) {
  FunctionScope scope(options.name, "ndtri", {&x});
  return rawOps::ndtri(x);
}

namespace {

/// The least and the largest number of a type, rounded to a double where it has
/// no such one.
std::pair<double, double> rangeOf(DType dtype) {
  constexpr double mostOfHalf = 65504, mostOfBFloat16 = 0x1.FEp127;
  if (dtype == DType::Float16)
    return {-mostOfHalf, mostOfHalf};
  if (dtype == DType::BFloat16)
    return {-mostOfBFloat16, mostOfBFloat16};
  return dispatchNumber(dtype, [](auto sample) {
    using Own = std::numeric_limits<decltype(sample)>;
    return std::pair(static_cast<double>(Own::lowest()),
                     static_cast<double>(Own::max()));
  });
}

/// The number of a float type that is nearest to a limit, and not beyond it.
double within(DType dtype, double limit) {
  // How many bits of a double's fraction the type leaves out.
  const int spare = dtype == DType::Float32    ? 29
                    : dtype == DType::Float16  ? 42
                    : dtype == DType::BFloat16 ? 45
                                               : 0;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(limit) >> spare
                                                                     << spare);
}

/// The limits that numbers of a type are held in before they become another.
std::pair<Tensor, Tensor> clampOf(DType from, DType to) {
  if (!isInteger(from)) {
    const auto [ownLeast, ownMost] = rangeOf(from);
    const auto [least, most] = rangeOf(to);
    return {Tensor::scalar(within(from, std::max(ownLeast, least))),
            Tensor::scalar(within(from, std::min(ownMost, most)))};
  }
  return dispatchInteger(from, [&](auto sample) {
    using T = decltype(sample);
    using Own = std::numeric_limits<T>;
    T least = Own::lowest(), most = Own::max();
    if (isInteger(to))
      dispatchInteger(to, [&](auto target) {
        using Other = std::numeric_limits<decltype(target)>;
        if (std::cmp_less(least, Other::lowest()))
          least = static_cast<T>(Other::lowest());
        if (std::cmp_greater(most, Other::max()))
          most = static_cast<T>(Other::max());
        return true;
      });
    return std::pair(Tensor::scalar(least), Tensor::scalar(most));
  });
}

} // namespace

Output saturateCast(const Input &value, DType dtype, const OpOptions &options) {
  FunctionScope scope(options.name, "saturate_cast", {&value});
  Output values = convert(value, "value");
  if (!values.node)
    return {};
  const auto [least, most] = clampOf(values.dtype(), dtype);
  Output low = convert(least, "", values.dtype());
  Output high = convert(most, "", values.dtype());
  values = rawOps::clipByValue(values, low, high, {.name = "clamp"});
  return values.node ? cast(values, dtype, {.name = scope}) : Output();
}

Output accumulateN(const InputList &inputs, const AccumulateOptions &options) {
  std::string name = options.name.empty() ? "AccumulateNV2" : options.name;
  auto refused = [&] {
    return failed(invalidArgumentError("inputs must be a list of at least one "
                                       "Tensor with the same dtype and shape"),
                  name);
  };
  if (inputs.size() == 0)
    return refused();
  GraphScope graph(builderOf(inputs.list()[0]));
  std::vector<Output> tensors;
  Shape shape = options.shape;
  for (const Input &each : inputs.list())
    tensors.push_back(valueOf(each));
  for (const Output &each : tensors) {
    if (!each.node)
      return {};
    if (each.dtype() != tensors[0].dtype())
      return refused();
    auto merged = shape.merge(each.shape());
    if (!merged.ok())
      return failed(invalidArgumentError(strCat(
                        "Shapes ", shape.toTupleString(), " and ",
                        each.shape().toTupleString(), " are not compatible")),
                    name);
    shape = *merged;
  }
  if (options.tensorDType != DType::Invalid &&
      options.tensorDType != tensors[0].dtype())
    return failed(
        invalidArgumentError(strCat(
            "The `tensor_dtype` argument is <dtype: '",
            dtypeName(options.tensorDType),
            "'>, but `input` is of type <dtype: '",
            dtypeName(tensors[0].dtype()),
            "'>. These must be equal. Try casting the input to the desired "
            "type.")),
        name);
  return addN(tensors, {.name = options.name});
}

Output polyval(const InputList &coefficients, const Input &x,
               const OpOptions &options) {
  FunctionScope scope(options.name, "polyval", {&x});
  Output values = convert(x, "x");
  if (!values.node)
    return {};
  if (coefficients.size() == 0)
    return zerosLike(values, {.name = scope});
  std::vector<Output> numbers;
  for (size_t i = 0; i < coefficients.size(); ++i)
    numbers.push_back(convert(coefficients.list()[i], strCat("coeff_", i)));
  Output sum = numbers[0];
  for (size_t i = 1; i < numbers.size(); ++i) {
    if (!sum.node || !numbers[i].node)
      return {};
    Output product = sum * values;
    sum = numbers[i] + product;
  }
  return sum;
}

} // namespace kiln::ops
