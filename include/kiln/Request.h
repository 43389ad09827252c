// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run is asked for: tensors to fetch, operations to run, what is fed.
#ifndef KILN_REQUEST_H
#define KILN_REQUEST_H

#include "kiln/Graph.h"
#include "kiln/Tensor.h"

#include <string>
#include <variant>

namespace kiln {

/// A tensor by name ("op:0") or handle.
using TensorId = std::variant<std::string, Output>;
/// An operation by name ("op") or handle.
using OperationId = std::variant<std::string, const Node *>;
/// What to fetch: a tensor ("op:0" or handle), or an operation ("op" or
/// handle), which is run and gives the default Tensor.
using Fetch = std::variant<std::string, Output, const Node *>;

/// A value for a tensor of the graph; its computation is cut off there.
struct Feed {
  TensorId tensor;
  Tensor value;
};

/// A feed whose value is not there yet.
struct FeedInfo {
  TensorId tensor;
  /// Merged with the graph's own; an unknown rank is an error. Of dimensions
  /// that stay unknown, two that must agree are compiled as equal, and one that
  /// meets a known one as "any but 1".
  Shape shape = Shape::unknownRank();
  /// Needed only where code depends on the elements: a fed axis, say.
  Tensor value = {};
};

} // namespace kiln

#endif // KILN_REQUEST_H
