// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets, padding, and rows sorted by what they leave out.
#include "lib/Eval/ContractionRows.h"

#include <algorithm>

namespace kiln::eval {

int64_t Walk::count() const {
  int64_t product = 1;
  for (const Loop &loop : loops)
    product *= loop.count;
  return product;
}

int64_t Walk::inside(size_t loop) const {
  int64_t product = 1;
  for (size_t i = loop + 1; i < loops.size(); ++i)
    product *= loops[i].count;
  return product;
}

std::vector<int64_t> Walk::offsets() const {
  std::vector<int64_t> all{0}, next;
  for (const Loop &loop : loops) {
    next.clear();
    next.reserve(all.size() * static_cast<size_t>(loop.count));
    for (int64_t base : all)
      for (int64_t i = 0; i < loop.count; ++i)
        next.push_back(base + i * loop.stride);
    all.swap(next);
  }
  return all;
}

int64_t Walk::contiguous() const {
  int64_t product = 1;
  for (size_t i = loops.size(); i-- > 0 && loops[i].stride == product;)
    product *= loops[i].count;
  return std::max<int64_t>(product, 1);
}

Kept Padding::keptOf(int64_t rowIndex, int64_t count) const {
  auto isInside = [&](int64_t index) {
    int64_t at = first + rowIndex * rowStep + index * depthStep;
    return at >= begin && at < end;
  };
  int64_t low = 0, high = count;
  while (low < high && !isInside(low))
    ++low;
  while (low < high && !isInside(high - 1))
    --high;
  return {low, high};
}

bool Factors::haveNeighbours(int64_t together) const {
  const Walk::Loop &last = rows.loops.back();
  return last.stride == 1 && last.count % together == 0 &&
         std::ranges::none_of(padding, [&](const Padding &of) {
           return of.rowLoop + 1 == rows.loops.size();
         });
}

KeptList Factors::keptOf(int64_t row) const {
  if (padding.empty())
    return KeptList(1, {0, depth.count()});
  auto stretchOf = [&](const Padding &of) {
    return of.keptOf(rows.indexOf(of.rowLoop, row),
                     depth.loops[of.depthLoop].count);
  };
  // The innermost loop has one stretch, within each index of the others.
  const Padding &last = padding.back();
  const int64_t count = depth.loops[last.depthLoop].count,
                size = depth.inside(last.depthLoop);
  const Kept inner = stretchOf(last);
  std::vector<Kept> outer;
  for (size_t i = 0; i + 1 < padding.size(); ++i)
    outer.push_back(stretchOf(padding[i]));
  KeptList kept;
  for (int64_t i = 0, all = depth.count(); i < all; i += count * size) {
    bool isKept = inner.begin < inner.end;
    for (size_t j = 0; j < outer.size(); ++j) {
      const int64_t index = depth.indexOf(padding[j].depthLoop, i);
      isKept &= index >= outer[j].begin && index < outer[j].end;
    }
    if (!isKept)
      continue;
    if (!kept.empty() && kept.back().end == i + inner.begin * size)
      kept.back().end = i + inner.end * size;
    else
      kept.push_back({i + inner.begin * size, i + inner.end * size});
  }
  return kept;
}

namespace {

/// For each row the number of what it leaves out, and how many numbers there
/// are.
std::vector<int64_t> classesOf(const Factors &factors, int64_t &numClasses) {
  // By loop of the rows, what an index adds to the number.
  std::vector<std::vector<int64_t>> added(factors.rows.loops.size());
  numClasses = 1;
  for (const Padding &of : factors.padding) {
    std::vector<Kept> distinct;
    const int64_t count = factors.depth.loops[of.depthLoop].count;
    std::vector<int64_t> &numbers = added[of.rowLoop];
    numbers.resize(static_cast<size_t>(factors.rows.loops[of.rowLoop].count));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const Kept kept = of.keptOf(static_cast<int64_t>(i), count);
      auto found = std::ranges::find_if(distinct, [&](const Kept &other) {
        return other.begin == kept.begin && other.end == kept.end;
      });
      numbers[i] += numClasses * static_cast<int64_t>(found - distinct.begin());
      if (found == distinct.end())
        distinct.push_back(kept);
    }
    numClasses *= static_cast<int64_t>(std::max<size_t>(distinct.size(), 1));
  }
  std::vector<int64_t> all{0}, next;
  for (size_t loop = 0; loop < added.size(); ++loop) {
    const auto count = static_cast<size_t>(factors.rows.loops[loop].count);
    next.clear();
    next.reserve(all.size() * count);
    for (int64_t base : all)
      for (size_t i = 0; i < count; ++i)
        next.push_back(base + (added[loop].empty() ? 0 : added[loop][i]));
    all.swap(next);
  }
  return all;
}

} // namespace

RowOrder::RowOrder(const Factors &factors) {
  const int64_t count = factors.rows.count();
  if (factors.padding.empty()) {
    stretches.push_back({0, count, factors.keptOf(0)});
    return;
  }
  int64_t numClasses = 1;
  const std::vector<int64_t> classes = classesOf(factors, numClasses);
  std::vector<int64_t> begins(static_cast<size_t>(numClasses) + 1);
  for (int64_t number : classes)
    ++begins[static_cast<size_t>(number) + 1];
  for (size_t i = 1; i < begins.size(); ++i)
    begins[i] += begins[i - 1];
  rows.resize(classes.size());
  std::vector<int64_t> next = begins;
  for (size_t row = 0; row < classes.size(); ++row)
    rows[static_cast<size_t>(next[static_cast<size_t>(classes[row])]++)] =
        static_cast<int64_t>(row);
  for (size_t i = 0; i + 1 < begins.size(); ++i)
    if (begins[i] < begins[i + 1])
      stretches.push_back(
          {begins[i], begins[i + 1],
           factors.keptOf(rows[static_cast<size_t>(begins[i])])});
}

void piecesWithin(const KeptList &kept, int64_t begin, int64_t end,
                  const int64_t *offsets, int64_t contiguous,
                  std::vector<Piece> &pieces) {
  pieces.clear();
  const Kept *next =
      std::partition_point(kept.begin(), kept.end(), [&](const Kept &piece) {
        return piece.end <= begin;
      });
  for (; next != kept.end() && next->begin < end; ++next) {
    const int64_t behind = std::min(next->end, end);
    for (int64_t k = std::max(next->begin, begin); k < behind;) {
      const int64_t first = k;
      k = offsets ? std::min(behind, (k / contiguous + 1) * contiguous)
                  : behind;
      pieces.push_back({first - begin, k - begin,
                        offsets ? offsets[first] - (first - begin) : 0});
    }
  }
}

} // namespace kiln::eval
