// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns what a user asks for into handles, checks it, and makes the key under
// which compiled code is found.
#ifndef KILN_LIB_SESSION_REQUEST_H
#define KILN_LIB_SESSION_REQUEST_H

#include "kiln/Session.h"
#include "lib/Graph/Prune.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kiln {

/// A feed as far as a signature cares.
struct FeedView {
  DType dtype = DType::Invalid;
  std::span<const int64_t> dims;
  /// Null where prepare() was given none.
  const Tensor *value = nullptr;

  FeedView() = default;
  explicit FeedView(const Tensor &tensor)
      : dtype(tensor.dtype()), dims(tensor.shape().dims()), value(&tensor) {}
};

/// Fetches and targets as handles.
struct ResolvedRequest {
  /// Feeds, fetched tensors (as often as they were asked for: each is a buffer
  /// of its own), and targets with fetched operations.
  RunRequest request;
  /// For each fetch its tensor's place in request.fetches; -1 for an operation.
  std::vector<int> places;
};

/// Errors that a session gives before it looks at a request.
Status closedSessionError();
Status checkGraphNotEmpty(const Graph &graph);

/// Finds a fed tensor. **Errors**: NOT_FOUND, INVALID_ARGUMENT with
/// TensorFlow's text.
StatusOr<Output> resolveFeed(const Graph &graph, const TensorId &id);
/// Demands distinct tensors. **Errors**: INVALID_ARGUMENT with the node.
Status checkDistinct(std::span<const Output> feeds);
/// Demands the tensor's dtype and a shape that fits its static shape.
/// **Errors**: INVALID_ARGUMENT with the node. **Cost**: nothing when it fits.
Status checkFeed(const Output &feed, const Tensor &value);
/// What the graph says of a tensor that may be fed.
Shape staticShape(const Output &output);

/// Finds fetches and targets and adds them to `resolved`.
Status resolveFetches(const Graph &graph, const std::vector<Fetch> &fetches,
                      const std::vector<OperationId> &targets,
                      ResolvedRequest &resolved);

/// Fetches, targets, feeds with dtypes and ranks, as numbers.
using SignatureKey = std::vector<uint64_t>;
/// Writes the key of a request into `key`, whose memory is used again.
void makeSignatureKey(const RunRequest &request,
                      std::span<const FeedView> feeds, SignatureKey &key);
struct SignatureKeyHash {
  size_t operator()(const SignatureKey &key) const noexcept;
};

} // namespace kiln

#endif // KILN_LIB_SESSION_REQUEST_H
