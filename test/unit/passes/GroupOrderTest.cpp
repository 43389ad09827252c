// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order that fusion asks whether groups may be one, against a search of
// the whole graph.
#include "passes/fuse/GroupOrder.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace kiln::passes {
namespace {

/// A graph whose joined nodes have one name, searched as a whole.
struct PlainGraph {
  std::vector<int> names;
  std::vector<std::pair<int, int>> edges;

  explicit PlainGraph(int nodes) {
    for (int i = 0; i <= nodes; ++i)
      names.push_back(i);
  }
  /// Whether a path leaves `nodes` and comes back.
  bool isReachedAround(const std::vector<int> &nodes) const {
    auto isMember = [&](int name) {
      for (int node : nodes)
        if (names[node] == name)
          return true;
      return false;
    };
    std::vector<bool> reached(names.size());
    for (bool isMore = true; isMore;) {
      isMore = false;
      for (auto [from, to] : edges) {
        int a = names[from], b = names[to];
        if (a == b || !(isMember(a) || reached[a]))
          continue;
        if (isMember(b)) {
          if (!isMember(a))
            return true;
        } else if (!reached[b]) {
          reached[b] = isMore = true;
        }
      }
    }
    return false;
  }
  void join(const std::vector<int> &nodes) {
    std::vector<int> old;
    for (int node : nodes)
      old.push_back(names[node]);
    for (int &name : names)
      for (int each : old)
        if (name == each)
          name = old.front();
  }
};

void compareRandomJoins(unsigned seed, int nodes, int edgesOfNode) {
  std::mt19937 random(seed);
  auto below = [&](int end) { return static_cast<int>(random() % end); };
  PlainGraph plain(nodes);
  GroupOrder order;
  for (int to = 1; to <= nodes; ++to) {
    ASSERT_EQ(order.add(), to);
    for (int i = 0; to > 1 && i < edgesOfNode; ++i) {
      int from = 1 + below(to - 1);
      plain.edges.emplace_back(from, to);
      order.addEdge(from, to);
    }
  }
  for (int round = 0; round < 3 * nodes; ++round) {
    std::vector<int> some;
    for (int i = 0, end = 2 + below(3); i < end; ++i)
      some.push_back(1 + below(nodes));
    auto join = order.tryJoin(some);
    ASSERT_EQ(join.has_value(), !plain.isReachedAround(some))
        << "seed " << seed << ", round " << round;
    if (!join || below(4) == 0)
      continue;
    order.commit(*join);
    plain.join(some);
  }
}

TEST(GroupOrder, AgreesWithASearchOfSparseGraphs) {
  for (unsigned seed = 1; seed <= 60; ++seed)
    compareRandomJoins(seed, 40, 1);
}

TEST(GroupOrder, AgreesWithASearchOfDenseGraphs) {
  for (unsigned seed = 1; seed <= 60; ++seed)
    compareRandomJoins(seed, 30, 3);
}

TEST(GroupOrder, JoinsNodesOfOneGroupAgain) {
  GroupOrder order;
  for (int i = 0; i < 3; ++i)
    order.add();
  order.addEdge(1, 2);
  order.addEdge(2, 3);
  EXPECT_FALSE(order.tryJoin({1, 3}).has_value());
  auto first = order.tryJoin({1, 2});
  ASSERT_TRUE(first.has_value());
  order.commit(*first);
  EXPECT_TRUE(order.tryJoin({1, 2}).has_value());
  EXPECT_TRUE(order.tryJoin({1, 3}).has_value());
}

/// Users of early nodes go behind a late one again and again, so that labels
/// run out between two neighbours.
TEST(GroupOrder, FindsRoomForWhatMoves) {
  constexpr int count = 20000;
  GroupOrder order;
  for (int i = 0; i < 2 * count; ++i)
    order.add();
  for (int i = 1; i < count; ++i)
    order.addEdge(i, count + i);
  // The first half, backwards, joins the last of all.
  for (int i = count - 1; i > 0; --i) {
    auto join = order.tryJoin({i, 2 * count});
    ASSERT_TRUE(join.has_value());
    order.commit(*join);
  }
  EXPECT_TRUE(order.tryJoin({1, count + 1}).has_value());
}

} // namespace
} // namespace kiln::passes
