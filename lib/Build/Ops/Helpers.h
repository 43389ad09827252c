// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions that add several nodes are written with.
#ifndef KILN_LIB_BUILD_OPS_HELPERS_H
#define KILN_LIB_BUILD_OPS_HELPERS_H

#include "kiln/ConstantValue.h"
#include "kiln/GraphBuilder.h"
#include "kiln/GraphScopes.h"
#include "lib/Build/UnpublishedNodes.h"

#include <string_view>

namespace kiln::ops {

/// Converts a value in the present scope of the current graph.
Output convert(const Input &value, std::string_view name,
               DType dtype = DType::Invalid);
/// The same, to the dtype of a tensor where it can.
Output convertLike(const Input &value, const Output &like,
                   std::string_view name);
/// The tensor, or a Const of the value.
Output valueOf(const Input &value);
/// The graph that the input is in.
GraphBuilder builderOf(const Input &input);
/// Makes the current graph's status an error.
Output failed(Status error, const std::string &scope);
/// The shape, as TensorFlow's functions ask for it when they do not say of
/// which type: a constant under another name where it is known. **Source**:
/// array_ops.shape_internal.
Output shapeAsTensor(const Input &value);
/// The shape that a random tensor is asked for. **Source**:
/// shape_util.shape_tensor.
Output shapeTensor(const Input &shape);
/// Adds an Identity.
const Node *addIdentity(const Output &tensor, std::string_view name);

/// The elements where they are integers and the graph says them: of a value, or
/// of a Const.
std::optional<std::vector<int64_t>> knownIntegers(const Input &value);

/// What the function adds last, and what is known of its shape beyond what its
/// op says. **Source**: tf.Tensor.set_shape.
template <class Add> Output withShape(const Shape &shape, const Add &add) {
  BuildState &state = GraphBuilder::current().internals();
  HoldScope hold(state);
  Output made = add();
  if (!made.node)
    return {};
  auto merged = made.shape().merge(shape);
  if (merged.ok() && isHeld(state, *made.node))
    setShape(state, made, *merged);
  return made;
}

/// The axes of a reduction over all of them: a Const where the rank is known.
Output allAxes(const Input &x);
/// The reductions of the same names; over all axes where there is none.
Output sumOver(const Input &x, const std::optional<Input> &axis,
               bool keepDims = false, std::string name = {});
Output meanOver(const Input &x, const std::optional<Input> &axis,
                bool keepDims = false, std::string name = {});
Output maxOver(const Input &x, const std::optional<Input> &axis,
               bool keepDims = false, std::string name = {});

/// x OP y, of which one is a tensor or variable.
Output binary(std::string_view name, const Input &x, const Input &y);

/// The bool, or the value of a Const; nothing where a run says it.
std::optional<bool> knownTruth(const Input &value);

} // namespace kiln::ops

#endif // KILN_LIB_BUILD_OPS_HELPERS_H
