// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A topological order of a graph whose nodes are joined: a search from both
// ends within the stretch of the order that can matter (after Pearce and
// Kelly), and a list whose labels tell which of two nodes comes first (after
// Dietz and Sleator).
#include "passes/fuse/GroupOrder.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace llvm;

namespace kiln::passes {

/// Between neighbours of the first order.
static constexpr int64_t labelStep = int64_t(1) << 24;

/// From the members outwards, to users or to sources.
struct GroupOrder::Search {
  bool forward;
  int64_t bound;             ///< the label beyond which nothing leads back
  SmallVector<int, 8> found; ///< members first
  size_t numMembers;
  size_t at = 0, edge = 0; ///< of found, and of its edges
  int64_t list = 0;
};

int GroupOrder::add() {
  int node = nodes.size(), last = nodes[0].previous;
  nodes.push_back({{}, {}, node, last, 0, nodes[last].label + labelStep});
  nodes[last].next = nodes[0].previous = node;
  return node;
}

void GroupOrder::addEdge(int from, int to) {
  assert(from < to && "an op before what it needs");
  nodes[from].users.push_back(to);
  nodes[to].sources.push_back(from);
}

int GroupOrder::find(int node) {
  while (nodes[node].parent != node)
    node = nodes[node].parent = nodes[nodes[node].parent].parent;
  return node;
}

GroupOrder::Step GroupOrder::step(Search &search) {
  if (search.at == search.found.size())
    return Step::End;
  int from = search.found[search.at];
  auto &edges = search.forward ? nodes[from].users : nodes[from].sources;
  if (search.edge == 0)
    search.list = ++lists;
  if (search.edge == edges.size()) {
    ++search.at;
    search.edge = 0;
    return Step::More;
  }
  int to = find(edges[search.edge]);
  Node &node = nodes[to];
  // Edges inside of what has been joined and repeated ones go when they are
  // met.
  if (to == from || std::exchange(node.listedIn, search.list) == search.list) {
    edges[search.edge] = edges.back();
    edges.pop_back();
    return Step::More;
  }
  ++search.edge;
  if (node.memberIn == questions)
    return search.at < search.numMembers ? Step::More : Step::Cycle;
  if (search.forward ? node.label > search.bound : node.label < search.bound)
    return Step::More;
  if (std::exchange(node.seenIn[search.forward], questions) != questions)
    search.found.push_back(to);
  return Step::More;
}

std::optional<GroupOrder::Join> GroupOrder::tryJoin(ArrayRef<int> given) {
  ++questions;
  Join join;
  for (int node : given)
    if (int root = find(node);
        std::exchange(nodes[root].memberIn, questions) != questions)
      join.members.push_back(root);
  auto isBefore = [&](int a, int b) { return nodes[a].label < nodes[b].label; };
  llvm::sort(join.members, isBefore);
  // Nothing behind the last member leads to one, nothing before the first is
  // reached from one.
  ArrayRef<int> members = join.members;
  auto start = [&](bool forward, ArrayRef<int> from, int bound) {
    return Search{forward, nodes[bound].label, SmallVector<int, 8>(from),
                  from.size()};
  };
  Search searches[] = {start(true, members.drop_back(), members.back()),
                       start(false, members.drop_front(), members.front())};
  for (;;)
    for (Search &search : searches)
      switch (step(search)) {
      case Step::More:
        break;
      case Step::Cycle:
        return std::nullopt;
      case Step::End:
        join.toLast = search.forward;
        join.moved.assign(search.found.begin() + search.numMembers,
                          search.found.end());
        llvm::sort(join.moved, isBefore);
        return join;
      }
}

void GroupOrder::commit(const Join &join) {
  auto numEdges = [&](int node) {
    return nodes[node].users.size() + nodes[node].sources.size();
  };
  int root = *llvm::max_element(
      join.members, [&](int a, int b) { return numEdges(a) < numEdges(b); });
  // The joined node first takes a place beside the first or last member.
  int place = join.toLast ? join.members.back() : join.members.front();
  if (place != root) {
    unlink(root);
    insertBehind(place, root);
  }
  for (int member : join.members) {
    if (member == root)
      continue;
    unlink(member);
    nodes[member].parent = root;
    append_range(nodes[root].users, nodes[member].users);
    append_range(nodes[root].sources, nodes[member].sources);
    nodes[member].users = {};
    nodes[member].sources = {};
  }
  // Users of an early member go behind a late one, sources of a late one
  // before an early one.
  place = join.toLast ? root : nodes[root].previous;
  for (int node : join.moved) {
    unlink(node);
    insertBehind(place, node);
    place = node;
  }
}

void GroupOrder::unlink(int node) {
  nodes[nodes[node].previous].next = nodes[node].next;
  nodes[nodes[node].next].previous = nodes[node].previous;
}

void GroupOrder::insertBehind(int place, int node) {
  auto labelOf = [&](int at) {
    return at == 0 ? std::numeric_limits<int64_t>::max() : nodes[at].label;
  };
  int64_t low = nodes[place].label;
  if (labelOf(nodes[place].next) - low < 2) {
    // The labels that follow are spread, as many as it takes until they have
    // room: their number grows with the square root of that.
    int64_t count = 1;
    int end = nodes[place].next;
    for (; labelOf(end) - low <= 4 * count * count; ++count)
      end = nodes[end].next;
    int64_t room = std::min(labelOf(end) - low, count * labelStep);
    int64_t number = 0;
    for (int at = nodes[place].next; at != end; at = nodes[at].next)
      nodes[at].label = low + room / count * ++number;
  }
  int next = nodes[place].next;
  int64_t high = std::min(labelOf(next), low + 2 * labelStep);
  nodes[node].label = low + (high - low) / 2;
  nodes[node].previous = place;
  nodes[node].next = next;
  nodes[place].next = nodes[next].previous = node;
}

} // namespace kiln::passes
