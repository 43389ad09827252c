// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, reductions and products as TensorFlow's Python functions add
// them.
#include "kiln/ops/MathOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Complex.h"
#include "kiln/ops/ComplexOps.h"
#include "kiln/ops/Linalg.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/Reduction.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/VariableData.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

/// Whether tf.truediv casts; and to what.
std::optional<DType> divisionType(DType dtype) {
  switch (dtype) {
  case DType::UInt8:
  case DType::Int8:
  case DType::UInt16:
  case DType::Int16:
    return DType::Float32;
  case DType::Int32:
  case DType::UInt32:
  case DType::Int64:
  case DType::UInt64:
    return DType::Float64;
  default:
    return std::nullopt;
  }
}

Status dtypesDiffer(DType x, DType y) {
  return invalidArgumentError(
      strCat("`x` and `y` must have the same dtype, got tf.", dtypeName(x),
             " != tf.", dtypeName(y), "."));
}

} // namespace

Output add(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "Add", {&x, &y});
  Output a = convert(x, "x");
  Output b = convertLike(y, a, "y");
  return a.node && a.dtype() == DType::String
             ? rawOps::add(a, b, {.name = scope})
             : rawOps::addV2(a, b, {.name = scope});
}

Output subtract(const Input &x, const Input &y, const OpOptions &options) {
  return rawOps::sub(x, y, options);
}
Output multiply(const Input &x, const Input &y, const OpOptions &options) {
  return rawOps::mul(x, y, options);
}

Output trueDiv(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "truediv", {&x, &y});
  Output a = convert(x, "x");
  Output b = convertLike(y, a, "y");
  if (!a.node || !b.node)
    return {};
  if (a.dtype() != b.dtype())
    return failed(dtypesDiffer(a.dtype(), b.dtype()), scope);
  if (auto dtype = divisionType(a.dtype())) {
    a = cast(a, *dtype);
    b = cast(b, *dtype);
  }
  return rawOps::realDiv(a, b, {.name = scope});
}

Output divide(const Input &x, const Input &y, const OpOptions &options) {
  if (!options.name.empty() || x.output())
    return trueDiv(x, y, options);
  GraphScope graph(builderOf(y));
  const Output *like = y.output();
  return trueDiv(
      convert(x, "", like && like->node ? like->dtype() : DType::Invalid), y);
}

Output div(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "div", {&x, &y});
  Output a = convert(x, "x");
  if (!a.node)
    return {};
  Output b = convert(y, "y", a.dtype());
  return isFloating(a.dtype()) || isComplex(a.dtype())
             ? rawOps::realDiv(a, b, {.name = scope})
             : rawOps::floorDiv(a, b, {.name = scope});
}

Output floorDiv(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "floordiv", {&x, &y});
  return rawOps::floorDiv(x, y, {.name = scope});
}
Output mod(const Input &x, const Input &y, const OpOptions &options) {
  return rawOps::floorMod(x, y, options);
}
Output pow(const Input &x, const Input &y, const OpOptions &options) {
  FunctionScope scope(options.name, "Pow", {&x, &y});
  return rawOps::pow(x, y, {.name = scope});
}

Output abs(const Input &x, const OpOptions &options) {
  FunctionScope scope(options.name, "Abs", {&x});
  Output converted = convert(x, "x");
  if (converted.node && isComplex(converted.dtype()))
    return rawOps::complexAbs(converted,
                              {.tout = converted.dtype() == DType::Complex128
                                           ? DType::Float64
                                           : DType::Float32,
                               .name = scope});
  return rawOps::abs(converted, {.name = scope});
}
Output negative(const Input &x, const OpOptions &options) {
  return rawOps::neg(x, options);
}

Output cast(const Input &x, DType dtype, const OpOptions &options) {
  if (const Output *tensor = x.output();
      tensor && tensor->node && tensor->dtype() == dtype)
    return *tensor;
  FunctionScope scope(options.name, "Cast", {&x});
  Output converted = convert(x, "x");
  if (!converted.node || converted.dtype() == dtype)
    return converted;
  return rawOps::cast(converted, dtype, {.name = scope});
}

