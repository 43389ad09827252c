// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Norms of vectors and matrices, as TensorFlow's Python adds them.
#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/FunctionalOps.h"
#include "kiln/ops/Linalg.h"
#include "kiln/ops/LinearAlgebraOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Selection.h"
#include "lib/Build/Literal.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <cmath>

namespace kiln::ops {
namespace {

/// The order of a norm: a name, or a number.
struct Order {
  explicit Order(const Input &ord) {
    if (const auto *text = std::get_if<std::string>(&ord.value()))
      name = *text;
    else if (const auto *integer = std::get_if<int64_t>(&ord.value()))
      number = static_cast<double>(*integer);
    else if (const auto *real = std::get_if<double>(&ord.value()))
      number = *real;
    else
      name = "?";
  }
  bool isNamed() const { return !name.empty(); }
  bool isEuclidean() const { return name == "euclidean"; }

  std::string name;
  double number = 0;
};

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status check(const Order &order, const NormOptions &options) {
  std::string ord = pythonText(options.ord).first;
  if (options.axis.size() > 2 ||
      (options.axis.size() == 2 && options.axis[0] == options.axis[1]))
    return invalidArgumentError(
        strCat("'axis' must be None, an integer, or a tuple of 2 unique "
               "integers, got (",
               strJoin(options.axis, ", "), ")"));
  if (options.axis.size() == 2) {
    if (order.isEuclidean() || order.name == "fro" ||
        (!order.isNamed() &&
         (order.number == 1 || order.number == 2 || order.number == INFINITY)))
      return okStatus();
    return invalidArgumentError(
        strCat("'ord' must be a supported matrix norm in ['euclidean', 'fro', "
               "1, 2, inf], got ",
               ord));
  }
  if (order.isEuclidean() || (!order.isNamed() && order.number > 0))
    return okStatus();
  return invalidArgumentError(
      strCat("'ord' must be a supported vector norm, got ", ord));
}

/// The largest singular values. The axes go to the end and back.
Output spectralNorm(const Output &tensor, const std::vector<int64_t> &axis) {
  Output rank = ops::rank(tensor);
  if (!rank.node)
    return {};
  Output places = mapFn(
      [&](const Outputs &axes) {
        return Outputs(cond(
            axes[0] >= 0, [&] { return BranchResult(axes[0]); },
            [&] { return BranchResult(axes[0] + rank); }));
      },
      {valueOf(axis)});
  Output all = range(rank);
  Output others = rawOps::listDiff(all, places).out;
  Output before = concat({others, places}, 0);
  Output after = mapFn(
      [&](const Outputs &axes) {
        Output found = where(rawOps::equal(before, axes[0]));
        return Outputs(cast(squeeze(found), DType::Int32));
      },
      {all}, {.dtypes = {}});
  Output moved = transpose(tensor, before);
  Output values = abs(rawOps::svd(moved, {.computeUv = false}).s);
  Output largest =
      expandDims(reduceMaxOver(values, -1, {.keepDims = true}), -1);
  return transpose(largest, after);
}

Output sumOfPowers(const Output &tensor, const Order &order,
                   const NormOptions &options,
                   const std::optional<Input> &axis) {
  const std::vector<int64_t> &axes = options.axis;
  std::optional<Input> first;
  if (!axes.empty())
    first = axes[0];
  Output sizes = abs(tensor);
  if (order.number == 1) {
    Output sums = sumOver(sizes, first, true);
    return axes.size() == 2 ? maxOver(sums, Input(axes[1]), true) : sums;
  }
  if (order.number == INFINITY) {
    if (axes.size() == 2)
      sizes = sumOver(sizes, Input(axes[1]), true);
    return maxOver(sizes, first, true);
  }
  Output sum = sumOver(pow(sizes, options.ord), axis, true);
  return pow(sum, 1.0 / order.number);
}

} // namespace

Output norm(const Input &tensor, const NormOptions &options) {
  GraphScope graph(builderOf(tensor));
  Order order(options.ord);
  if (Status status = check(order, options); !status.ok())
    return failed(status, options.name.empty() ? "norm" : options.name);
  FunctionScope scope(options.name, "norm", {&tensor});
  Output values = valueOf(tensor);
  if (!values.node)
    return {};
  std::optional<Input> axis;
  if (!options.axis.empty())
    axis = options.axis;
  Output result;
  if (options.axis.size() == 2 && !order.isNamed() && order.number == 2)
    result = spectralNorm(values, options.axis);
  else if (order.isNamed() || order.number == 2)
    result = rawOps::sqrt(sumOver(values * values, axis, true));
  else
    result = sumOfPowers(values, order, options, axis);
  return options.keepDims ? result : squeeze(result, {.axis = options.axis});
}

Normalized normalize(const Input &tensor, const NormalizeOptions &options) {
  FunctionScope scope(options.name, "normalize", {&tensor});
  Output values = valueOf(tensor);
  Output size = norm(
      values, {.ord = options.ord, .axis = options.axis, .keepDims = true});
  if (!values.node || !size.node)
    return {};
  size = cast(size, values.dtype());
  return {values / size, size};
}

} // namespace kiln::ops
