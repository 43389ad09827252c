// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clipping by norms, as TensorFlow's Python adds it.
#include "kiln/Clipping.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Helpers.h"

namespace kiln::ops {
namespace {

Output valuesOf(const Gradient &gradient) {
  return gradient.isSparse() ? gradient.slices().values : gradient.tensor();
}

Gradient withValues(const Gradient &gradient, const Output &values) {
  if (!gradient.isSparse())
    return values;
  return IndexedSlices{values, gradient.slices().indices,
                       gradient.slices().denseShape};
}

/// The graph that the first of them is in.
GraphBuilder graphOf(const std::vector<Gradient> &list) {
  for (const Gradient &each : list)
    if (!each.isNone())
      return GraphBuilder::of(valuesOf(each));
  return GraphBuilder::current();
}

} // namespace

Gradient clipByNorm(const Gradient &t, const Input &clipNorm,
                    const ClipByNormOptions &options) {
  Output values = valuesOf(t);
  if (!values.node)
    return {};
  Input given(values);
  FunctionScope scope(options.name, "clip_by_norm", {&given, &clipNorm});
  Input limit = clipNorm;
  if (std::optional<double> number = numberOf(clipNorm)) {
    if (*number < 0)
      limit = 0;
  } else {
    limit = cast(maximum(clipNorm, 0), values.dtype());
  }
  Output squares = values * values;
  Output sum = options.axes
                   ? reduceSum(squares, *options.axes, {.keepDims = true})
                   : reduceSum(squares, {.keepDims = true});
  Output isPositive = sum > 0;
  Output safe = where(isPositive, sum, onesLike(sum));
  Output norm = where(isPositive, sqrt(safe), sum);
  Output scaled = binary("mul", values, limit);
  Output larger = maximum(norm, limit);
  return withValues(t, identity(scaled / larger, {.name = scope}));
}

Output clipByAverageNorm(const Input &t, const Input &clipNorm,
                         const OpOptions &options) {
  FunctionScope scope(options.name, "clip_by_average_norm", {&t, &clipNorm});
  Output values = GraphBuilder::current().convert(t, {.name = "t"});
  if (!values.node)
    return {};
  Output count = cast(size(values), DType::Float32);
  Output squares = values * values;
  Output axes = range(rank(values));
  Output inverse = rsqrt(reduceSum(squares, axes));
  Output scaled = binary("mul", values, clipNorm);
  Output ratio = inverse * count;
  Output most = binary("truediv", constant(1.0), clipNorm);
  return identity(scaled * minimum(ratio, most), {.name = scope});
}

Output globalNorm(const std::vector<Gradient> &list, const OpOptions &options) {
  GraphScope graph(graphOf(list));
  NameScope scope(options.name, "global_norm");
  std::vector<Output> halves;
  for (const Gradient &each : list)
    if (Output values = valuesOf(each); values.node) {
      ColocationScope place(values);
      halves.push_back(l2Loss(values));
    }
  if (halves.empty()) {
    GraphBuilder::current().fail(
        invalidArgumentError("expected at least one tensor for a global norm, "
                             "got none"));
    return {};
  }
  Output half = reduceSum(stack(halves));
  if (!half.node)
    return {};
  Output two = constant(2.0, {.dtype = half.dtype()});
  return sqrt(half * two, {.name = "global_norm"});
}

ClippedGradients clipByGlobalNorm(const std::vector<Gradient> &list,
                                  const Input &clipNorm,
                                  const ClipByGlobalNormOptions &options) {
  GraphScope graph(graphOf(list));
  Output norm = options.useNorm;
  if (!norm.node)
    norm = globalNorm(list, {.name = options.name});
  ClippedGradients clipped{std::vector<Gradient>(list.size()), norm};
  if (!norm.node)
    return clipped;
  NameScope scope(options.name, "clip_by_global_norm");
  Output inverse = 1.0 / norm;
  Output one = constant(1.0, {.dtype = norm.dtype()});
  Output most = binary("truediv", one, clipNorm);
  Output ratio = minimum(inverse, most);
  Output finite = binary("mul", clipNorm, ratio);
  Output scale = finite + (norm - norm);
  for (size_t i = 0; i < list.size(); ++i) {
    Output values = valuesOf(list[i]);
    if (!values.node || !scale.node)
      continue;
    ColocationScope place(values);
    Output scaled = values * cast(scale, values.dtype());
    clipped.list[i] = withValues(
        list[i], identity(scaled, {.name = strCat(scope.name(), "_", i)}));
  }
  return clipped;
}

} // namespace kiln::ops