Output addN(const InputList &inputs, const OpOptions &options) {
  if (inputs.size() == 1 && inputs.list()[0].output()) {
    const Output &only = *inputs.list()[0].output();
    return options.name.empty() ? only
                                : Output{addIdentity(only, options.name), 0};
  }
  // Values become tensors before the op, without its name.
  auto known = std::ranges::find_if(
      inputs.list(), [](const Input &each) { return each.output(); });
  std::optional<GraphScope> graph;
  if (known != inputs.list().end())
    graph.emplace(builderOf(*known));
  std::vector<Input> tensors;
  for (const Input &each : inputs.list())
    tensors.push_back(valueOf(each));
  return rawOps::addN(tensors, options);
}

Output clipByValue(const Input &t, const Input &minimum, const Input &maximum,
                   const OpOptions &options) {
  FunctionScope scope(options.name, "clip_by_value", {&t, &minimum, &maximum});
  Output values = convert(t, "t");
  Output least = rawOps::minimum(values, maximum);
  return rawOps::maximum(least, minimum, {.name = scope});
}

namespace {

using SharedVariable = std::shared_ptr<const VariableData>;

Shape shapeOf(const Input &x) {
  if (x.output() && x.output()->node)
    return x.output()->shape();
  const auto *variable = std::get_if<SharedVariable>(&x.value());
  return variable ? (*variable)->shape : Shape::unknownRank();
}

} // namespace

Output allAxes(const Input &x) {
  Shape shape = shapeOf(x);
  if (shape.rank() > 0) {
    std::vector<int32_t> axes(static_cast<size_t>(shape.rank()));
    for (size_t i = 0; i < axes.size(); ++i)
      axes[i] = static_cast<int32_t>(i);
    return GraphBuilder::current().convert(axes);
  }
  return range(0, rank(x));
}

namespace {

template <class Function>
Output reduceAllAxes(Function function, const Input &x,
                     const ReduceOptions &options) {
  GraphScope graph(builderOf(x));
  Output axes = allAxes(x);
  auto reduce = [&] {
    return function(x, axes,
                    {.keepDims = options.keepDims, .name = options.name});
  };
  return options.keepDims || shapeOf(x).hasRank() ? reduce()
                                                  : withShape({}, reduce);
}

} // namespace

#define KILN_REDUCTION(function, raw, Options)                                 \
  Output function(const Input &x, const ReduceOptions &options) {              \
    return reduceAllAxes(                                                      \
        [](const Input &values, const Input &axes,                             \
           const rawOps::Options &given) {                                     \
          return rawOps::raw(values, axes, given);                             \
        },                                                                     \
        x, options);                                                           \
  }                                                                            \
  Output function##Over(const Input &x, const Input &axis,                     \
                        const ReduceOptions &options) {                        \
    return rawOps::raw(x, axis,                                                \
                       {.keepDims = options.keepDims, .name = options.name});  \
  }

KILN_REDUCTION(reduceSum, sum, SumOptions)
KILN_REDUCTION(reduceMean, mean, MeanOptions)
KILN_REDUCTION(reduceProd, prod, ProdOptions)
KILN_REDUCTION(reduceMax, max, MaxOptions)
KILN_REDUCTION(reduceMin, min, MinOptions)
KILN_REDUCTION(reduceAny, any, AnyOptions)
KILN_REDUCTION(reduceAll, all, AllOptions)
#undef KILN_REDUCTION

Output argMax(const Input &x, const Input &axis, const ArgOptions &options) {
  return rawOps::argMax(
      x, axis, {.outputType = options.outputType, .name = options.name});
}
Output argMin(const Input &x, const Input &axis, const ArgOptions &options) {
  return rawOps::argMin(
      x, axis, {.outputType = options.outputType, .name = options.name});
}

