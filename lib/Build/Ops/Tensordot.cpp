// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products over several axes: a product of matrices between reshapes.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Selection.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kiln::ops {
namespace {

/// Axes as a list, or as a tensor where a rank is not known.
struct Axes {
  std::vector<int64_t> list;
  Output tensor;
};

/// A tensor as a matrix, with the extents of its axes that stay.
struct AsMatrix {
  Output matrix;
  std::vector<int64_t> free; ///< where they are known
  Output freeExtents;        ///< where they are not
};

Input int32s(const std::vector<int64_t> &numbers) {
  std::vector<int32_t> narrow(numbers.begin(), numbers.end());
  return Input(narrow);
}

/// The product as an extent of a shape that a graph holds, which is an int32.
std::optional<int64_t> productOf(const std::vector<int64_t> &extents) {
  CheckedInt64 product = 1;
  for (int64_t extent : extents)
    product *= extent;
  std::optional<int64_t> number = product.value();
  return number && *number <= std::numeric_limits<int32_t>::max()
             ? number
             : std::nullopt;
}

std::vector<int64_t> extentsOf(const Shape &shape,
                               const std::vector<int64_t> &axes) {
  std::vector<int64_t> extents;
  for (int64_t axis : axes)
    extents.push_back(shape.dim(static_cast<int>(axis)));
  return extents;
}

std::vector<int64_t> joined(std::vector<int64_t> first,
                            const std::vector<int64_t> &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// The extents are known, and so are the matrix's; nothing where they are
/// larger than those of a shape in a graph.
std::optional<AsMatrix> reshapeKnown(Output a, const std::vector<int64_t> &axes,
                                     const std::vector<int64_t> &free,
                                     bool isFlipped) {
  std::vector<int64_t> freeExtents = extentsOf(a.shape(), free);
  std::optional<int64_t> rows = productOf(freeExtents),
                         columns = productOf(extentsOf(a.shape(), axes));
  if (!rows || !columns)
    return std::nullopt;
  std::vector<int64_t> perm =
      isFlipped ? joined(axes, free) : joined(free, axes);
  if (!std::ranges::is_sorted(perm))
    a = transpose(a, int32s(perm));
  if (!a.node)
    return AsMatrix();
  std::vector<int64_t> matrix{*rows, *columns};
  if (isFlipped)
    std::swap(matrix[0], matrix[1]);
  if (!std::ranges::equal(a.shape().dims(), matrix))
    a = rawOps::reshape(a, int32s(matrix));
  return AsMatrix{a, freeExtents, {}};
}

/// **Source**: math_ops._tensordot_reshape.
AsMatrix asMatrix(const Output &a, const Axes &given, bool isFlipped) {
  if (!a.node)
    return {};
  Output axes = given.tensor, free, extents;
  if (a.shape().hasRank() && !axes.node) {
    int64_t rank = a.shape().rank();
    std::vector<int64_t> list, others;
    for (int64_t axis : given.list)
      list.push_back(axis < 0 ? axis + rank : axis);
    for (int64_t axis = 0; axis < rank; ++axis)
      if (std::ranges::find(list, axis) == list.end())
        others.push_back(axis);
    if (static_cast<int64_t>(list.size() + others.size()) != rank)
      return {failed(invalidArgumentError(strCat(
                         "expected different axes of a tensor of rank ", rank,
                         ", got [", strJoin(given.list, ", "), "]")),
                     a.node->name()),
              {},
              {}};
    if (a.shape().isFullyDefined())
      if (auto known = reshapeKnown(a, list, others, isFlipped))
        return *known;
    axes = convert(int32s(list), "axes", DType::Int32);
    free = convert(int32s(others), "free", DType::Int32);
    extents = shape(a);
  } else {
    extents = shape(a);
    Output rank = ops::rank(a);
    if (!axes.node)
      axes = convert(int32s(given.list), "axes", DType::Int32);
    Output isFromStart = axes >= 0;
    axes = where(isFromStart, axes, axes + rank);
    free = rawOps::listDiff(range(rank), axes).out;
  }
  Output freeExtents = gather(extents, free);
  Output ownExtents = gather(extents, axes);
  Output rows = reduceProd(freeExtents), columns = reduceProd(ownExtents);
  Output perm = isFlipped ? concat({axes, free}, 0) : concat({free, axes}, 0);
  Output matrix = isFlipped ? stack({columns, rows}) : stack({rows, columns});
  return {rawOps::reshape(transpose(a, perm), matrix), {}, freeExtents};
}

Output product(const Output &a, const Output &b, const Axes &axesOfA,
               const Axes &axesOfB, const std::string &scope) {
  AsMatrix left = asMatrix(a, axesOfA, false);
  AsMatrix right = asMatrix(b, axesOfB, true);
  Output result = matMul(left.matrix, right.matrix);
  if (!result.node)
    return {};
  if (!left.freeExtents.node && !right.freeExtents.node) {
    std::vector<int64_t> extents = joined(left.free, right.free);
    if (std::ranges::equal(result.shape().dims(), extents))
      return result;
    return rawOps::reshape(result, int32s(extents), {.name = scope});
  }
  auto extentsOf = [](const AsMatrix &side) {
    return side.freeExtents.node ? side.freeExtents
                                 : convert(int32s(side.free), "", DType::Int32);
  };
  Output first = extentsOf(left), second = extentsOf(right);
  return rawOps::reshape(result, concat({first, second}, 0), {.name = scope});
}

} // namespace

Output tensordot(const Input &a, const Input &b,
                 const std::vector<int64_t> &axesOfA,
                 const std::vector<int64_t> &axesOfB,
                 const OpOptions &options) {
  FunctionScope scope(options.name, "Tensordot", {&a, &b});
  Output x = convert(a, "a"), y = convert(b, "b");
  if (axesOfA.size() != axesOfB.size())
    return failed(invalidArgumentError(strCat(
                      "Different number of contraction axes `a` and `b`, ",
                      axesOfA.size(), " != ", axesOfB.size(), ".")),
                  scope);
  return product(x, y, {axesOfA, {}}, {axesOfB, {}}, scope);
}

Output tensordotOfLast(const Input &a, const Input &b, int64_t axes,
                       const OpOptions &options) {
  FunctionScope scope(options.name, "Tensordot", {&a, &b});
  Output x = convert(a, "a"), y = convert(b, "b");
  if (!x.node || !y.node)
    return {};
  if (axes < 0)
    return failed(invalidArgumentError(strCat(
                      "`axes` must be at least 0. Received: ", axes, ".")),
                  scope);
  if (!x.shape().hasRank()) {
    Output rank = ops::rank(x);
    Output last = rangeFrom(rank - axes, rank, 1, {.dtype = DType::Int32});
    return product(x, y, {{}, last}, {{}, range(axes, {.dtype = DType::Int32})},
                   scope);
  }
  if (axes > x.shape().rank())
    return failed(
        invalidArgumentError(
            strCat("`axes` must not be larger than the number of dimensions of "
                   "tensor ",
                   x.name(), ".  Received ", axes, ", vs tensor dimensions ",
                   x.shape().rank(), ".")),
        scope);
  std::vector<int64_t> last(static_cast<size_t>(axes)), first = last;
  std::iota(last.begin(), last.end(), x.shape().rank() - axes);
  std::iota(first.begin(), first.end(), 0);
  return product(x, y, {last, {}}, {first, {}}, scope);
}

} // namespace kiln::ops
