// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of ops in an order in which each can be computed after those that it
// needs, kept up while groups are joined.
#ifndef KILN_PASSES_FUSE_GROUPORDER_H
#define KILN_PASSES_FUSE_GROUPORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace kiln::passes {

/// Nodes, numbered from 1, with edges from each to those that need it. Joined
/// nodes are one node, known by the number of any of them.
///
/// Nodes may be joined unless a path leaves them and comes back: as one they
/// would wait for themselves. That is asked from both ends at once, an edge at
/// a time, among the nodes that stand between the members, until one end has
/// no more edges. So a member with few neighbours costs little, wherever the
/// others stand and however large they have become.
class GroupOrder {
public:
  /// What joining some nodes would change in the order.
  struct Join {
    llvm::SmallVector<int, 8> members; ///< in order, as the nodes below
    llvm::SmallVector<int, 8> moved;
    bool toLast = false; ///< to the last member's place, else to the first's
  };

  /// A node behind all others.
  int add();
  /// \p to, the later node, needs \p from. Before the first join.
  void addEdge(int from, int to);
  /// Nothing where the nodes need one another through others. What is
  /// answered holds until the next commit().
  std::optional<Join> tryJoin(llvm::ArrayRef<int> nodes);
  void commit(const Join &join);

private:
  enum class Step { More, End, Cycle };
  struct Search;

  int find(int node);
  Step step(Search &search);
  void unlink(int node);
  void insertBehind(int place, int node);

  /// What is known of a node that no other has been joined into.
  struct Node {
    llvm::SmallVector<int, 2> users, sources;
    int parent; ///< itself, or what it has been joined into
    int previous, next;
    int64_t label; ///< grows along the order
    // Numbers of questions and of lists of edges, so that nothing is cleared.
    int64_t memberIn = 0, seenIn[2] = {0, 0}, listedIn = 0;
  };
  /// The first is the list's beginning and end.
  llvm::SmallVector<Node, 0> nodes = {Node{{}, {}, 0, 0, 0, 0}};
  int64_t questions = 0, lists = 0;
};

} // namespace kiln::passes

#endif // KILN_PASSES_FUSE_GROUPORDER_H