Output cumsum(const Input &x, const Input &axis,
              const CumulativeOptions &options) {
  FunctionScope scope(options.name, "Cumsum", {&x, &axis});
  return rawOps::cumsum(convert(x, "x"), axis,
                        {.exclusive = options.exclusive,
                         .reverse = options.reverse,
                         .name = scope});
}
Output cumprod(const Input &x, const Input &axis,
               const CumulativeOptions &options) {
  FunctionScope scope(options.name, "Cumprod", {&x, &axis});
  return rawOps::cumprod(convert(x, "x"), axis,
                         {.exclusive = options.exclusive,
                          .reverse = options.reverse,
                          .name = scope});
}

Output matMul(const Input &a, const Input &b, const MatMulOptions &options) {
  FunctionScope scope(options.name, "MatMul", {&a, &b});
  if ((options.transposeA && options.adjointA) ||
      (options.transposeB && options.adjointB)) {
    std::string_view side = options.transposeA && options.adjointA ? "a" : "b";
    return failed(invalidArgumentError(
                      strCat("Only one of `transpose_", side, "` and `adjoint_",
                             side, "` can be True. Received `transpose_", side,
                             "`=True, `adjoint_", side, "`=True.")),
                  scope);
  }
  Output x = convert(a, "a");
  Output y = convertLike(b, x, "b");
  if (!x.node || !y.node)
    return {};
  bool turnA = options.transposeA || options.adjointA;
  bool turnB = options.transposeB || options.adjointB;
  auto mayBeStack = [](const Output &tensor) {
    return !tensor.shape().hasRank() || tensor.shape().rank() > 2;
  };
  auto isNarrow = [](const Output &tensor) {
    return tensor.dtype() == DType::Float32 ||
           tensor.dtype() == DType::BFloat16;
  };
  bool saysSparse = options.aIsSparse || options.bIsSparse;
  // Stacks are not transposed, and matrices not conjugated, by the op.
  const bool isStack = !saysSparse && (mayBeStack(x) || mayBeStack(y));
  if (isStack ? options.transposeA : options.adjointA)
    x = conj(x);
  if (isStack ? options.transposeB : options.adjointB)
    y = conj(y);
  if (isStack)
    return rawOps::batchMatMulV2(x, y,
                                 {.adjX = turnA, .adjY = turnB, .name = scope});
  if ((saysSparse && isNarrow(x) && isNarrow(y)) ||
      (x.dtype() != y.dtype() && isNarrow(x) && isNarrow(y))) {
    Output product = rawOps::sparseMatMul(x, y,
                                          {.transposeA = turnA,
                                           .transposeB = turnB,
                                           .aIsSparse = options.aIsSparse,
                                           .bIsSparse = options.bIsSparse,
                                           .name = scope});
    bool isHalf = x.dtype() == DType::BFloat16 && y.dtype() == x.dtype();
    return isHalf && product.node ? cast(product, DType::BFloat16) : product;
  }
  return rawOps::matMul(
      x, y, {.transposeA = turnA, .transposeB = turnB, .name = scope});
}

Output range(const Input &limit, const RangeOptions &options) {
  return rangeFrom(0, limit, 1, options);
}

Output rangeFrom(const Input &start, const Input &limit, const Input &delta,
                 const RangeOptions &options) {
  FunctionScope scope(options.name, "Range", {&start, &limit, &delta});
  // A tensor is cast; what is none yet becomes one of the dtype.
  auto part = [&](const Input &value, std::string_view name) {
    return value.output() ? valueOf(value)
                          : convert(value, name, options.dtype);
  };
  Output parts[] = {part(start, "start"), part(limit, "limit"),
                    part(delta, "delta")};
  DType dtype = options.dtype;
  if (dtype == DType::Invalid) {
    constexpr DType order[] = {DType::Int32,    DType::Int64,   DType::Float16,
                               DType::BFloat16, DType::Float32, DType::Float64};
    auto place = [&](const Output &part) {
      return std::ranges::find(order, part.dtype()) - std::begin(order);
    };
    dtype = std::ranges::max(parts, {}, place).dtype();
  }
  for (Output &part : parts)
    if (part.node)
      part = cast(part, dtype);
  return rawOps::range(parts[0], parts[1], parts[2], {.name = scope});
}

} // namespace kiln::ops
