// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of small numbers, each stored once, for walks that join and meet them at
// every node.
#ifndef KILN_LIB_PLAN_CUT_CUTSETS_H
#define KILN_LIB_PLAN_CUT_CUTSETS_H

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

namespace kiln {

/// Interned sets. A set is a number; equal sets have the same. Thread safety:
/// none. **Cost**: a map look-up where the answer is not obvious.
class CutSets {
public:
  using Id = int;
  static constexpr Id none = 0;

  CutSets() { intern({}); }

  Id single(int element) {
    Words words(static_cast<size_t>(element) / 64 + 1);
    words.back() = uint64_t(1) << (element % 64);
    return intern(std::move(words));
  }
  Id unite(Id a, Id b) {
    if (a == b || b == none)
      return a;
    return combine(a, b, [](uint64_t x, uint64_t y) { return x | y; });
  }
  Id intersect(Id a, Id b) {
    if (a == b)
      return a;
    return combine(a, b, [](uint64_t x, uint64_t y) { return x & y; });
  }
  bool isSubset(Id a, Id b) { return intersect(a, b) == a; }
  bool contains(Id set, int element) const {
    auto word = static_cast<size_t>(element) / 64;
    const Words &words = sets[static_cast<size_t>(set)];
    return word < words.size() && (words[word] >> (element % 64) & 1) != 0;
  }
  int size(Id set) const {
    int count = 0;
    for (uint64_t word : sets[static_cast<size_t>(set)])
      count += std::popcount(word);
    return count;
  }

private:
  using Words = std::vector<uint64_t>;

  Id intern(Words words) {
    while (!words.empty() && words.back() == 0)
      words.pop_back();
    auto [it, isNew] =
        ids.try_emplace(std::move(words), static_cast<Id>(sets.size()));
    if (isNew)
      sets.push_back(it->first);
    return it->second;
  }
  template <class Fn> Id combine(Id a, Id b, Fn fn) {
    const Words &x = sets[static_cast<size_t>(a)];
    const Words &y = sets[static_cast<size_t>(b)];
    Words words(std::max(x.size(), y.size()));
    for (size_t i = 0; i < words.size(); ++i)
      words[i] = fn(i < x.size() ? x[i] : 0, i < y.size() ? y[i] : 0);
    return intern(std::move(words));
  }

  std::map<Words, Id> ids;
  std::vector<Words> sets;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_CUT_CUTSETS_H
