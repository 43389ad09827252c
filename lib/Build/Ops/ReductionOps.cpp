// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of several ops, as TensorFlow's Python adds them.
#include "kiln/ops/ReductionOps.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Reduction.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::ops {

Output reduceLogSumExp(const Input &x, const ReductionOptions &options) {
  FunctionScope scope(options.name, "ReduceLogSumExp", {&x});
  Output largest = maxOver(x, options.axis, true);
  Output shift = rawOps::stopGradient(
      rawOps::selectV2(rawOps::isFinite(largest), largest, 0));
  Output result = rawOps::log(
      sumOver(rawOps::exp(subtract(x, shift)), options.axis, options.keepDims));
  if (!options.keepDims)
    shift = rawOps::reshape(shift, rawOps::shape(result));
  if (options.keepDims || options.axis)
    return add(result, shift, {.name = scope});
  return withShape({}, [&] { return add(result, shift, {.name = scope}); });
}

Output reduceEuclideanNorm(const Input &x, const ReductionOptions &options) {
  GraphScope graph(builderOf(x));
  Output axes = options.axis ? Output() : allAxes(x);
  auto norm = [&] {
    return rawOps::euclideanNorm(
        x, options.axis ? *options.axis : Input(axes),
        {.keepDims = options.keepDims, .name = options.name});
  };
  return options.axis || options.keepDims ? norm() : withShape({}, norm);
}

Output reduceVariance(const Input &x, const ReductionOptions &options) {
  FunctionScope scope(options.name, "reduce_variance", {&x});
  Output values = valueOf(x);
  if (!values.node)
    return {};
  Output means = meanOver(values, options.axis, true);
  if (!means.node)
    return {};
  if (isInteger(means.dtype()))
    return failed(invalidArgumentError(strCat(
                      "Input must be either real or complex. Received integer "
                      "type <dtype: '",
                      dtypeName(means.dtype()), "'>.")),
                  scope);
  Output distances = values - means;
  return meanOver(rawOps::square(distances), options.axis, options.keepDims);
}

Output reduceStd(const Input &x, const ReductionOptions &options) {
  FunctionScope scope(options.name, "reduce_std", {&x});
  Output values = valueOf(x);
  if (!values.node)
    return {};
  return rawOps::sqrt(reduceVariance(
      values, {.axis = options.axis, .keepDims = options.keepDims}));
}

Output countNonzero(const Input &input, const CountNonzeroOptions &options) {
  FunctionScope scope(options.name, "count_nonzero", {&input});
  Output values = convert(input, "input");
  if (!values.node)
    return {};
  Output isCounted = values;
  if (values.dtype() != DType::Bool)
    isCounted =
        rawOps::notEqual(values, zeros(Shape(), {.dtype = values.dtype()}));
  return cast(
      sumOver(cast(isCounted, DType::Int64), options.axis, options.keepDims),
      options.dtype);
}

namespace {

Output nonzeroCount(const Output &values, DType dtype) {
  NameScope scope("count_nonzero");
  Output zero = zeros(Shape(), {.dtype = values.dtype()});
  return reduceSum(cast(rawOps::notEqual(values, zero), dtype),
                   {.name = "nonzero_count"});
}

} // namespace

Output zeroFraction(const Input &value, const OpOptions &options) {
  FunctionScope scope(options.name, "zero_fraction", {&value});
  Output values = convert(value, "value");
  if (!values.node)
    return {};
  Output all = size(values, {.outType = DType::Int64});
  Output isSmall = all <= std::numeric_limits<int32_t>::max();
  Output nonzero = cond(
      isSmall,
      [&] {
        return BranchResult(
            cast(nonzeroCount(values, DType::Int32), DType::Int64));
      },
      [&] { return BranchResult(nonzeroCount(values, DType::Int64)); });
  Output fraction;
  if (!nonzero.node)
    return {};
  {
    NameScope counts("counts_to_fraction");
    Output zeros = all - nonzero;
    Output part = cast(zeros, DType::Float32);
    fraction = part / cast(all, DType::Float32);
  }
  return {fraction.node ? addIdentity(fraction, "fraction") : nullptr, 0};
}

Output lbeta(const Input &x, const OpOptions &options) {
  FunctionScope scope(options.name, "lbeta", {&x});
  Output values = convert(x, "x");
  Output product = reduceSum(rawOps::lgamma(values), {-1});
  Output sum = rawOps::lgamma(reduceSum(values, {-1}));
  if (!sum.node)
    return {};
  return product - sum;
}

namespace {

/// How many elements each segment has, at least 1, in a shape that broadcasts.
Output segmentCounts(const Output &data, const Output &ids,
                     const Input &numSegments) {
  Output number = valueOf(numSegments);
  Output idsShape = shapeAsTensor(ids);
  if (!data.node || !number.node || !idsShape.node)
    return {};
  Output each = ones(idsShape, {.dtype = data.dtype()});
  Output counts = rawOps::unsortedSegmentSum(each, ids, number);
  Output first = number[newAxis()];
  Output more = rank(data);
  more = more - rank(ids);
  Output behind = ones(Input(Input::List{more}), {.dtype = number.dtype()});
  counts = rawOps::reshape(counts, concat({first, behind}, 0));
  return rawOps::maximum(counts, 1);
}

Output segmentsBy(std::string_view function, bool isRoot, const Input &data,
                  const Input &segmentIds, const Input &numSegments,
                  const OpOptions &options) {
  FunctionScope scope(options.name, function, {&data, &segmentIds});
  Output values = valueOf(data), ids = valueOf(segmentIds);
  Output counts = segmentCounts(values, ids, numSegments);
  Output sums = rawOps::unsortedSegmentSum(values, ids, numSegments);
  if (!sums.node || !counts.node)
    return {};
  return sums / (isRoot ? rawOps::sqrt(counts) : counts);
}

} // namespace

Output unsortedSegmentMean(const Input &data, const Input &segmentIds,
                           const Input &numSegments, const OpOptions &options) {
  return segmentsBy("UnsortedSegmentMean", false, data, segmentIds, numSegments,
                    options);
}
Output unsortedSegmentSqrtN(const Input &data, const Input &segmentIds,
                            const Input &numSegments,
                            const OpOptions &options) {
  return segmentsBy("UnsortedSegmentSqrtN", true, data, segmentIds, numSegments,
                    options);
}

} // namespace kiln::ops
