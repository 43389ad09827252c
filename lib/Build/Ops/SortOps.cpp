// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting by the largest elements, as TensorFlow's Python does.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Layout.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/SequenceOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"

#include <limits>
#include <numeric>

namespace kiln::ops {
namespace {

/// What puts an axis in the place of the last one; nothing where it is that.
Output swapped(const Output &values, int64_t axis, const Output &rank) {
  int64_t known = values.shape().rank();
  if (axis == -1 || (known >= 0 && axis + 1 == known))
    return {};
  if (values.shape().hasRank()) {
    std::vector<int64_t> perm(static_cast<size_t>(known));
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm[static_cast<size_t>(axis < 0 ? axis + known : axis)],
              perm.back());
    return constant(
        Tensor::fromValues<int64_t>({known}, perm).valueOr(Tensor()),
        {.name = "transposition"});
  }
  Input place = axis < 0 ? Input(binary("add", axis, rank)) : Input(axis);
  Output axes = range(rank);
  Output last = rank - 1;
  Output behind = rank - 1;
  return rawOps::tensorScatterUpdate(
      axes,
      Input(Input::List{Input(Input::List{place}), Input(Input::List{last})}),
      Input(Input::List{behind, place}));
}

Output sortedDown(const Output &values, int64_t axis, bool indices) {
  if (!values.node)
    return {};
  Output extents = shape(values);
  if (!extents.node)
    return {};
  Output count = extents[static_cast<int>(axis)];
  Output rank = ops::rank(values);
  Output perm = swapped(values, axis, rank);
  Output rows = perm.node ? transpose(values, perm) : values;
  auto largest = rawOps::topKV2(rows, count);
  Output result = indices ? largest.indices : largest.values;
  return perm.node ? transpose(result, perm) : result;
}

/// The largest elements of these are the least of the others. **Source**:
/// sort_ops._ascending_sort.
Output sortedUp(const Output &values, int64_t axis, bool indices) {
  DType dtype = values.dtype();
  if (!isInteger(dtype)) {
    Output sorted = sortedDown(-values, axis, indices);
    return indices || !sorted.node ? sorted : -sorted;
  }
  bool isSigned = dtype == DType::Int8 || dtype == DType::Int16 ||
                  dtype == DType::Int32 || dtype == DType::Int64;
  if (isSigned) {
    Output reversed = -values - 1;
    Output sorted = sortedDown(reversed, axis, indices);
    return indices || !sorted.node ? sorted : -sorted - 1;
  }
  Tensor most = dispatchInteger(dtype, [](auto sample) {
    return Tensor::scalar(std::numeric_limits<decltype(sample)>::max());
  });
  Output sorted = sortedDown(binary("sub", most, values), axis, indices);
  return indices || !sorted.node ? sorted : binary("sub", most, sorted);
}

Output sortedBy(const std::string &function, const Input &values, int64_t axis,
                const std::string &direction, bool indices,
                const std::string &name) {
  FunctionScope scope(name, function, {&values});
  if (direction != "ASCENDING" && direction != "DESCENDING")
    return failed(invalidArgumentError(
                      strCat("Argument `direction` should be one of ASCENDING, "
                             "DESCENDING. Received: direction=",
                             direction)),
                  scope);
  convert(axis, "axis");
  Output rows = convert(values, "values");
  if (!rows.node)
    return {};
  return direction == "ASCENDING" ? sortedUp(rows, axis, indices)
                                  : sortedDown(rows, axis, indices);
}

} // namespace

Output sort(const Input &values, const SortOptions &options) {
  return sortedBy("sort", values, options.axis, options.direction, false,
                  options.name);
}
Output argsort(const Input &values, const ArgsortOptions &options) {
  return sortedBy("argsort", values, options.axis, options.direction, true,
                  options.name);
}

} // namespace kiln::ops
