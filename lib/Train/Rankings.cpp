// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of classes as sets, as TensorFlow's Python adds them.
#include "lib/Train/Rankings.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Data.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Selection.h"
#include "kiln/ops/SetOps.h"
#include "kiln/ops/SparseOps.h"
#include "lib/Support/Strings.h"

namespace kiln::metrics {
namespace {

Outputs partsOf(const SparseTensor &sparse) {
  return {sparse.indices, sparse.values, sparse.denseShape};
}
SparseTensor fromParts(const Outputs &parts) {
  if (parts.size() != 3)
    return {};
  return {parts[0], parts[1], parts[2]};
}

} // namespace

Sets setsOf(const TensorOrSparse &labels) {
  if (labels.sparse())
    return labels;
  return GraphBuilder::current().convert(*labels.tensor());
}

Sets expandedLabels(const Sets &labels, const Output &predictions) {
  NameScope scope("expand_labels");
  if (labels.sparse()) {
    const SparseTensor &sparse = *labels.sparse();
    Output rank = ops::rank(predictions);
    Output isShort = ops::equal(rank, ops::size(sparse.denseShape) + 1);
    return fromParts(ops::cond(
        isShort,
        [&] {
          Output shape = ops::concat({sparse.denseShape, Input{1}}, 0);
          return ops::BranchResult(partsOf(
              ops::sparseReshape(sparse, shape, {.name = scope.name()})));
        },
        [&] { return ops::BranchResult(partsOf(sparse)); }));
  }
  const Output dense = labels.output();
  if (!dense.node || !predictions.node)
    return Output();
  const Shape &shape = dense.shape(), &found = predictions.shape();
  auto expand = [&] {
    return ops::expandDims(dense, -1, {.name = scope.name()});
  };
  if (shape.hasRank() && found.hasRank()) {
    if (found.rank() == shape.rank())
      return dense;
    if (found.rank() == shape.rank() + 1)
      return expand();
    GraphBuilder::current().fail(invalidArgumentError(strCat(
        "Unexpected labels shape ", shape.toTupleString(),
        " for predictions shape ", found.toTupleString(),
        ". Predictions rank should be the same rank as labels rank or labels "
        "rank plus one .")));
    return Output();
  }
  Output rank = ops::rank(predictions);
  Output isShort = ops::equal(rank, ops::rank(dense) + 1);
  Output expanded = ops::cond(
      isShort, [&] { return ops::BranchResult(expand()); },
      [&] { return ops::BranchResult(dense); });
  return expanded;
}

namespace {

/// The shape with 1 for the last extent. **Source**: math_ops.reduced_shape.
Output withOneInRow(const Output &shape, const Output &axes) {
  Output rank = ops::size(shape);
  Output axis = (axes + rank) % rank;
  Output count = ops::shape(axis);
  Output all = ops::range(rank);
  Output one = ops::ones(count, {.dtype = shape.dtype()});
  return ops::dynamicStitch({all, axis}, {shape, one});
}

} // namespace

Sets ofClass(const Sets &sets, int64_t classId) {
  if (const SparseTensor *sparse = sets.sparse())
    return ops::sparseRetain(*sparse, ops::equal(sparse->values, classId));
  Output shape = ops::shape(sets.output(), {.outType = DType::Int64});
  if (!shape.node)
    return Output();
  Output last = ops::size(shape) - 1;
  Output rows = withOneInRow(shape, ops::reshape(last, Input{1}));
  Output filled = ops::fill(rows, ops::cast(classId, DType::Int64));
  SparseTensor found = ops::setIntersection(filled, sets);
  found.denseShape = shape;
  return found;
}

Sets withoutUnknown(const Sets &labels, const Output &numClasses) {
  const SparseTensor *sparse = labels.sparse();
  const Output values = sparse ? sparse->values : labels.output();
  Output largest = ops::reduceMax(values);
  Output isUnknown = ops::greaterEqual(largest, numClasses);
  auto cleaned = [&] {
    Output isOutside = ops::greaterEqual(values, numClasses);
    Output none = -1 * ops::onesLike(values);
    return ops::selectV2(isOutside, none, values);
  };
  if (sparse)
    return fromParts(ops::cond(
        isUnknown,
        [&] {
          SparseTensor clean = *sparse;
          clean.values = cleaned();
          return ops::BranchResult(partsOf(clean));
        },
        [&] { return ops::BranchResult(partsOf(*sparse)); }));
  Output clean = ops::cond(
      isUnknown, [&] { return ops::BranchResult(cleaned()); },
      [&] { return ops::BranchResult(values); });
  return clean;
}

Sets repeated(const Sets &labels, int64_t k, const char *name) {
  NameScope scope(name);
  if (labels.sparse()) {
    const SparseTensor &sparse = *labels.sparse();
    Output axis = ops::reshape(ops::size(sparse.denseShape) + -1, Input{1});
    Output before = ops::slice(sparse.denseShape, Input{0}, axis);
    Output behind = ops::slice(sparse.denseShape, axis, Input{-1});
    Output shape =
        ops::concat({before, Input{1}, behind}, 0, {.name = "expanded_shape"});
    SparseTensor expanded =
        ops::sparseReshape(sparse, shape, {.name = "expand"});
    if (k == 1)
      return expanded;
    std::vector<SparseTensor> copies(static_cast<size_t>(k), expanded);
    return ops::sparseConcat(-2, copies, {.name = scope.name()});
  }
  Output expanded = ops::expandDims(labels.output(), -2, {.name = "expand"});
  if (k == 1 || !expanded.node)
    return expanded;
  Output ones = ops::onesLike(ops::shape(labels.output()));
  Output before = ones[{sliceTo(-1)}];
  Output behind = ones[{sliceFrom(-1)}];
  Output multiples =
      ops::concat({before, Input{k}, behind}, 0, {.name = "multiples"});
  return ops::tile(expanded, multiples, {.name = scope.name()});
}

Output numRelevant(const Sets &labels, int64_t k) {
  NameScope scope("num_relevant");
  if (labels.sparse())
    return ops::minimum(ops::setSize(*labels.sparse()), k,
                        {.name = scope.name()});
  Output isThere = ops::greaterEqual(labels.output(), 0);
  Output ones = ops::onesLike(labels.output());
  Output each = ops::selectV2(isThere, ones, ops::zerosLike(labels.output()));
  Output count = ops::reduceSumOver(each, -1);
  return ops::minimum(count, k, {.name = scope.name()});
}

} // namespace kiln::metrics
