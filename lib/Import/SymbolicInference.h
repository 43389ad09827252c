// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first phase of import: shapes and known contents of every tensor of a
// pruned graph, over symbolic dimensions.
#ifndef KILN_LIB_IMPORT_SYMBOLICINFERENCE_H
#define KILN_LIB_IMPORT_SYMBOLICINFERENCE_H

#include "lib/Import/Import.h"
#include "lib/Ops/Inference.h"

#include <map>
#include <unordered_map>

namespace kiln {

/// Runs the shape functions in order and answers what they demand of fed
/// tensors.
///
/// Ownership: borrows graph and feeds. Thread safety: none.
class SymbolicInference {
public:
  SymbolicInference(const PrunedGraph &graph, std::span<const FeedSpec> feeds)
      : graph(graph), specs(feeds) {}

  /// **Errors**: INVALID_ARGUMENT for feeds that do not fit and from shape
  /// functions.
  Status run();

  /// The index of the feed that stands for this tensor; -1 when it is not fed.
  int feedOf(const Output &output) const;
  /// What is known of a tensor that is fed or that a node of the pruned graph
  /// gives, dimensions resolved.
  const ValueInfo &info(const Output &output) const;
  /// What the node itself gives as output i, also where a feed takes its place.
  const ValueInfo &computed(const Node &node, int i) const;
  /// The elements of a tensor where each is a number or a symbol; null
  /// otherwise.
  const Dims *contents(const Output &output) const;
  /// True when an earlier part of the run has done it (PrunedGraph::done).
  bool isDone(const Node &node) const;
  /// The input whose unknown elements the node's shapes depend on; -1 for none.
  int missingInput(const Node &node) const;

  DimSpace &dims() { return space; }
  std::vector<FedValue> takeFedValues();

private:
  Status addFeed(int index);
  Status inferOne(const Node &node);
  /// Answers a shape function's demand for the elements of a tensor. Null where
  /// they depend on the run.
  const Dims *demand(const Output &output);
  /// Nodes and feeds that a small integer tensor is computed from; false where
  /// something else takes part.
  bool collectCone(const Output &output, std::vector<const Node *> &nodes,
                   std::vector<int> &feeds) const;
  Status revealFeed(int index);

  const PrunedGraph &graph;
  std::span<const FeedSpec> specs;
  DimSpace space;
  std::map<std::pair<int, int>, int> feedOfOutput;
  std::vector<ValueInfo> feedInfos;
  std::vector<bool> isRevealed;
  std::unordered_map<const Node *, std::vector<ValueInfo>> infos;
  std::unordered_map<const Node *, size_t> position;
  std::unordered_map<const Node *, int> missing;
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_SYMBOLICINFERENCE_H
