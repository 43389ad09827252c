// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns what a user asks for into handles and checks it.
#ifndef KILN_LIB_PLAN_REQUEST_H
#define KILN_LIB_PLAN_REQUEST_H

#include "kiln/Request.h"

#include <functional>
#include <vector>

namespace kiln {

/// What a run is asked for, as handles. Made by the functions below it is
/// valid: handles of one graph, no tensor fed twice.
struct RunRequest {
  std::vector<Output> feeds;
  std::vector<Output> fetches;
  std::vector<const Node *> targets;
};

/// Fetches and targets as handles.
struct ResolvedRequest {
  /// Feeds, fetched tensors (as often as they were asked for: each is a buffer
  /// of its own), and targets with fetched operations.
  RunRequest request;
  /// For each fetch its tensor's place in request.fetches; -1 for an operation.
  std::vector<int> places;
};

/// Finds `count` fed tensors; `feed` names them. **Errors**:
/// FAILED_PRECONDITION for an empty graph; NOT_FOUND, INVALID_ARGUMENT with
/// TensorFlow's text; INVALID_ARGUMENT with the node for a tensor fed twice.
StatusOr<ResolvedRequest>
resolveFeeds(const Graph &graph, size_t count,
             const std::function<const TensorId &(size_t)> &feed);
/// Finds fetches and targets and adds them to `resolved`. **Errors**: NOT_FOUND
/// for what is not in the graph, INVALID_ARGUMENT for a name of another kind
/// and for a handle of another graph; the text says whether a fetch or target
/// is meant.
Status resolveFetches(const Graph &graph, const std::vector<Fetch> &fetches,
                      const std::vector<OperationId> &targets,
                      ResolvedRequest &resolved);

/// Adds the values of targets that have no effect behind the fetches and their
/// places, so that their errors end the run. **Difference**: not of targets
/// that a conditional or a loop of Switch and Merge comes before, which may
/// have no value. **Cost**: a walk back from such targets.
void fetchTargets(ResolvedRequest &resolved);

/// Demands the tensor's dtype and a shape that fits its static shape.
/// **Errors**: INVALID_ARGUMENT with the node. **Cost**: nothing when it fits.
Status checkFeed(const Output &feed, const Tensor &value);
Status checkFeed(const Output &feed, DType dtype, const Shape &shape);
/// What the graph says of a tensor that may be fed.
Shape staticShape(const Output &output);

} // namespace kiln

#endif // KILN_LIB_PLAN_REQUEST_H
